"""The record of a token format, its checks, and the formats of lesser services, hashes and JSON keys."""

from __future__ import annotations

import re
from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Callable

from memory_layer.model.record import NamedTuple
from memory_layer.text.secrets.redact import TOKEN_LENGTH

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
#: Prefixes of tokens before an underscore, and before a dash.
_UNDERSCORED = tuple(
    """
    sgp slk bkua bkct phx phs pnu pnb rnd rdme napi vcp vck tfp aio dbtc dbtu ddp ddw jina esecret gitea figo e2b
    waka apify_api sm_aat sm_pat
    """.split()
)
_DASHED = tuple("cfpat nvapi csk tvly sk-lf fio-u flwseck flwseck_test ico perm".split())
#: Parts in the middle of tokens of any service.
_MARKED = tuple(f"_{part}_" for part in "live test prod pat sk secret token key api oauth".split())
_HASH = r"[^\s\"'`;:]{20,}"


def is_varied(value: str) -> bool:
    """Return False for a row of x, dots or zeros in place of a secret."""
    return len(set(value)) >= 6 and "xxxx" not in value.lower()


def is_alphanumeric(value: str) -> bool:
    """Require a digit and a letter, which words that happen to share a prefix rarely have."""
    return is_varied(value) and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def is_mixed_case(value: str) -> bool:
    """Require digits, capitals and small letters."""
    return is_alphanumeric(value) and any(c.isupper() for c in value) and any(c.islower() for c in value)


def is_generated(value: str) -> bool:
    """Require a random run at the end, after a prefix that identifies it."""
    body = re.split(r"[_.:~$-]", value)[-1]
    random = is_mixed_case(body) or (len(body) >= 24 and is_alphanumeric(body))
    return random and is_alphanumeric(value) and not re.search(r"[A-Za-z][a-z]{7}", body)


def is_encoded_key(value: str) -> bool:
    """Require base64 of the header of a private key."""
    try:
        return b"PRIVATE KEY" in a2b_base64(value[:96])
    except NotBase64:
        return False


def is_key_id(value: str) -> bool:
    """Require the form of an AWS key id, not of a word in capitals."""
    return is_varied(value) and (value.startswith("AKIA") or is_alphanumeric(value))


def is_armoured(value: str) -> bool:
    """Require enough base64 for a key, since some texts only mention the header."""
    return re.search(r"[A-Za-z0-9+/]{24}", value) is not None


def is_user_and_password(value: str) -> bool:
    """Require base64 of a user and a password."""
    try:
        return b":" in a2b_base64(value + "=" * (-len(value) % 4))
    except NotBase64:
        return False


def is_session(value: str) -> bool:
    """Require a cookie with a value that looks generated."""
    pairs = (part.partition("=")[2].strip() for part in value.split(";"))
    return any(len(part) >= 16 and " " not in part and is_alphanumeric(part) for part in pairs)


class SecretFormat(NamedTuple):
    """A format in which secrets are written."""

    kind: str
    anchors: tuple[str, ...]  #: a text without any has no such secret; capitals match as written
    pattern: str  #: the group `secret` is redacted, or else the whole match
    check: Callable[[str], bool] = is_varied
    length: int = TOKEN_LENGTH  #: the shortest run without white space in a text that has one
    touching: bool = False  #: found even next to a letter or digit, since its prefix is distinctive


SERVICES: tuple[SecretFormat, ...] = (
    SecretFormat(
        "vault-token",
        ("s.", "b.", "r."),
        r"(?<![\w./-])[sbr]\.[A-Za-z0-9]{24}(?![\w.(-])",
        is_mixed_case,
        length=26,
    ),
    SecretFormat(
        "mapbox-token", ("sk.eyj", "tk.eyj"), r"(?<![\w.])[st]k\.eyJ[\w-]{20,}\.[\w-]{16,}", is_alphanumeric
    ),
    SecretFormat(
        "service-token",
        tuple(f"{start}_" for start in _UNDERSCORED),
        rf"(?:{'|'.join(_UNDERSCORED)})_[A-Za-z0-9_-]{{16,}}",
        is_generated,
    ),
    SecretFormat(
        "service-token",
        (*(f"{start}-" for start in _DASHED), "perm:"),
        rf"(?i:{'|'.join(_DASHED)})[-:][\w.=-]{{16,}}",
        is_generated,
    ),
    SecretFormat(
        "service-token",
        ("pat-na1-", "pat-eu1-", "access-production-", "access-sandbox-", "sdk-", "access_token$"),
        r"(?:pat-(?:na|eu)\d-|access-(?:production|sandbox)-|sdk-|access_token\$\w{4,12}\$\w{8,40}\$)"
        rf"(?:{_UUID}|[0-9a-f]{{32}})",
        is_alphanumeric,
        length=36,
    ),
    SecretFormat(
        "service-token",
        ("sha256~", "wpl_ap1.", "sl.u.", "LTAI", "EZAK", "EZTK", "AQVN", "y0_Ag", "IGQ"),
        r"(?:sha256~[\w-]{40,}|WPL_AP1\.[\w.]{14,}={0,2}|sl\.u\.[\w-]{60,}|LTAI[A-Za-z0-9]{16,20}"
        r"|EZ[AT]K[A-Za-z0-9]{54}|AQVN[\w-]{35,38}|y0_Ag[\w-]{50,}|IGQ[\w-]{80,})",
        is_alphanumeric,
    ),
    SecretFormat(
        "service-token",
        ("ck_", "cs_", "::server:"),
        r"c[ks]_[0-9a-f]{40}|K10[0-9a-f]{64}::server:[0-9a-f]{32}",
        is_alphanumeric,
    ),
    SecretFormat(
        "service-token",
        _MARKED,
        rf"(?![a-z0-9]{{0,14}}[rsp]k_(?:live|test)_)[a-z][a-z0-9]{{1,14}}(?:{'|'.join(_MARKED)})[A-Za-z0-9]{{16,}}",
        is_generated,
    ),
    SecretFormat(
        "service-token",
        ("rgapi-", "geniekey"),
        rf"(?:(?<=RGAPI-)|(?<=GenieKey[ ]))(?P<secret>{_UUID})",
        length=30,
    ),
    SecretFormat(
        "service-token",
        ("1/",),
        r"(?<![\w/])[012]/\d{12,18}:(?P<secret>[0-9a-f]{32})(?!\w)",
        is_alphanumeric,
        length=40,
    ),
    SecretFormat(
        "private-key",
        ("LS0tLS1CRUdJTi",),
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/\n\\]{60,}={0,2}",
        is_encoded_key,
        length=60,
    ),
    SecretFormat(
        "private-key", ('"kty"',), r'"d"\s{0,4}:\s{0,4}"(?P<secret>[\w-]{32,})"', is_varied, length=8
    ),
    SecretFormat(
        "gcp-service-account-key",
        ("private_key_id",),
        r'"private_key_id\\{0,4}"\s{0,8}:\s{0,8}\\{0,4}"(?P<secret>[0-9a-f]{40})',
    ),
    SecretFormat(
        "password-hash",
        ("$",),
        rf"(?P<secret>(?<![\w$])\$(?:1|5|6|7|y|2[abxy]|apr1|argon2[id]{{1,2}}|scrypt)\${_HASH}"
        rf"|(?<=pbkdf2_sha256\$)\d{{3,8}}\${_HASH}|(?<=pbkdf2:sha256:)\d{{3,8}}\${_HASH})",
        is_alphanumeric,
        length=24,
    ),
    SecretFormat(
        "password-hash", ("*",), r"(?<![\w*])(?P<secret>\*[0-9A-F]{40})(?!\w)", is_alphanumeric, length=41
    ),
    SecretFormat(
        "password-hash",
        ("sha}",),
        r"\{S?SHA(?:256|512)?\}(?P<secret>[A-Za-z0-9+/]{27,}={0,2})",
        is_alphanumeric,
    ),
    SecretFormat(
        "password-hash", (":::",), r"[0-9a-f]{32}:(?P<secret>[0-9a-f]{32}):::", is_alphanumeric, length=60
    ),
    SecretFormat(
        "password",
        (":5432:", ":3306:", ":1433:", ":*:"),
        r"(?<![\w./-])[\w.*-]{1,64}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<secret>[^\s:\"']{6,128})",
        is_alphanumeric,
        length=16,
    ),
    SecretFormat(
        "password",
        ("password",),
        r"(?i:app(?:-specific)?[ -]password)[^\n]{0,60}?(?P<secret>\b(?:[a-z]{4}[ -]){3}[a-z]{4}\b)",
        length=4,
    ),
)
