"""Secrets in addresses: `postgres://user:…@host`, `https://…@host`, links that open something by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memory_layer.text.secrets.secret_looks import looks_issued, looks_random
from memory_layer.text.secrets.values import Form, is_secret, stands_for_password, without_markers

_WITH_USER = (
    r"://(?P<user>[^\s/:@?#\[\"'<>`]*+):(?P<secret>[^\s/\"'<>`]+)@(?=[\w\[({$%])",
    r"(?<![\w.\[-])(?P<user>[\w.-]{1,64}):(?P<secret>[^\s:/\"'<>`]{1,128})@(?:tcp|unix)\(",
)
_ALONE = r"://(?P<secret>[^\s/:@?#\[\"'<>`]{12,512}+)@(?=[\w\[({$%])"
#: Parts of an address that open something to everybody who has it.
_LINKS = (
    r"/(?i:reset|invite|invitation|magic|magic-link|verify|confirm|activate|share|join|unsubscribe|private|token"
    r"|secret|(?:\w{1,12}_)?hooks?|webhooks?)[/-](?P<secret>[\w-]{20,})(?![\w.-])",
    r"(?:alchemy\.com|infura\.io|quiknode\.pro|ankr\.com)/(?:[\w-]{1,20}/){0,2}(?P<secret>[\w-]{24,})",
    r"[?&](?i:key|code|auth|sig|(?:x-(?:amz|goog)-)?signature|apikey|app_?id|secret|pwd|t|k)=(?P<secret>[\w-]{10,})",
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


def in_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a URL or DSN carries a password beside its user, or a token instead of one."""
    for source in _WITH_USER:
        for match in _pattern(source).finditer(text):
            value = without_markers(match["secret"])
            if len(value) > 3 and value != match["user"] and not stands_for_password(value):
                yield *match.span("secret"), "url-password"
    for match in _pattern(_ALONE).finditer(text):
        value = without_markers(match["secret"])
        if looks_random(value) or (len(value) >= 32 and is_secret(value, "token", Form.TIGHT)):
            yield *match.span("secret"), "url-password"


def in_links(text: str) -> Iterator[tuple[int, int, str]]:
    """Where an address opens something by itself."""
    for source in _LINKS:
        for match in _pattern(source).finditer(text):
            value = match["secret"]
            if looks_issued(value) or _pattern(r"(?=.*[a-f])(?=.*\d)[0-9a-f]{20,}").fullmatch(value):
                yield *match.span("secret"), "url-password"
