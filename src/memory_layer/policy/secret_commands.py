"""Secrets on a command line, in SQL and in addresses: `zip -P …`, `IDENTIFIED BY '…'`, `https://…@host`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.model.record import NamedTuple
from memory_layer.policy.secret_looks import looks_issued, looks_random
from memory_layer.policy.secret_values import Form, is_secret, stands_for_password, without_markers

URL_ANCHORS = ("://", "@tcp(", "@unix(")
_VALUE = r"[\"'`]?(?P<secret>[^\s\"'`|;<>]{3,512})"
_QUOTED = r"(?P<quote>[\"'])(?P<secret>[^\"'\n]{3,128})(?P=quote)"


class Command(NamedTuple):
    """A program, and the pattern of what stands between its name and the secret it is given."""

    names: tuple[str, ...]
    until: str
    value: str = _VALUE
    anywhere: bool = True  #: other arguments may come between


#: Programs that take a secret by a short option or by its place; a text that names none of them is passed over.
COMMANDS: tuple[Command, ...] = (
    Command(("curl", "wget", "httpie"), r"(?:-u|--user|--proxy-user|-a|--auth)[ =]?[\"']?[^\s:\"']{1,64}:"),
    Command(("mysql", "mariadb", "mongo", "7z", "7za", "unrar"), r"-p", r"[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,128})"),
    Command(
        ("mongo", "mongosh", "mongodump", "mongorestore", "twine", "sshpass", "cypher-shell", "cqlsh", "rdesktop")
        + ("login", "az", "ftp", "vncviewer", "psql", "isql", "impala-shell", "beeline", "ansible", "gcloud"),
        r"-p[ =]",
    ),
    Command(("zip ", "unzip", "sqlcmd", "bcp", "ipmitool", "mosquitto_pub", "mosquitto_sub", "tsql"), r"-P[ ]?"),
    Command(("ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami", "ldappasswd", "dsconf"), r"-w[ ]?"),
    Command(("redis-cli", "keydb-cli", "valkey-cli"), r"(?:-a|--pass|(?i:auth))[ ]"),
    Command(("openssl",), r"(?:-passin|-passout|-pass)[ ](?:pass:)|(?:-k|-pass)[ ]"),
    Command(("smbclient",), r"-U[ ]?[\"']?[\w.\\/@-]{1,64}%"),
    Command(("xfreerdp", "wfreerdp"), r"/p:"),
    Command(("lftp",), r"-u[ ]?[\"']?[^\s,\"']{1,64},"),
    Command(("skopeo", "buildah"), r"--(?:src-|dest-)?creds[ =][\"']?[^\s:\"']{1,64}:"),
    Command(("htpasswd",), r"-\w{0,6}b\w{0,6}[ ][^\s]{1,128}[ ][^\s]{1,64}[ ]", anywhere=False),
    Command(("keytool", "jarsigner", "apksigner"), r"-(?:storepass|keypass|srcstorepass|deststorepass)[ ]"),
    Command(("snmpget", "snmpwalk"), r"-[AXc][ ]"),
    Command(("ssh-keygen",), r"-[NP][ ]"),
    Command(("rabbitmqctl",), r"(?:add_user|change_password)[ ][^\s]{1,64}[ ]", anywhere=False),
    Command(("mysqladmin",), r"password[ ]"),
    Command(("set-initial-password", "wandb login", "snyk auth", "vault login", "cargo login", "authtoken"), r"", anywhere=False),
    Command(("rclone obscure", "add-authtoken", "cachix authtoken", "requirepass", "masterauth"), r"", anywhere=False),
    Command(("wpa_passphrase",), r"[^\s]{1,64}[ ]", anywhere=False),
    Command(("net use",), r"/user:[^\s]{1,64}[ ]|[\\\\][^\s]{1,128}[ ](?=[^\s/]{6,}[ ]/user:)"),
    Command(("nuget push", "nuget", "choco push"), r"(?:-k|-ApiKey|--api-key)[ ]"),
    Command(("codecov", "firebase", "doctl auth init", "npx vercel", "vercel"), r"(?:-t|--token)[ =]"),
    Command(("gh secret set", "gh variable"), r"(?:-b|--body)[ =]"),
    Command(("http-basic.", "npm config set", "yarn config set", "poetry config"), r"(?=[^\n]{0,60}(?i:auth|token|basic))[^\s]{1,80}[ =](?:[\w.@-]{1,40}[ ])?", anywhere=False),
    Command(("configure set",), r"(?i:[\w.-]{0,40}(?:secret|token|password|key))[ =]", anywhere=False),
    Command(("mc alias set",), r"[^\s]{1,40}[ ][^\s]{1,200}[ ][^\s]{1,64}[ ]", anywhere=False),
    Command(("login",), r"[^\s]{1,80}\s+password\s+", anywhere=False),
    Command(("sqlplus", "expdp", "impdp", "rman"), r"(?:-\w+[ ])?\w{1,40}/", r"[\"']?(?P<secret>[^\s\"'`@/]{4,128})(?=@)"),
    Command(("ConvertTo-SecureString",), r"(?:-String[ ])?(?=[\"'])"),
    Command(("drone", "fly", "argocd", "consul", "nomad"), r"(?:-t|-token|--auth-token)[ =]"),
    Command(("send",), r"(?=[\"'][^\"'\n]{4,64}\\[rn])", r"[\"'](?P<secret>[^\s\"'`\\]{4,64})", anywhere=False),
)
#: What hands a secret to a program through a pipe.
_PIPED = (
    r"\b(?:echo|printf)[ ](?:-n[ ]|-e[ ]|[\"']%s(?:\\n)?[\"'][ ])?(?:[\"'](?P<quoted>[^\"'\n|]{3,256})[\"']|(?P<bare>[^\s\"'|;]{3,256}))"
    r"[ ]?\|[ ]?(?P<program>[^\n|;]{0,200})"
)
_TAKES_SECRETS = (
    r"--password-stdin|--stdin|sudo[ ](?:-\w+[ ])*-\w*S\b|\bpasswd\b|chpasswd|login|auth|--with-token|--passphrase-fd"
    r"|secret[ ](?:create|put|set|add)|cryptsetup|gpg\b|openssl|vault|kinit|smbpasswd|base64|age\b|pass[ ]insert"
)
#: SQL that sets or names a password.
_SQL = (
    r"(?i:\bidentified(?:[ ]with[ ][\w\"']{1,40})?[ ](?:by|as)(?:[ ]password)?|\b(?:with|encrypted|unencrypted|login)?[ ]?password"
    r"|\bpassword[ ]?=[ ]?password)(?:[ ]|[ ]?[(])[ ]?N?" + _QUOTED
)
_CRYPTED = r"(?i:\bcrypt|gen_hash|password|old_password|pgp_sym_encrypt|aes_encrypt|hashbytes)[(][ ]?N?(?:'\w{2,10}'[ ]?,[ ]?)?N?" + _QUOTED
COMMAND_ANCHORS = tuple(
    dict.fromkeys(
        [*(name.split()[0].lower() for command in COMMANDS for name in command.names if len(name) > 3), "7z", "echo", "printf"]
    )
)
SQL_ANCHORS = ("identified", "crypt(", "password(", "encrypt(")
_ADDRESSES = (
    r"://(?P<user>[^\s/:@?#\[\"'<>`]*+):(?P<secret>[^\s/\"'<>`]+)@(?=[\w\[({$%])",
    r"(?<![\w.\[-])(?P<user>[\w.-]{1,64}):(?P<secret>[^\s:/\"'<>`]{1,128})@(?:tcp|unix)\(",
)
_LOGIN_ADDRESS = r"://(?P<secret>[^\s/:@?#\[\"'<>`]{12,512}+)@(?=[\w\[({$%])"


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a URL or DSN carries a password beside its user, or a token instead of one."""
    for source in _ADDRESSES:
        for match in _pattern(source).finditer(text):
            value = without_markers(match["secret"])
            if value and value != match["user"] and not stands_for_password(value):
                yield *match.span("secret"), "url-password"
    for match in _pattern(_LOGIN_ADDRESS).finditer(text):
        value = without_markers(match["secret"])
        if looks_random(value) or (len(value) >= 32 and is_secret(value, "token", Form.TIGHT)):
            yield *match.span("secret"), "url-password"


def in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a command is given a secret by a short option, by its place or through a pipe."""
    for command in COMMANDS:
        names = [name for name in command.names if name in text]
        for match in _pattern(_source(tuple(names), command)).finditer(text) if names else ():
            if is_secret(without_markers(match["secret"]), "password", Form.SETTING):
                yield *match.span("secret"), "command-password"
    for match in _pattern(_PIPED).finditer(text) if "|" in text else ():
        group = "quoted" if match["quoted"] else "bare"
        if _pattern(_TAKES_SECRETS).search(match["program"]) and is_secret(match[group], "password", Form.SETTING):
            yield *match.span(group), "command-password"


def _source(names: tuple[str, ...], command: Command) -> str:
    named = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    between = r"[^\n|;]{0,200}?[ ]" if command.anywhere else r"[ ]+"
    return rf"(?<![\w])(?:{named})[\w.-]{{0,12}}{between}(?:{command.until}){command.value}"


def in_sql(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a statement sets a password."""
    for source in (_SQL, _CRYPTED):
        for match in _pattern(source).finditer(text):
            if is_secret(without_markers(match["secret"]), "password", Form.QUOTED):
                yield *match.span("secret"), "password"


#: Parts of an address that open something by themselves.
_LINKS = (
    r"/(?i:reset|invite|invitation|magic|magic-link|verify|confirm|activate|share|join|unsubscribe|private|token|secret|(?:\w{1,12}_)?hooks?|webhooks?)"
    r"[/-](?P<secret>[\w-]{20,})(?![\w.-])",
    r"(?:alchemy\.com|infura\.io|quiknode\.pro|ankr\.com)/(?:[\w-]{1,20}/){0,2}(?P<secret>[\w-]{24,})",
    r"[?&](?i:key|code|auth|sig|signature|apikey|app_?id|secret|pwd|t|k)=(?P<secret>[\w-]{10,})",
)


def in_links(text: str) -> Iterator[tuple[int, int, str]]:
    """Where an address opens something to everybody who has it."""
    for source in _LINKS:
        for match in _pattern(source).finditer(text):
            if looks_issued(match["secret"]) or _pattern(r"(?=.*[a-f])(?=.*\d)[0-9a-f]{20,}").fullmatch(match["secret"]):
                yield *match.span("secret"), "url-password"
