"""Find secrets on a command line: `zip -P …`, `aws configure set aws_secret_access_key …`, `echo … | docker login`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.model.record import NamedTuple
from memory_layer.text.regex import ascii_regex
from memory_layer.text.secrets.values import Form, is_secret, without_markers

_SECRET = r"[\"'`]?(?P<secret>[^\s\"'`|;<>]{3,512})"

#: No program in a text without any of these takes a secret by an option.
_OPTION = (
    r"\s(?:-[pPwaktuUNAXcbs]|--(?:user|auth|proxy|creds|src|dest|body|pass|api)|-(?:ApiKey|token|storepass|keypass)"
    r"|/[pu])|ConvertTo|sqlplus|[mx]pdp|mysqladmin|(?i:auth)[ ]"
)
#: Passes a secret to a program through a pipe.
_PIPE = (
    r"\b(?:echo|printf)[ ](?:-n[ ]|-e[ ]|[\"']%s(?:\\n)?[\"'][ ])?"
    r"(?:[\"'](?P<quoted>[^\"'\n|]{3,256})[\"']|(?P<bare>[^\s\"'|;]{3,256}))[ ]?\|[ ]?(?P<program>[^\n|;]{0,200})"
)
_TAKES_SECRETS = (
    r"--password-stdin|--stdin|sudo[ ](?:-\w+[ ])*-\w*S\b|\bpasswd\b|chpasswd|login|auth|--with-token|--passphrase-fd"
    r"|secrets?[ ](?:versions[ ])?(?:create|put|set|add)|cryptsetup|gpg\b|openssl|vault|kinit|smbpasswd|age\b"
    r"|base64\b(?![ ]+(?:-[dD]|--decode))"
)


class SecretCommand(NamedTuple):
    """Programs, and the pattern between their name and the secret."""

    names: tuple[str, ...]
    until: str
    value: str = _SECRET
    anywhere: bool = True  #: allow other arguments before the secret


def _by_option(names: str, until: str, value: str = _SECRET) -> SecretCommand:
    """Describe a program that takes a secret by an option."""
    return SecretCommand(tuple(names.split(",")), until, value)


def _by_position(names: str, until: str = "", value: str = _SECRET) -> SecretCommand:
    """Describe a program that takes a secret as an argument right after its name."""
    return SecretCommand(tuple(names.split(",")), until, value, anywhere=False)


#: Programs that take a secret by a short option or by position.
COMMANDS: tuple[SecretCommand, ...] = (
    _by_option("curl,wget,http", r"(?:-u|--user|--proxy-user|-a|--auth)[ =]?[\"']?[^\s:\"']{1,64}:"),
    _by_option("mysql,mariadb,mongo,7z,7za,unrar", "-p", r"[\"']?(?P<secret>[^\s\"'`-][^\s\"'`]{3,128})"),
    _by_option("mongo,mongosh,twine,sshpass,cypher-shell,cqlsh,rdesktop,login,az,isql,beeline", "-p[ =]"),
    _by_option("zip,unzip,sqlcmd,bcp,ipmitool,mosquitto_pub,mosquitto_sub,tsql", "-P[ ]?"),
    _by_option("ldapsearch,ldapadd,ldapmodify,ldapwhoami,ldappasswd", "-w[ ]?"),
    _by_option("redis-cli,keydb-cli,valkey-cli", "(?:-a|--pass|(?i:auth))[ ]"),
    _by_option("openssl", "(?:-passin|-passout|-pass)[ ]pass:|(?:-k|-pass)[ ]"),
    _by_option("smbclient", r"-U[ ]?[\"']?[\w.\\/@-]{1,64}%"),
    _by_option("xfreerdp,wfreerdp", "/p:"),
    _by_option("lftp", r"-u[ ]?[\"']?[^\s,\"']{1,64},"),
    _by_option("skopeo,buildah", r"--(?:src-|dest-)?creds[ =][\"']?[^\s:\"']{1,64}:"),
    _by_option("keytool,jarsigner,apksigner", "-(?:storepass|keypass|srcstorepass|deststorepass)[ ]"),
    _by_option("snmpget,snmpwalk", "-[AXc][ ]"),
    _by_option("ssh-keygen", "-[NP][ ]"),
    _by_option("mysqladmin", "password[ ]"),
    _by_option("net use", r"/user:[^\s]{1,64}[ ]|[\\][^\s]{1,128}[ ](?=[^\s/]{6,}[ ]/user:)"),
    _by_option("nuget,choco push", "(?:-k|-ApiKey|--api-key)[ ]"),
    _by_option(
        "codecov,firebase,doctl,vercel,drone,argocd,consul,nomad,sentry-cli", "(?:-t|-token|--auth-token)[ =]"
    ),
    _by_option("gh secret set", "(?:-b|--body)[ =]"),
    _by_option("sqlplus,expdp,impdp", r"(?:-\w+[ ])?\w{1,40}/", r"[\"']?(?P<secret>[^\s\"'`@/]{4,128})(?=@)"),
    _by_option("ConvertTo-SecureString", "(?:-String[ ])?(?=[\"'])"),
    _by_position("send", r"(?=[\"'][^\"'\n]{4,64}\\[rn])", r"[\"'](?P<secret>[^\s\"'`\\]{4,64})"),
    _by_position("htpasswd", r"-\w{0,6}b\w{0,6}[ ][^\s]{1,128}[ ][^\s]{1,64}[ ]"),
    _by_position("rabbitmqctl", r"(?:add_user|change_password)[ ][^\s]{1,64}[ ]"),
    _by_position(
        "set-initial-password,wandb login,snyk auth,vault login,cargo login,authtoken,add-authtoken"
    ),
    _by_position("rclone obscure,requirepass,masterauth"),
    _by_position("wpa_passphrase", r"[^\s]{1,64}[ ]"),
    _by_position("configure set", r"(?i:[\w.-]{0,40}(?:secret|token|password|key))[ =]"),
    _by_position("mc alias set", r"[^\s]{1,40}[ ][^\s]{1,200}[ ][^\s]{1,64}[ ]"),
    _by_position("login", r"[^\s]{1,80}\s+password\s+"),
    _by_position("bundle config", r"[^\s]{1,80}[ ][\w.@-]{1,40}:"),
    _by_position(
        "http-basic.,npm config set,yarn config set,poetry config",
        r"(?=[^\n]{0,60}(?i:auth|token|basic))[^\s]{1,80}[ =](?:[\w.@-]{1,40}[ ])?",
    ),
)
_BY_POSITION = tuple(command for command in COMMANDS if not command.anywhere)


@cache
def _source(command: SecretCommand) -> str:
    named = "|".join(map(re.escape, sorted(command.names, key=len, reverse=True)))
    between = r"[^\n|;]{0,200}?[ ]" if command.anywhere else r"[ ]+"
    return rf"(?<!\w)(?:{named})[\w.-]{{0,60}}{between}(?:{command.until}){command.value}"


def in_commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Find secrets that a command takes by a short option, by position or through a pipe."""
    has_option = ascii_regex(_OPTION).search(text)
    for command in COMMANDS if has_option else _BY_POSITION:
        if any(map(text.__contains__, command.names)):
            for match in ascii_regex(_source(command)).finditer(text):
                if is_secret(without_markers(match["secret"]), "password", Form.SETTING):
                    yield *match.span("secret"), "command-password"
    for match in ascii_regex(_PIPE).finditer(text) if "|" in text else ():
        group = "quoted" if match["quoted"] else "bare"
        takes_secret = ascii_regex(_TAKES_SECRETS).search(match["program"])
        if takes_secret and is_secret(without_markers(match[group]), "password", Form.SETTING):
            yield *match.span(group), "command-password"
