"""One made-up secret of every kind, in a text as a developer would write it.

The secrets are put together here, so that this file holds none that a scanner would stop at.
`PLANTED[kind]` is the text and the part of it that must vanish.
"""

from __future__ import annotations

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_HEX = "0123456789abcdef"
_CAPITALS = _LOWER.upper() + _DIGITS
_ALNUM = _LOWER + _LOWER.upper() + _DIGITS
_DASHES = "-" * 5


def _made(length: int, alphabet: str = _ALNUM, start: int = 3) -> str:
    """Characters that look random and are the same every time."""
    places = (start * 31 + i * i * 7 + i * 11 for i in range(length))
    return "".join(alphabet[place % len(alphabet)] for place in places)


def _lines(count: int) -> str:
    return "\n".join(_made(64, _ALNUM + "+/", start) for start in range(count))


def _pem(label: str) -> str:
    return f"{_DASHES}BEGIN {label}{_DASHES}\n{_lines(3)}\n{_DASHES}END {label}{_DASHES}"


def _uuid() -> str:
    return "-".join(_made(length, _HEX) for length in (8, 4, 4, 4, 12))


def _in(text: str, secret: str) -> tuple[str, str]:
    return text.format(secret), secret


_GCP_KEY = _pem("PRIVATE KEY").replace("\n", "\\n")
_JWT = "ey" + "J" + _made(24) + ".ey" + "J" + _made(40, start=5) + "." + _made(43, start=7)
_BASIC = "YWRtaW46" + "aHVudGVyMmh1bnRlcjI="  # a user, a colon and a password, encoded

PLANTED: dict[str, tuple[str, str]] = {
    "gcp-service-account-key": ('{"type": "service_account", "private_key": "' + _GCP_KEY + '"}', _GCP_KEY),
    "ssh-private-key": _in("the deploy key is\n{}\nkeep it", _pem("OPENSSH PRIVATE KEY")),
    "pgp-private-key": _in("release signing:\n{}", _pem("PGP PRIVATE KEY BLOCK")),
    "private-key": _in("nginx reads this file:\n{}\nfrom disk", _pem("RSA PRIVATE KEY")),
    "age-secret-key": _in("sops decrypts with {}", "AGE-SECRET-" + "KEY-1" + _made(58, _CAPITALS)),
    "aws-access-key-id": _in("the CI user is {} in eu-west-1", "AK" + "IA" + _made(16, _CAPITALS)),
    "aws-secret-key": _in("aws_secret_access_key = {}", _made(40, _ALNUM + "/+")),
    "aws-bedrock-key": _in("bedrock wants {}", "AB" + "SK" + _made(110)),
    "gcp-api-key": _in("maps key {} is restricted by referrer", "AI" + "za" + _made(35)),
    "google-oauth-token": _in("gcloud printed {}", "ya" + "29." + _made(60)),
    "google-client-secret": _in("client secret of the web app {}", "GOC" + "SPX-" + _made(28)),
    "azure-storage-key": _in("AccountName=logs;Account" + "Key={};EndpointSuffix=x", _made(86) + "=="),
    "azure-connection-string": _in("Endpoint=sb://bus/;SharedAccess" + "Key={}", _made(43) + "="),
    "azure-sas-signature": _in("https://logs.blob.core/x?sv=2024-01-01&sig={}&se=2026", _made(43) + "%3D"),
    "azure-client-secret": _in("the app registration uses {}", "abc8" + "Q~" + _made(34)),
    "azure-devops-token": _in("pipelines use {}", _made(76) + "AZ" + "DO" + _made(4)),
    "github-token": _in("git push with {} works", "gh" + "p_" + _made(36)),
    "github-oauth-token": _in("gh auth printed {}", "gh" + "o_" + _made(36)),
    "github-app-token": _in("the runner has {}", "gh" + "s_" + _made(36)),
    "github-refresh-token": _in("refresh with {}", "gh" + "r_" + _made(76)),
    "github-fine-grained-token": _in("read-only: {}", "github" + "_pat_" + _made(22) + "_" + _made(59)),
    "gitlab-token": _in("glab uses {}.", "gl" + "pat-" + _made(20)),
    "bitbucket-token": _in("clone with {}", "AT" + "BB" + _made(32)),
    "atlassian-token": _in("jira: {}", "ATA" + "TT3" + _made(180)),
    "slack-token": _in("the bot posts with {}", "xo" + "xb-" + _made(12, _DIGITS) + "-" + _made(24)),
    "slack-webhook": _in(
        "alerts go to https://hooks.slack" + ".com/services/{}", f"T{_made(8)}/B{_made(8)}/{_made(24)}"
    ),
    "discord-token": _in("the bot logs in as {}", f"M{_made(23)}.{_made(6)}.{_made(38)}"),
    "discord-webhook": _in("https://discord" + ".com/api/webhooks/1122334455667788/{}", _made(68)),
    "teams-webhook": _in("https://acme.webhook" + ".office.com/{}", f"webhookb2/{_uuid()}@{_uuid()}"),
    "telegram-token": _in("bot {} answers", _made(10, "123456789") + ":A" + "A" + _made(33)),
    "anthropic-key": _in("evals run with {}", "sk-" + "ant-api03-" + _made(95)),
    "openrouter-key": _in("fallback {}", "sk-" + "or-v1-" + _made(64, _HEX)),
    "openai-key": _in("embeddings use {}", "sk-" + "proj-" + _made(48)),
    "huggingface-token": _in("gated models need {}", "h" + "f_" + _made(34)),
    "groq-key": _in("{} is rate limited", "gs" + "k_" + _made(52)),
    "xai-key": _in("{} expired", "xa" + "i-" + _made(80)),
    "perplexity-key": _in("search uses {}", "ppl" + "x-" + _made(48)),
    "replicate-token": _in("images: {}", "r" + "8_" + _made(37)),
    "langsmith-key": _in("traces: {}", "ls" + f"v2_pt_{_made(32, _HEX)}_{_made(10, _HEX)}"),
    "pinecone-key": _in("vectors: {}", "pc" + "sk_" + _made(60)),
    "stripe-key": _in("charges fail with {}", "sk_" + "live_" + _made(24)),
    "webhook-signing-secret": _in("verify with {}", "wh" + "sec_" + _made(32)),
    "npm-token": _in("publish with {}", "np" + "m_" + _made(36)),
    "pypi-token": _in("twine uses {}", "py" + "pi-AgE" + _made(90)),
    "rubygems-key": _in("gem push uses {}", "ruby" + "gems_" + _made(48, _HEX)),
    "crates-io-token": _in("cargo login {}", "ci" + "o" + _made(32)),
    "nuget-key": _in("dotnet push {}", "oy" + "2" + _made(43, _LOWER + _DIGITS)),
    "docker-hub-token": _in("docker pulls with {}", "dckr" + "_pat_" + _made(27)),
    "docker-registry-auth": _in('{{"auths": {{"ghcr.io": {{"auth": "{}"}}}}}}', _BASIC),
    "npm-registry-auth": _in("//registry.acme.dev/:_auth={}", _BASIC),
    "artifactory-key": _in("maven uses {}", "AK" + "Cp" + _made(69)),
    "twilio-key": _in("sms key {}", "S" + "K" + _made(32, _HEX)),
    "twilio-auth-token": _in("call with A" + "C" + _made(32, _HEX) + ":{}", _made(32, _HEX, 5)),
    "sendgrid-key": _in("mails leave with {}", f"S{'G'}.{_made(22)}.{_made(43)}"),
    "mailgun-key": _in("mail: {}", "ke" + "y-" + _made(32, _HEX)),
    "mailchimp-key": _in("newsletter {}", _made(32, _HEX) + "-u" + "s14"),
    "brevo-key": _in("brevo: {}", "xkey" + f"sib-{_made(64, _HEX)}-{_made(16)}"),
    "resend-key": _in("resend: {}", "r" + f"e_{_made(8)}_{_made(24)}"),
    "digitalocean-token": _in("doctl uses {}", "dop" + "_v1_" + _made(64, _HEX)),
    "shopify-token": _in("the app has {}", "shp" + "at_" + _made(32, _HEX)),
    "square-token": _in("payments: {}", "sq" + "0csp-" + _made(43)),
    "facebook-token": _in("graph api: {}", "EA" + "A" + _made(120)),
    "heroku-key": _in("HEROKU_API_KEY={}", _uuid()),
    "cloudflare-token": _in("CLOUDFLARE_API_TOKEN={}", _made(40)),
    "datadog-key": _in("DD_API_KEY: {}", _made(32, _HEX)),
    "new-relic-key": _in("apm: {}", "NR" + "AK-" + _made(27, _CAPITALS)),
    "sentry-token": _in("releases: {}", "snt" + "ryu_" + _made(64, _HEX)),
    "sentry-dsn": _in("https://{}@o12.ingest.sentry.io/99", _made(32, _HEX)),
    "linear-key": _in("issues: {}", "lin" + "_api_" + _made(40)),
    "notion-token": _in("pages: {}", "nt" + "n_" + _made(46)),
    "airtable-token": _in("tables: {}", "pa" + f"t{_made(14)}.{_made(64, _HEX)}"),
    "databricks-token": _in("jobs: {}", "da" + "pi" + _made(32, _HEX)),
    "vault-token": _in("vault login {}", "hv" + "s." + _made(90)),
    "mapbox-token": _in("maps: {}", "s" + "k.ey" + "J" + _made(60) + "." + _made(22)),
    "service-token": _in("search: {}", "sg" + "p_" + _made(40, _HEX)),
    "terraform-token": _in("credentials {}", _made(14) + ".atlas" + "v1." + _made(67)),
    "pulumi-token": _in("stacks: {}", "pu" + "l-" + _made(40, _HEX)),
    "doppler-token": _in("doppler run with {}", "dp." + "pt." + _made(43)),
    "onepassword-token": _in("op uses {}", "op" + "s_eyJ" + _made(120)),
    "grafana-token": _in("dashboards: {}", "gl" + f"sa_{_made(32)}_{_made(8, _HEX)}"),
    "netlify-token": _in("deploys: {}", "nf" + "p_" + _made(40)),
    "supabase-key": _in("migrations: {}", "sb" + "p_" + _made(40, _HEX)),
    "planetscale-token": _in("branches: {}", "psca" + "le_tkn_" + _made(43)),
    "fly-io-token": _in("flyctl: {}", "fo" + "1_" + _made(43)),
    "tailscale-key": _in("tailscale up with {}", f"ts{'key'}-auth-{_made(12)}-{_made(32)}"),
    "figma-token": _in("designs: {}", "fi" + "gd_" + _made(40)),
    "postman-key": _in("collections: {}", f"PM{'AK'}-{_made(24, _HEX)}-{_made(34, _HEX)}"),
    "sonarqube-token": _in("sonar: {}", "sq" + "p_" + _made(40, _HEX)),
    "dynatrace-token": _in("agents: {}", f"dt{'0c01'}.{_made(24, _CAPITALS)}.{_made(64, _CAPITALS)}"),
    "circleci-token": _in("builds: {}", f"CCI{'PAT'}_{_made(22)}_{_made(40, _HEX)}"),
    "password-hash": _in("the row of root is {} today", "$6" + "$" + _made(16) + "$" + _made(86)),
    "jwt": _in("the session was {} at the time", _JWT),
    "authorization-header": _in("curl -H 'Authorization: Basic {}' http://localhost", _BASIC),
    "bearer-token": _in("call it with Bearer {} for now", _made(40)),
    "cookie": _in("Set-Cookie: {}", f"sid={_made(40)}; Path=/; HttpOnly"),
    "password": _in("log in as admin with password: {} on staging", "Tr0ub4dor" + "&3"),
    "secret": _in("client_secret = '{}'", _made(24)),
    "token": _in('{{"auth_token": "{}", "page": 2}}', _made(24)),
    "key": _in("export ACME_API_KEY={}", _made(24)),
    "url-password": _in("postgresql://app:{}@db.internal:5432/prod", "cor" + "rect7horse"),
    "command-password": _in("mysql -h db -u app -p{} prod", "sw0rd" + "fish9"),
}
