"""Split a text into sentences of tokens, with idioms for a negation or a limit spelled out.

Also the word lists of the comparison: opposites, known names, units, verbs, negations.
"""

from __future__ import annotations

import re
import unicodedata

from memory_layer.text.porter import stem
from memory_layer.text.words import STOP_WORDS

#: Prefixes that negate a word.
NEGATIVE_PREFIXES = ("un", "in", "im", "non", "dis", "de", "ir", "il", "mis")
#: Mutually exclusive values: naming another one of the same line is a different statement.
OPPOSED: dict[str, tuple[str, ...]] = {
    "environment": (
        "staging stage preprod", "production prod", "development dev", "test testing", "qa", "sandbox",
        "preview",
        "local localhost", "canary", "uat",
    ),
    "order in time": ("before prior", "after afterwards", "during"),
    "first or last": ("first", "last final", "second", "third"),
    "direction": ("up", "down"),
    "side": ("left", "right"),
    "edge": ("top", "bottom"),
    "axis": ("horizontal", "vertical"),
    "order of sorting": ("ascending asc", "descending desc"),
    "change of size": ("increase raise grow", "decrease reduce lower shrink"),
    "limit": ("minimum min least atleast", "maximum max most atmost"),
    "comparison": (
        "above more greater larger higher longer over", "below less fewer smaller lower shorter under",
    ),
    "speed": ("fast faster", "slow slower"),
    "size": ("large big", "small little"),
    "level": ("high", "low", "medium"),
    "age": ("old older legacy", "new newer"),
    "moment": ("early earlier", "late later"),
    "add or remove": ("add added append insert", "remove delete drop"),
    "open or close": ("open", "close closed"),
    "lock": ("lock locked", "unlock unlocked"),
    "install": ("install", "uninstall"),
    "import or export": ("import", "export"),
    "upload or download": ("upload", "download"),
    "push or pull": ("push", "pull"),
    "send or receive": ("send", "receive"),
    "encode or decode": ("encode", "decode"),
    "encrypt or decrypt": ("encrypt", "decrypt"),
    "read or write": ("read", "write"),
    "upgrade": ("upgrade", "downgrade"),
    "input or output": ("input", "output"),
    "request or response": ("request", "response"),
    "source or target": ("source", "target destination"),
    "concurrency": ("sync synchronous synchronously", "async asynchronous asynchronously"),
    "blocking": ("blocking", "nonblocking"),
    "order of work": ("parallel", "sequential serial sequentially"),
    "side of the wire": ("client frontend", "server backend"),
    "place": ("local", "remote"),
    "inside or outside": ("internal inside", "external outside"),
    "visibility": ("public", "private", "protected"),
    "indentation": ("tabs tab", "spaces space"),
    "quotes": ("single", "double"),
    "joining branches": ("merge", "rebase", "squash"),
    "branch": ("main master trunk", "develop", "release"),
    "by hand or not": ("manual manually", "automatic automatically automated"),
    "mutability": ("mutable", "immutable"),
    "typing": ("static statically", "dynamic dynamically"),
    "strictness": ("strict", "loose lenient"),
    "count": ("single one", "multiple many several"),
    "rank": ("primary", "secondary", "replica"),
    "frequency": ("always", "sometimes", "rarely seldom", "often"),
    "interval": ("hourly", "daily nightly", "weekly", "monthly", "yearly annually"),
    "day": (
        "monday mondays", "tuesday tuesdays", "wednesday wednesdays", "thursday thursdays", "friday fridays",
        "saturday saturdays", "sunday sundays",
    ),
    "month": (
        "january jan", "february feb", "march", "april apr", "june jun", "july jul", "august aug",
        "september sept",
        "october oct", "november nov", "december dec",
    ),
    "half of the day": ("am morning", "pm evening", "noon", "midnight"),
    "colour": (
        "red", "green", "blue", "yellow", "orange", "purple", "black", "white", "grey gray", "pink", "brown",
    ),
    "theme": ("dark", "light"),
    "case": (
        "snake_case snakecase", "camelcase", "kebab-case kebabcase", "pascalcase", "lowercase", "uppercase",
    ),
    "log level": ("debug", "info", "warning", "error"),
    "layer": ("unit", "integration", "e2e"),
    "person": ("man men boy boys", "woman women girl girls"),
    "sign": ("positive", "negative"),
    "attack": ("attack", "defend"),
    "sameness": ("same", "different separate"),
    "kind of path": ("relative", "absolute"),
    "connection": ("online", "offline"),
    "time of loading": ("eager eagerly", "lazy lazily"),
    "flow": ("upstream inbound incoming ingress", "downstream outbound outgoing egress"),
    "duration": ("permanent permanently", "temporary temporarily"),
    "state": ("stateful", "stateless"),
    "shape of a system": ("monolith monolithic", "microservice microservices"),
    "part of a version": ("major", "minor", "patch"),
    "maturity": ("alpha", "beta", "stable"),
    "kin": ("parent", "child children"),
    "end": ("head", "tail"),
    "table": ("row rows", "column columns"),
    "measure": ("width", "height", "depth"),
    "parity": ("odd", "even"),
    "reach": ("global", "local"),
    "region": ("north", "south", "east", "west"),
    "way of reading": ("streaming", "batch"),
    "nullability": ("nullable", "nonnull"),
    "result": ("success", "failure"),
}  # fmt: skip
#: Names that are also written in lower case, with "=" between spellings of one name.
_NAMES = """
    python ruby rust go=golang java javascript typescript kotlin scala swift php perl elixir erlang
    haskell clojure dart
    lua julia cplusplus=c++ csharp=c# fsharp=f# dotnet=.net bash zsh fish powershell sql
    postgres=postgresql=psql mysql mariadb sqlite mongodb=mongo redis memcached cassandra dynamodb
    elasticsearch
    opensearch clickhouse duckdb snowflake bigquery oracle neo4j couchdb firestore supabase cockroachdb valkey
    kafka rabbitmq nats sqs celery sidekiq resque bullmq
    npm pnpm yarn bun deno nodejs=node.js=node pip pipx poetry uv pdm conda mamba hatch cargo maven
    gradle bazel cmake make
    just ninja composer bundler brew apt apk
    git github gitlab bitbucket svn mercurial jenkins circleci travis buildkite argocd flux
    docker podman kubernetes=k8s nomad helm terraform pulumi ansible vagrant compose swarm
    aws azure gcp gcs s3 ec2 lambda heroku vercel netlify cloudflare fly render digitalocean
    react vue=vue.js svelte angular solid preact nextjs=next.js=next nuxt remix astro gatsby redux
    zustand mobx vite webpack rollup
    esbuild parcel turbopack tailwind bootstrap sass
    django flask fastapi starlette express koa fastify nestjs rails sinatra laravel symfony spring
    pytest unittest nose jest vitest mocha jasmine cypress playwright selenium junit rspec
    ruff black flake8 pylint isort mypy pyright eslint prettier biome gofmt rustfmt clippy rubocop
    sqlalchemy alembic prisma drizzle typeorm sequelize knex hibernate pydantic zod marshmallow
    numpy pandas polars scipy torch pytorch tensorflow jax keras sklearn
    linux ubuntu debian alpine fedora windows macos=osx ios android arm x86
    nginx apache caddy traefik envoy haproxy gunicorn uvicorn
    grafana prometheus datadog sentry splunk kibana jaeger newrelic
    slack discord teams jira linear asana notion trello
    vim neovim emacs vscode intellij pycharm cursor
    openai anthropic claude gpt gemini mistral llama ollama
    json yaml=yml toml xml csv protobuf avro parquet markdown html css
    http https http2 grpc graphql rest soap websocket=websockets mqtt tcp udp ssh ftp sftp
    jwt oauth oauth2 saml ldap sso md5 sha1 sha256 sha512 bcrypt argon2 base64 utf8 utf16 ascii latin1
    ipv4 ipv6
    chrome firefox safari edge
"""
KNOWN_NAMES = {spelling: line.split("=")[0] for line in _NAMES.split() for spelling in line.split("=")}
#: The dimension and the factor of each unit.
UNITS = {
    unit: (dimension, factor)
    for dimension, factor, units in (
        ("time", 1e-6, "us µs microsecond microseconds"),
        ("time", 1e-3, "ms millisecond milliseconds"),
        ("time", 1.0, "s sec secs second seconds"),
        ("time", 60.0, "min mins minute minutes"),
        ("time", 3_600.0, "h hr hrs hour hours"),
        ("time", 86_400.0, "d day days"),
        ("time", 604_800.0, "week weeks"),
        ("time", 2_592_000.0, "month months"),
        ("time", 31_536_000.0, "year years"),
        ("size", 1.0, "b byte bytes"),
        ("size", 1e3, "kb kib kilobyte kilobytes"),
        ("size", 1e6, "mb mib megabyte megabytes"),
        ("size", 1e9, "gb gib gigabyte gigabytes"),
        ("size", 1e12, "tb tib terabyte terabytes"),
        ("share", 1.0, "% percent"),
    )
    for unit in units.split()
}
Sentence = list[str]
_GREATER = "more|longer|larger|greater|bigger|higher|later|over|above"
_SMALLER = "less|fewer|shorter|smaller|lower|earlier|under|below"
_IDIOMS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"[‘’]", "'"),
        (r"\*\*|\[[ xX]?\]|[✅✓✔]", " "),
        (r"[❌✗✘]\s*(?=(?:never|not|no|do not|don't|avoid)\b)", " "),
        (r"[❌✗✘]", " not "),
        (r"\b(?:e\.g|i\.e|etc)\b\.?", " "),
        (r"(?:\.\s*){2,}|…", " "),
        (r"^\s*(?:[-*+•]|\d+[.)])\s+", ""),
        (r"(?<=\w)'s\b", ""),
        (r"\b(non|un)-(?=\w)", r"\1"),
        (r"\b(?:ca|wo|sha)n't\b", "not"),
        (r"n't\b", " not"),
        (r"\bcannot\b", "can not"),
        (rf"\b(?:no|not(?: be)?) (?:{_GREATER}) than\b|<=|≤|\bat most\b|\bup to\b", " atmost "),
        (rf"\b(?:no|not(?: be)?) (?:{_SMALLER}) than\b|>=|≥|\bat least\b", " atleast "),
        (r"\bnot exceed\w*|\bor (?:fewer|less)\b", " atmost "),
        (r"\bnot (?:only|just|necessarily)\b|\bno matter\b|\bwhether or not\b", " "),
        (r"\b(?:do not|never) forget (?:to|that)\b", " "),
        (r"\bno longer\b", "not"),
        (r"\b(?:stop|stops|stopped|quit|cease|refrain from)\s+(?=\w+ing\b)", "not "),
        (r"\breplac\w+ (\S+) (?:with|by) (\S+)", r"use \2 insteadof \1"),
        (r"\b(?:migrat|mov|switch)\w+ from (\S+) to (\S+)", r"use \2 insteadof \1"),
        (r"\bkeep (\S+(?: \S+)?) out of\b", r"not \1 in"),
        (r"\b(?:instead of|rather than|as opposed to|in place of)\b", " insteadof "),
        (r"(?:[,;]|\s[–—-]|\bbut|\band)\s+(?:not|never)\b", " insteadof "),
        (r"(\b(?:prefer|favou?r|choose)\w*\s+(?!to\b)[^.,;]{1,80}?)\s(?:over|to)\s", r"\1 insteadof "),
        (r"\b(?:to|and|or)\s+(?=(?:avoid|prevent|not|never|do not)\b)", " so "),
        (r"\bexcept (?=(?:for|in|on|when|if|the|that)\b)", "without "),
        (r"(?<=\D)\s[-–—→]\s|—|→", " : "),
    )
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_TOKEN = re.compile(
    r"(?=\S{0,80}[._/])[\w./-]{0,80}\*[\w./*-]{0,80}\w"  # *_test.py
    r"|(?<![\w-])--?[A-Za-z][\w-]*"  # --no-verify
    r"|#?\w+(?:['./\\@:+#-]+\w+)*(?:\+\+|#|%)?"  # words, paths, addresses, C++, 80%
    r"|[,:=()]"
)
#: Words that end a subject or begin another statement inside a sentence.
BREAKS = frozenset("but because since so if when whenever while although though then".split())
BREAKS |= frozenset("which that who means until : ( )".split())
DETERMINERS = frozenset("the a an our my your their its this these those each every all".split())
_FINITE = frozenset("is are was were has have had must should can could will would may might = :".split())
_ORDERS = ("do", "always", "please")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


#: Words that negate the rest of their clause.
NEGATORS = _words("""
    not never no none nothing nobody neither avoid avoids avoided avoiding prevent prevents prevented
    preventing forbid forbids forbidden prohibit prohibits prohibited prohibiting disallow disallows
    disallowed deny denies denied ban bans banned
""")

#: Words that only affirm a clause.
PERMISSION = _stems("allow permit fine ok okay acceptable")
#: The statement after one of these is the opposite of the one before.
REVERSING = _words("without unless insteadof")

#: Antonyms: positive and negative words.
ANTONYMS = tuple(
    (_stems(positive), _stems(negative))
    for positive, negative in (
        ("enable activate active on", "disable deactivate inactive off"),
        ("pass succeed work successful", "fail break broken crash"),
        ("require mandatory must need necessary", "optional unnecessary unneeded"),
        ("true", "false"),
        ("include", "exclude omit"),
        ("accept approve", "reject refuse decline"),
        ("present exist available", "absent missing lack unavailable"),
        ("start begin", "stop end"),
        ("show visible", "hide hidden"),
        ("keep retain", "drop discard delete"),
        ("possible", "impossible"),
        ("support", "drop"),
        ("like love", "dislike hate"),
    )
)

#: Names that are also ordinary words count only if capitalised.
ALSO_WORDS = _words("""
    fish flux make just ninja brew compose swarm fly render solid express spring black rest edge windows
    teams linear notion cursor next node oracle lambda rust swift go bun helm parcel hatch composer
    arm remix nose
""")

#: Common verbs of coding memories; inflected forms are recognised.
VERBS = _stems("""
    access act add added adhere adopt allow append apply ask assume avoid backup batch begin belong
    block break build bump cache call cause change check choose clear close collect consider commit
    compile configure connect contain convert copy crash create define delete deploy depend disable
    document drop emit employ enable end ensure escape execute expect expire export extend fail favor
    fetch fix follow force format generate group handle happen hit hold ignore implement import include
    increase decrease indent inject insert install invalidate invoke keep lead leave leverage limit lint
    listen live load lock log maintain manage mark mean measure merge migrate mock mount move name need
    open own parse pass perform pin point prefer prefix print process provide publish pull push put
    raise read rebase reduce refer reject release reload remove rename render replace report require
    reset resolve restart retry return rewrite rotate route run save schedule seed send serve set ship
    show skip sort split squash start stay stop store subscribe support sync tag take talk test throw
    trigger trim turn update upgrade upload use utilize validate wait want wrap write
""")
AUXILIARIES = _words("""
    is are was were be been being am has have had do does did will would shall should can could may
    might must written built run kept held sent set done made led found put got gets = means
""")

#: Verbs of change, which say nothing about the thing itself.
CHANGE = _stems("move change switch update become raise bump")
#: Verbs with one subject at a time.
EXCLUSIVE = _stems("own lead maintain manage")
#: Verbs that assign a value to their object: "set X to Y".
ASSIGNING = _stems("""
    set pin change move rename bump raise increase lower decrease reduce limit switch update upgrade point map
""")
#: Words between a subject and its value.
SLOTS = _words("is are was were = : to from in into at on with by use uses using via through called than")
#: A single word after one of these is the name of a tool.
MEANS = _words("use uses used using with via through run runs")
#: A number after one of these is part of a name.
LABELS = _words("""
    rule job step phase stage section chapter part level issue bug ticket task item line table figure
    example sprint milestone directive error code status replica shard partition week day quarter rfc pr
    adr request node host server instance site region zone cluster tenant worker machine device rack suite lane
    track slot team room disk wave round iteration variant option
""")
#: Options that select one of several siblings: what holds for one says nothing about the others.
SELECTORS = _words("""
    site region zone env environment stage cluster instance tenant host node server context namespace profile
    account project workspace customer shard target device queue
""")
_LETTER = re.compile(r"[A-Za-z]")


def sentences(text: str) -> list[Sentence]:
    """Split a text into sentences, each a list of tokens; empty sentences are dropped."""
    text = unicodedata.normalize("NFKC", text)
    for pattern, replacement in _IDIOMS:
        text = pattern.sub(replacement, text)
    return [_lettered(tokens) for part in _SENTENCE.split(text) if (tokens := _TOKEN.findall(part))]


def _lettered(tokens: Sentence) -> Sentence:
    """Join each noun with the letter that tells it from its siblings: "service A" is one name."""
    letters = [at for at in range(1, len(tokens)) if _is_letter(tokens, at)]
    nouns = [tokens[at - 1].lower() for at in letters]
    for at in reversed(letters):
        # A small "a" is an article, unless there is a "b" of the kind.
        if (tokens[at].isupper() and tokens[at] != "I") or nouns.count(tokens[at - 1].lower()) > 1:
            tokens[at - 1 : at + 1] = [f"{tokens[at - 1]} {tokens[at]}"]
    return tokens


def _is_letter(tokens: Sentence, at: int) -> bool:
    before = tokens[at - 1].lower()
    is_noun = len(before) > 1 and before.isalpha() and before not in STOP_WORDS and stem(before) not in VERBS
    return is_noun and _LETTER.fullmatch(tokens[at]) is not None


def negates(word: str) -> bool:
    """Tell whether a lower-case word negates its clause."""
    return word in NEGATORS


def is_order(words: Sentence) -> bool:
    """Tell whether lower-case words begin with a verb."""
    return bool(words) and stem(words[0]) in VERBS


def is_verb(words: Sentence, at: int) -> bool:
    """Tell whether the lower-case word at this position is probably a verb."""
    return words[at] in AUXILIARIES or (stem(words[at]) in VERBS and words[at - 1] not in DETERMINERS)


def first_verb(words: Sentence) -> int:
    """Return where the subject of lower-case words ends: 0 for an order, their number without a verb."""
    end = next((at for at, word in enumerate(words) if at and word in BREAKS and word != ":"), len(words))
    finite = [at for at in range(1, end) if words[at] in _FINITE]
    if is_order(words) or negates(words[0]) or words[0] in _ORDERS:
        return finite[0] if finite and is_order(words) else 0
    verbs = [at for at in range(1, end) if is_verb(words, at)]
    inflected = [at for at in verbs if words[at].endswith(("s", "ed"))]
    unknown = [at for at in range(1, end - 1) if _may_be_a_verb(words, at)]
    nothing = 0 if words[1:2] and words[1] in DETERMINERS else len(words)
    return min(finite[:1] + inflected[:1], default=(verbs + unknown + [nothing])[0])


def _may_be_a_verb(words: Sentence, at: int) -> bool:
    word = words[at]
    return (
        word.endswith("s") and not word.endswith("ss") and word.isalpha() and words[at - 1] not in DETERMINERS
    )
