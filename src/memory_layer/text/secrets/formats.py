"""The formats of tokens, one row each, tied to letters that every such token contains.

A row costs nothing until its anchor is found in a text; only then is its pattern compiled. Every pattern runs in
linear time: repetitions never nest, and an unbounded one starts only where a run of its characters does.
"""

from __future__ import annotations

from memory_layer.text.secrets.services import (
    SERVICES,
    SecretFormat,
    is_alphanumeric,
    is_armoured,
    is_key_id,
    is_mixed_case,
    is_session,
    is_user_and_password,
)

_PEM = r"(?P<secret>-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}"
_UNTIL_DASHES = r"[^-]*+(?:-(?!----)[^-]*+)*+"
_END = r"-----END [A-Z0-9 ]{1,60}-----"
#: The body of a key without its end: base64 lines, headers, escaped and quoted line ends.
_CUT_OFF = (
    r"(?:[\s\"'+|>,#*]|\\[nrt]|[A-Za-z-]{4,20}: [^\n\\]{1,80}(?=[\n\\])|[A-Za-z0-9+/=]{16,}+)*+"
    r"(?:[A-Za-z0-9+/=]{1,15}(?=[ \t]{0,8}(?:[\n\"'.…\\]|$)))?"
)
_KEY_BODY = rf"(?:{_UNTIL_DASHES}{_END}|{_CUT_OFF}))"
_ASSIGNED = r"[\"'\]\\]{0,3}[ \t]{0,8}(?:=>|:=|=|:)[ \t]{0,8}[\"'\\]{0,2}"
_B64 = r"[A-Za-z0-9+/]"

FORMATS: tuple[SecretFormat, ...] = (
    SecretFormat(
        "gcp-service-account-key",
        ("private_key",),
        r'"private_key\\{0,4}"\s{0,8}:\s{0,8}\\{0,4}"(?P<secret>-----BEGIN [^"]++)',
        is_armoured,
    ),
    SecretFormat(
        "ssh-private-key",
        ("-----begin openssh",),
        _PEM + r"OPENSSH PRIVATE KEY-----" + _KEY_BODY,
        is_armoured,
    ),
    SecretFormat(
        "ssh-private-key", ("putty-user-key",), r"Private-Lines: \d{1,4}(?P<secret>[\sA-Za-z0-9+/=]++)"
    ),
    SecretFormat(
        "pgp-private-key",
        ("-----begin pgp",),
        _PEM + r"PGP PRIVATE KEY BLOCK-----" + _KEY_BODY,
        is_armoured,
    ),
    SecretFormat("private-key", ("private key-----",), _PEM + r"PRIVATE KEY-----" + _KEY_BODY, is_armoured),
    SecretFormat("age-secret-key", ("age-secret-key-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{40,}", touching=True),
    SecretFormat(
        "aws-access-key-id",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})+(?![A-Z0-9])",
        is_key_id,
        touching=True,
    ),
    SecretFormat(
        "aws-secret-key",
        ("secret",),
        rf"(?i:secret[_-]?(?:access[_-]?)?key){_ASSIGNED}(?P<secret>{_B64}{{40}})(?![A-Za-z0-9+/=])",
        is_alphanumeric,
    ),
    SecretFormat(
        "aws-secret-key",
        ("akia", "asia"),
        rf"(?:AKIA|ASIA)[A-Z0-9]{{16}}[\s:,;|/\"']{{1,4}}(?P<secret>{_B64}{{40}})(?![A-Za-z0-9+/=])",
        is_alphanumeric,
    ),
    SecretFormat(
        "aws-bedrock-key",
        ("absk", "bedrock-api-key-"),
        r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}",
        is_alphanumeric,
    ),
    SecretFormat("gcp-api-key", ("aiza",), r"AIza[\w-]{30,}", is_alphanumeric, touching=True),
    SecretFormat("google-oauth-token", ("ya29.",), r"ya29\.[\w-]{20,}", is_alphanumeric),
    SecretFormat("google-oauth-token", ("1//0",), r"1//0[\w-]{40,}", is_alphanumeric),
    SecretFormat("google-client-secret", ("gocspx-",), r"GOCSPX-[\w-]{20,}", touching=True),
    SecretFormat(
        "azure-storage-key",
        ("accountkey",),
        rf"(?i:accountkey)=(?P<secret>{_B64}{{40,}}={{0,2}})",
        is_alphanumeric,
    ),
    SecretFormat(
        "azure-connection-string",
        ("sharedaccesskey",),
        rf"(?i:sharedaccesskey)=(?P<secret>{_B64}{{24,}}={{0,2}})",
        is_alphanumeric,
    ),
    SecretFormat(
        "azure-sas-signature", ("sig=",), r"[?&;]sig=(?P<secret>[A-Za-z0-9%+/_-]{24,}={0,2})", is_alphanumeric
    ),
    SecretFormat("azure-client-secret", ("Q~",), r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
    SecretFormat(
        "azure-devops-token", ("AZDO",), r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", is_alphanumeric, length=84
    ),
    SecretFormat("github-token", ("ghp_",), r"ghp_[A-Za-z0-9]{20,}", touching=True),
    SecretFormat("github-oauth-token", ("gho_",), r"gho_[A-Za-z0-9]{20,}", touching=True),
    SecretFormat(
        "github-app-token",
        ("ghu_", "ghs_"),
        r"gh[us]_[A-Za-z0-9_]{20,}(?:\.[\w-]{16,}\.[\w-]{16,})?",
    ),
    SecretFormat(
        "github-app-token", ("ghu_", "ghs_"), r"gh[us]_[A-Za-z0-9]{30,}", is_alphanumeric, touching=True
    ),
    SecretFormat("github-refresh-token", ("ghr_",), r"ghr_[A-Za-z0-9]{20,}", touching=True),
    SecretFormat(
        "github-fine-grained-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{20,}", touching=True
    ),
    SecretFormat(
        "gitlab-token",
        tuple("glpat- gldt- glrt glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- glwt-".split()),
        r"gl(?:pat|dt|rtr|rt|cbt|ptt|ft|soat|agent|oas|imt|ffct|wt)-(?!-)[\w-]{16,}(?:\.\w{2}\.\w{7,9})?",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat("gitlab-token", ("gr1348941",), r"GR1348941[\w-]{20,}", touching=True),
    SecretFormat(
        "bitbucket-token",
        ("ATBB", "ATCTT"),
        r"(?:ATBB[A-Za-z0-9]{24,}|ATCTT3[\w-]{40,}(?:=[A-F0-9]{8})?)",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "atlassian-token",
        ("atatt", "atstt"),
        r"AT[AS]TT3[\w-]{30,}(?:=[A-F0-9]{8})?",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "slack-token",
        ("xox", "xapp-"),
        r"(?:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9-]{16,}",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "slack-webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9]{6,}/[A-Za-z0-9/]{16,})",
        is_alphanumeric,
    ),
    SecretFormat(
        "discord-token",
        (".",),
        r"(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])",
        is_mixed_case,
        length=58,
    ),
    SecretFormat(
        "discord-webhook",
        ("/api/webhooks/",),
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{5,25}/(?P<secret>[\w-]{40,})",
    ),
    SecretFormat(
        "teams-webhook", ("webhook.office.com",), r"webhook\.office\.com/(?P<secret>webhookb?2?/[\w@/-]{40,})"
    ),
    SecretFormat("telegram-token", (":AA",), r"(?<!\d)\d{8,10}:AA[\w-]{30,40}(?![\w-])", is_alphanumeric),
    SecretFormat("anthropic-key", ("sk-ant-",), r"sk-ant-[\w-]{20,}", is_alphanumeric, touching=True),
    SecretFormat("openrouter-key", ("sk-or-",), r"sk-or-[\w-]{20,}", is_alphanumeric, touching=True),
    SecretFormat(
        "openai-key",
        ("sk-",),
        r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,}|[A-Za-z0-9]{20,})",
        is_alphanumeric,
        length=23,
    ),
    SecretFormat(
        "openai-key",
        ("sk-proj-", "sk-svcacct-"),
        r"sk-(?:proj|svcacct)-[\w-]{20,}",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "huggingface-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{30,}", length=30, touching=True
    ),
    SecretFormat("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}", is_alphanumeric, touching=True),
    SecretFormat("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{40,}", is_alphanumeric, touching=True),
    SecretFormat("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{32,}", is_alphanumeric, touching=True),
    SecretFormat("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{32,}", is_alphanumeric),
    SecretFormat(
        "langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[a-f0-9_]{32,}", is_alphanumeric, touching=True
    ),
    SecretFormat("pinecone-key", ("pcsk_",), r"pcsk_[A-Za-z0-9_]{32,}", is_alphanumeric, touching=True),
    SecretFormat(
        "stripe-key",
        ("k_live_", "k_test_"),
        r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "webhook-signing-secret",
        ("whsec_",),
        r"whsec_[A-Za-z0-9+/]{24,}={0,2}",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{30,}", is_alphanumeric, length=30, touching=True),
    SecretFormat("pypi-token", ("pypi-age",), r"pypi-AgE[\w-]{16,}", touching=True),
    SecretFormat("rubygems-key", ("rubygems_",), r"rubygems_[a-f0-9]{40,}", touching=True),
    SecretFormat("crates-io-token", ("cio",), r"cio[A-Za-z0-9]{32}", is_mixed_case, length=35),
    SecretFormat("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}", is_alphanumeric, length=46),
    SecretFormat("docker-hub-token", ("dckr_",), r"dckr_[a-z]at_[\w-]{20,}", touching=True),
    SecretFormat(
        "docker-registry-auth",
        ('"auth',),
        r'"_?auth\\{0,4}"\s{0,4}:\s{0,4}\\{0,4}"(?P<secret>[A-Za-z0-9+/]{8,}={0,2})',
        is_user_and_password,
        length=8,
    ),
    SecretFormat(
        "npm-registry-auth",
        ("_auth",),
        r"_auth\s{0,2}=\s{0,2}\"?(?P<secret>[A-Za-z0-9+/]{8,}={0,2})",
        is_user_and_password,
        length=8,
    ),
    SecretFormat(
        "artifactory-key", ("AKCp",), r"AKCp[A-Za-z0-9]{60,}", is_alphanumeric, length=60, touching=True
    ),
    SecretFormat("twilio-key", ("SK",), r"SK[0-9a-f]{32}", is_alphanumeric, length=34),
    SecretFormat(
        "twilio-auth-token",
        ("AC",),
        r"(?<![A-Za-z0-9])AC[0-9a-f]{32}:(?P<secret>[0-9a-f]{32})(?![A-Za-z0-9])",
        length=67,
    ),
    SecretFormat("sendgrid-key", ("sg.",), r"(?<![\w.-])SG\.[\w-]{16,}\.[\w-]{16,}", is_alphanumeric),
    SecretFormat("mailgun-key", ("key-",), r"(?<![\w-])key-[0-9a-f]{32}", is_alphanumeric),
    SecretFormat(
        "mailgun-key",
        ("-",),
        r"(?<![\w-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])",
        is_alphanumeric,
        length=50,
    ),
    SecretFormat("mailchimp-key", ("-us",), r"[0-9a-f]{32}-us\d{1,2}", is_alphanumeric),
    SecretFormat(
        "brevo-key",
        ("xkeysib-", "xsmtpsib-"),
        r"x(?:key|smtp)sib-[a-f0-9]{40,}-[A-Za-z0-9]{10,}",
        touching=True,
    ),
    SecretFormat("resend-key", ("re_",), r"re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}", is_mixed_case, length=30),
    SecretFormat(
        "digitalocean-token",
        ("_v1_",),
        r"do[opr]_v1_[A-Za-z0-9]{32,}",
        is_alphanumeric,
        length=30,
        touching=True,
    ),
    SecretFormat(
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shpit_"),
        r"shp(?:at|ca|pa|ss|ua|it)_[A-Za-z0-9]{28,}",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "square-token", ("sq0", "EAAA"), r"(?:sq0[a-z]{3}-[\w-]{22,}|EAAA[\w-]{60})", is_alphanumeric
    ),
    SecretFormat("facebook-token", ("EAA",), r"EAA[A-Za-z0-9]{80,}", is_alphanumeric, length=80),
    SecretFormat("heroku-key", ("hrku-",), r"HRKU-[\w-]{30,}", is_alphanumeric, touching=True),
    SecretFormat(
        "heroku-key",
        ("heroku",),
        rf"(?i:heroku[_-]?(?:api[_-]?)?(?:key|token)){_ASSIGNED}(?P<secret>[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}})",
    ),
    SecretFormat(
        "cloudflare-token",
        ("cloudflare", "cf_", "cf-"),
        rf"(?i:(?:cloudflare|cf)[_-](?:\w{{1,12}}[_-]){{0,2}}(?:token|key)){_ASSIGNED}(?P<secret>[\w-]{{37,48}})(?![\w-])",
        is_alphanumeric,
    ),
    SecretFormat("cloudflare-token", ("v1.0-",), r"v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,}", is_alphanumeric),
    SecretFormat(
        "datadog-key",
        ("datadog", "dd_", "dd-"),
        rf"(?i:(?:datadog|dd)[_-](?:api|app|application)[_-]?key){_ASSIGNED}(?P<secret>[0-9a-f]{{32}}(?:[0-9a-f]{{8}})?)(?![\w-])",
        is_alphanumeric,
    ),
    SecretFormat(
        "new-relic-key", ("NR",), r"NR(?:AK|II|IQ|JS|RA|SP|AA)-[A-Za-z0-9_-]{19,}", is_alphanumeric, length=24
    ),
    SecretFormat("new-relic-key", ("NRAL",), r"(?<![\w-])[a-z0-9]{36}NRAL", is_alphanumeric),
    SecretFormat("sentry-token", ("sntry",), r"sntry[a-z]_[A-Za-z0-9_+/=-]{32,}", touching=True),
    SecretFormat(
        "sentry-dsn",
        ("sentry",),
        r"://(?P<secret>[0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{0,80}sentry",
        is_alphanumeric,
        length=40,
    ),
    SecretFormat(
        "linear-key", ("lin_",), r"lin_(?:api|oauth)_[A-Za-z0-9]{24,}", is_alphanumeric, touching=True
    ),
    SecretFormat("notion-token", ("ntn_",), r"ntn_[A-Za-z0-9]{36,}", is_alphanumeric, touching=True),
    SecretFormat("notion-token", ("secret_",), r"secret_[A-Za-z0-9]{43}", is_mixed_case, length=50),
    SecretFormat("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", is_alphanumeric, length=80),
    SecretFormat(
        "databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?", is_alphanumeric, length=36, touching=True
    ),
    SecretFormat("vault-token", ("hvs.", "hvb.", "hvr."), r"(?<![\w.])hv[sbr]\.[\w-]{20,}", is_alphanumeric),
    SecretFormat("terraform-token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}"),
    SecretFormat("pulumi-token", ("pul-",), r"pul-[a-f0-9]{40}", is_alphanumeric, touching=True),
    SecretFormat(
        "doppler-token",
        ("dp.",),
        r"(?<![\w.])dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,}",
        is_alphanumeric,
    ),
    SecretFormat("onepassword-token", ("ops_eyj",), r"ops_eyJ[A-Za-z0-9+/_-]{40,}={0,2}", touching=True),
    SecretFormat(
        "grafana-token",
        ("glsa_", "glc_"),
        r"(?:glsa_[A-Za-z0-9]{24,}(?:_[A-Fa-f0-9]{8})?|glc_[A-Za-z0-9+/]{32,}={0,2})",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat("netlify-token", ("nfp_",), r"nfp_[A-Za-z0-9]{32,}", is_alphanumeric, touching=True),
    SecretFormat(
        "supabase-key",
        ("sbp_", "sb_secret_"),
        r"(?:sbp_[a-z0-9_]{40,}|sb_secret_[\w-]{20,})",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "planetscale-token",
        ("pscale_",),
        r"pscale_(?:tkn|pw|oauth)_[\w.-]{28,}",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat(
        "fly-io-token", ("fm1", "fm2_", "fo1_"), r"(?:fm1[ar]|fm2|fo1)_[\w+/=-]{40,}", is_alphanumeric
    ),
    SecretFormat(
        "tailscale-key",
        ("tskey-",),
        r"tskey-[a-z]{2,12}-[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{16,})?",
        is_alphanumeric,
        touching=True,
    ),
    SecretFormat("figma-token", ("figd_",), r"figd_[\w-]{32,}", is_alphanumeric, touching=True),
    SecretFormat("postman-key", ("pmak-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}", touching=True),
    SecretFormat(
        "sonarqube-token", ("squ_", "sqp_", "sqa_"), r"sq[upa]_[a-f0-9]{40}", is_alphanumeric, touching=True
    ),
    SecretFormat("dynatrace-token", ("dt0",), r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}", length=80),
    SecretFormat(
        "circleci-token",
        ("CCIPAT_", "CCIPRJ_"),
        r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[a-f0-9]{40}",
        touching=True,
    ),
    *SERVICES,
    SecretFormat("jwt", ("eyJ",), r"(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{6,}(?:\.[\w-]*)?(?:\.[\w-]{16,})*"),
    SecretFormat("jwt", ("eyj",), r"(?<![\w-])eyJ[\w-]{16,}(?:\.[\w-]*){2}(?:\.[\w-]{10,}){2}"),
    SecretFormat(
        "authorization-header",
        ("authorization",),
        rf"(?i:authorization){_ASSIGNED}(?i:basic)[ \t]{{1,4}}(?P<secret>[A-Za-z0-9+/_-]{{6,}}={{0,2}})",
        is_user_and_password,
        length=8,
    ),
    SecretFormat(
        "authorization-header",
        ("authorization",),
        rf"(?i:authorization){_ASSIGNED}(?:[A-Za-z-]{{3,16}}[ \t]{{1,4}})?(?P<secret>[\w.~+/:-]{{12,}}={{0,2}})",
        is_alphanumeric,
        length=8,
    ),
    SecretFormat(
        "bearer-token",
        ("bearer", "ssws", "apikey", "api-key"),
        r"(?i:\bbearer|\bssws|\bapi-?key)[ \t]{1,4}(?P<secret>[\w.~+/-]{16,}={0,2})",
        is_alphanumeric,
        length=16,
    ),
    SecretFormat(
        "cookie",
        ("cookie:",),
        r"(?i:\b(?:set-)?cookie:)[ \t]{0,4}(?P<secret>[^\s\"'][^\r\n\"']{7,4095})",
        is_session,
        length=8,
    ),
    SecretFormat(
        "cookie",
        ("sess", "connect.sid"),
        r"(?i:phpsessid|jsessionid|sessionid|session_id|connect\.sid)=(?P<secret>[\w%.:-]{16,})",
        is_alphanumeric,
        length=8,
    ),
)
