"""Secrets on a command line: `zip -P …`, `aws configure set aws_secret_access_key …`, `echo … | docker login`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.model.record import NamedTuple
from memory_layer.text.secrets.values import Form, is_secret, without_markers

_SECRET = r"[\"'`]?(?P<secret>[^\s\"'`|;<>]{3,512})"


#: A text without any of these gives no program an option that takes a secret.
_WITH_OPTIONS = (
    r"\s(?:-[pPwaktuUNAXcbs]|--(?:user|auth|proxy|creds|src|dest|body|pass|api)|-(?:ApiKey|token|storepass|keypass)"
    r"|/[pu])|ConvertTo|sqlplus|[mx]pdp|mysqladmin|(?i:auth)[ ]"
)
#: What hands a secret to a program through a pipe.
_PIPED = (
    r"\b(?:echo|printf)[ ](?:-n[ ]|-e[ ]|[\"']%s(?:\\n)?[\"'][ ])?"
    r"(?:[\"'](?P<quoted>[^\"'\n|]{3,256})[\"']|(?P<bare>[^\s\"'|;]{3,256}))[ ]?\|[ ]?(?P<program>[^\n|;]{0,200})"
)
_TAKES_SECRETS = (
    r"--password-stdin|--stdin|sudo[ ](?:-\w+[ ])*-\w*S\b|\bpasswd\b|chpasswd|login|auth|--with-token|--passphrase-fd"
    r"|secrets?[ ](?:versions[ ])?(?:create|put|set|add)|cryptsetup|gpg\b|openssl|vault|kinit|smbpasswd|age\b"
    r"|base64\b(?![ ]+(?:-[dD]|--decode))"
)


class SecretCommand(NamedTuple):
    """Programs, and the pattern of what stands between their name and the secret they are given."""

    names: tuple[str, ...]
    until: str
    value: str = _SECRET
    anywhere: bool = True  #: other arguments may come between


def _given(names: str, until: str, value: str = _SECRET) -> SecretCommand:
    """A program that takes a secret by an option."""
    return SecretCommand(tuple(names.split(",")), until, value)


def _placed(names: str, until: str = "", value: str = _SECRET) -> SecretCommand:
    """A program that takes a secret by its place, right behind its name."""
    return SecretCommand(tuple(names.split(",")), until, value, anywhere=False)


#: Programs that take a secret by a short option or by its place; a text that names none of them is passed over.
COMMANDS: tuple[SecretCommand, ...] = (
    _given("curl,wget,http", r"(?:-u|--user|--proxy-user|-a|--auth)[ =]?[\"']?[^\s:\"']{1,64}:"),
    _given("mysql,mariadb,mongo,7z,7za,unrar", "-p", r"[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,128})"),
    _given("mongo,mongosh,twine,sshpass,cypher-shell,cqlsh,rdesktop,login,az,isql,beeline", "-p[ =]"),
    _given("zip,unzip,sqlcmd,bcp,ipmitool,mosquitto_pub,mosquitto_sub,tsql", "-P[ ]?"),
    _given("ldapsearch,ldapadd,ldapmodify,ldapwhoami,ldappasswd", "-w[ ]?"),
    _given("redis-cli,keydb-cli,valkey-cli", "(?:-a|--pass|(?i:auth))[ ]"),
    _given("openssl", "(?:-passin|-passout|-pass)[ ]pass:|(?:-k|-pass)[ ]"),
    _given("smbclient", r"-U[ ]?[\"']?[\w.\\/@-]{1,64}%"),
    _given("xfreerdp,wfreerdp", "/p:"),
    _given("lftp", r"-u[ ]?[\"']?[^\s,\"']{1,64},"),
    _given("skopeo,buildah", r"--(?:src-|dest-)?creds[ =][\"']?[^\s:\"']{1,64}:"),
    _given("keytool,jarsigner,apksigner", "-(?:storepass|keypass|srcstorepass|deststorepass)[ ]"),
    _given("snmpget,snmpwalk", "-[AXc][ ]"),
    _given("ssh-keygen", "-[NP][ ]"),
    _given("mysqladmin", "password[ ]"),
    _given("net use", r"/user:[^\s]{1,64}[ ]|[\\][^\s]{1,128}[ ](?=[^\s/]{6,}[ ]/user:)"),
    _given("nuget,choco push", "(?:-k|-ApiKey|--api-key)[ ]"),
    _given(
        "codecov,firebase,doctl,vercel,drone,argocd,consul,nomad,sentry-cli", "(?:-t|-token|--auth-token)[ =]"
    ),
    _given("gh secret set", "(?:-b|--body)[ =]"),
    _given("sqlplus,expdp,impdp", r"(?:-\w+[ ])?\w{1,40}/", r"[\"']?(?P<secret>[^\s\"'`@/]{4,128})(?=@)"),
    _given("ConvertTo-SecureString", "(?:-String[ ])?(?=[\"'])"),
    _placed("send", r"(?=[\"'][^\"'\n]{4,64}\\[rn])", r"[\"'](?P<secret>[^\s\"'`\\]{4,64})"),
    _placed("htpasswd", r"-\w{0,6}b\w{0,6}[ ][^\s]{1,128}[ ][^\s]{1,64}[ ]"),
    _placed("rabbitmqctl", r"(?:add_user|change_password)[ ][^\s]{1,64}[ ]"),
    _placed("set-initial-password,wandb login,snyk auth,vault login,cargo login,authtoken,add-authtoken"),
    _placed("rclone obscure,requirepass,masterauth"),
    _placed("wpa_passphrase", r"[^\s]{1,64}[ ]"),
    _placed("configure set", r"(?i:[\w.-]{0,40}(?:secret|token|password|key))[ =]"),
    _placed("mc alias set", r"[^\s]{1,40}[ ][^\s]{1,200}[ ][^\s]{1,64}[ ]"),
    _placed("login", r"[^\s]{1,80}\s+password\s+"),
    _placed("bundle config", r"[^\s]{1,80}[ ][\w.@-]{1,40}:"),
    _placed(
        "http-basic.,npm config set,yarn config set,poetry config",
        r"(?=[^\n]{0,60}(?i:auth|token|basic))[^\s]{1,80}[ =](?:[\w.@-]{1,40}[ ])?",
    ),
)
_PLACED = tuple(command for command in COMMANDS if not command.anywhere)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


@cache
def _source(command: SecretCommand) -> str:
    named = "|".join(map(re.escape, sorted(command.names, key=len, reverse=True)))
    between = r"[^\n|;]{0,200}?[ ]" if command.anywhere else r"[ ]+"
    return rf"(?<!\w)(?:{named})[\w.-]{{0,60}}{between}(?:{command.until}){command.value}"


def in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a command is given a secret by a short option, by its place or through a pipe."""
    optional = _pattern(_WITH_OPTIONS).search(text)
    for command in COMMANDS if optional else _PLACED:
        if any(map(text.__contains__, command.names)):
            for match in _pattern(_source(command)).finditer(text):
                if is_secret(without_markers(match["secret"]), "password", Form.SETTING):
                    yield *match.span("secret"), "command-password"
    for match in _pattern(_PIPED).finditer(text) if "|" in text else ():
        group = "quoted" if match["quoted"] else "bare"
        taken = _pattern(_TAKES_SECRETS).search(match["program"])
        if taken and is_secret(without_markers(match[group]), "password", Form.SETTING):
            yield *match.span(group), "command-password"
