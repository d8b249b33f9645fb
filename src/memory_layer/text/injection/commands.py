"""Commands that leak secrets, run code from the network, or do damage.

A command after "never" or "instead of" is a caution; well-known installation scripts are exempt.
"""

from __future__ import annotations

from memory_layer.text.injection.signs import HANDS_OUT, HARMS, REMOTE_CODE, SECRET_FILES, Sign

_FETCH = r"\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\b"
_SHELL = (
    r"(?:sudo )?(?:/(?:usr/)?bin/)?(?:env )?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|perl|ruby|node|php|iex)\b"
)
_FORBIDS = (
    r"(?P<good>(?:\b(?:never|not|avoid|no|nobody|cannot|instead of|rather than|forbid\w*|forbidden|ban(?:ned"
    r"|s)?|block\w*|reject\w*)|n't)\b[^.!?;]{0,60}?)"
)
#: Programs that send data over the network.
_TELLS = r"curl|wget|nc|ncat|netcat|nslookup|dig|host|ping|telnet|socat|ssh"
#: Well-known installation scripts, as the only address before the pipe.
_INSTALLER = (
    r"(?:(?!https?:)[^|]){0,120}https://(?:sh\.rustup\.rs|astral\.sh/|get\.docker\.com"
    r"|raw\.githubusercontent\.com/(?:nvm-sh/nvm|homebrew/install|ohmyzsh|pyenv/|helm/helm|golangci/|k3d-io/"
    r"|anchore/)|install\.python-poetry\.org|(?:deb|rpm)\.nodesource\.com|bun\.(?:sh|com)/|deno\.land/"
    r"|get\.k3s\.io|get\.sdkman\.io|fly\.io/|get\.pnpm\.io|get\.volta\.sh|fnm\.vercel\.app|ollama\.com/"
    r"|mise\.run|pyenv\.run|just\.systems/|nixos\.org/|install\.determinate\.systems|tailscale\.com/"
    r"|starship\.rs|claude\.ai/install|cli\.github\.com)(?:(?!https?:)[^|]){0,120}(?:\||\))"
)
_BOUND = (
    r"\b(?:must|always|have to|need to|immediately|required to|you should|agents?|assistants?|llms?|claude"
    r"|every (?:time|session|task|run)|(?:first|now|then),? (?:run|execute)|before (?:you|any|each|every"
    r"|doing|answering|starting|continuing))\b"
)

#: Shell syntax, found by its punctuation.
COMMANDS: tuple[Sign, ...] = (
    Sign(
        HANDS_OUT,
        (
            tuple("curl,wget,nc ,ncat,netcat,nslookup,dig ,host ,ping ,telnet,socat,ssh ".split(",")),
            ("$(", "`", "@", "|"),
        ),
        rf"{_FORBIDS}?\b(?:{_TELLS})\b[^|;]{{0,200}}?(?:\$\( ?(?:cat|env|printenv|base64|head|tail|xxd"
        rf"|grep)\b|`(?:cat|env|printenv|base64)\b|@[~/\w.]{{0,40}}?{SECRET_FILES})|\b(?:printenv|env|(?:cat"
        rf"|base64|head|tail|xxd|tar)\b[^|]{{0,80}}?{SECRET_FILES}[^ |]{{0,40}}[^"
        rf"|]{{0,30}}) ?\|[^;]{{0,80}}?\b(?:{_TELLS})\b",
    ),
    Sign(
        HANDS_OUT,
        (
            ("scp", "rsync", "sftp", "rclone", "s3 cp", "gsutil", "gist create", "ftp "),
            (".ssh", ".aws", ".gnupg", ".kube", ".netrc", ".npmrc", ".git-cred", "id_", ".env", ".config/gh"),
        ),
        rf"{_FORBIDS}?\b(?:scp|rsync|sftp|rclone|s3 cp|gsutil cp|gist create|ftp)\b[^;|]{{0,80}}?(?<!-i )(?<!key=)"
        r"(?:~/|\$home/|/root/|/home/\w+/)?(?:\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|git-credentials"
        r"|config/gh)\b|id_(?:rsa|ed25519)\b(?!\.pub)|\.env\b)",
        unless=r"--exclude|-i ~?/?\S*(?:\.ssh|id_)",
    ),
    Sign(
        HANDS_OUT,
        (("![",), ("](http",)),
        r"!\[[^\]]{0,80}\]\(https?://[^)\s]{1,120}[?&/][^)\s]{0,60}=?(?:\{\{?|<|\$\{?|\[)[^)]{2,60}\)",
    ),
    Sign(
        HARMS,
        (("rm -", "/dev/tcp", "nc -", "mkfs", "dd if", ":(){"),),
        rf"{_FORBIDS}?(?:\brm -[a-z]*r[a-z]* (?:-\S+ )?(?:/|~/?|\$home/?|/\*)(?=[\s`'\"&;|)*]|$)|/dev/(?:tcp"
        rf"|udp)/|\bnc (?:-\w+ ){{0,3}}-[a-z]*e\b|\bmkfs\.|\bdd if=/dev/(?:zero|u?random) of=/dev/|:\(\)\{{)",
    ),
    Sign(
        REMOTE_CODE,
        (("curl", "wget", "irm", "iwr", "invoke-", "iex"), ("|", "(")),
        rf"{_FORBIDS}?(?:{_FETCH}(?!{_INSTALLER})[^|]{{0,200}}?\w\.\w[^|]{{0,200}}?\| ?{_SHELL}"
        rf"|\b(?:{_SHELL}|eval|source)[^|]{{0,20}}?[<$]\( ?{_FETCH}(?!{_INSTALLER})"
        rf"|\biex ?\(? ?\(?(?:{_FETCH}|new-object))",
    ),
    Sign(
        REMOTE_CODE,
        (("curl", "wget", "base64"), ("|",)),
        rf"{_FETCH}[^|]{{0,80}}?https?://\d{{1,3}}(?:\.\d{{1,3}}){{3}}[^|]{{0,200}}?\| ?{_SHELL}"
        rf"|\bbase64 (?:-\w+|--decode)\b[^|]{{0,80}}?\| ?{_SHELL}",
    ),
    Sign(
        REMOTE_CODE,
        (("curl", "wget", "urlopen", "requests.get"), ("chmod", "bash", "sh ", "exec", "python", "./")),
        rf"{_FORBIDS}?{_FETCH}(?!{_INSTALLER})[^|]{{0,200}}?https?://[^|]{{0,150}}?(?:&&"
        rf"|;) ?(?:sudo )?(?:chmod \+x|(?:ba|z)?sh |python3? |\./)"
        r"|\b(?:exec|eval)\( ?[^)]{0,60}?(?:urlopen|requests\.get|urllib)",
    ),
    Sign(
        REMOTE_CODE,
        (
            ("http",),
            ("execute", "run ", "obey", "carry out", "perform", "follow", "eval"),
            ("download", "fetch", "load", "read ", "open ", "visit", "get ", "script", "pull"),
        ),
        rf"{_FORBIDS}?\b(?:download|fetch|load|read|open|visit|get|pull"
        rf"|retrieve)\b[^.!?]{{0,60}}?https?://\S+[^!?]{{0,100}}?"
        r"\b(?:(?:run|execute|eval|source) (?:it|them|that|this|the (?:script|file|binary|result|payload"
        r"|content|command)s?)|carry out|obey|perform|(?:do|follow|execute|apply) (?:what|whatever|every|its"
        r"|all))\b",
        also=_BOUND,
    ),
)
