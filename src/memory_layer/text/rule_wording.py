"""Join a rule and what stands above it into a sentence as a person would say it."""

from __future__ import annotations

import re

from memory_layer.text.porter import stem

LONGEST_TOPIC = 80  #: characters of a heading that is put before a rule
_READ = 300  #: characters at the beginning of a rule that are looked at

#: The number, marker or closing remark of a heading.
_NUMBER = re.compile(
    r"^\W*(?:(?:step|phase|part|section|chapter|rule|task|stage)\s+)?[A-Z]{0,3}\d{1,3}(?:\.\d{1,3})*\s*[.):–—-]+\s+"
    r"|^\W*(?:step|phase|part|section|chapter|rule|task|stage)\s+\d{1,3}\s+|^\W*\d{1,3}(?:\.\d{1,3})+\s+|^[A-Z]\.\s+",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*\([^()]{0,200}\)\s*$")
#: Headings that name no topic.
_EMPTY_WORDS = frozenset(
    "a an the and or of for to in on with your our this these key core main general common basic important additional"
    " other more overview introduction summary guide guides guideline guidelines rule rules principle principles"
    " best practice practices convention conventions standard standards note notes tip tips instruction instructions"
    " requirement requirements recommendation recommendations example examples detail details information reference"
    " references list checklist dos donts do's purpose scope role context background about content usage critical"
    " must always expected".split()
)
_NOT = r"(?:don['’]?t['’]?s?|do\s+not|never|avoid|must\s+not|should\s+not|mustn['’]t|shouldn['’]t)"
#: A heading that forbids what is below it.
_FORBIDS = re.compile(
    rf"\W*(?:(?:what|things?|stuff|practices|patterns?)?\s*(?:to\s+|not\s+to\s+)?(?:{_NOT})(?:\s+do)?(?:\s+(?:this|these|it))?"
    r"|what\s+not\s+to\s+do|(?:common\s+)?(?:anti-?\s?patterns?|mistakes|pitfalls|errors)(?:\s+to\s+avoid)?"
    r"|not?\s+(?:allowed|permitted)|forbidden|prohibited|disallowed|bad(?:\s+practices?)?)\W*",
    re.IGNORECASE,
)
#: A rule that already forbids something, or says what to do instead.
_NEGATIVE = re.compile(
    rf"\W*(?:{_NOT}|no|not|nothing|none|cannot|can['’]t|without|instead|beware|stop|refrain|prefer|only)\b",
    re.IGNORECASE,
)
#: A heading that says when the rules below it hold.
_WHEN = re.compile(
    r"(?:when|before|after|if|while|during|unless|whenever|once)\b(?!\s+(?:not\s+)?to\b)", re.IGNORECASE
)
_CROSS = re.compile(r"^\W*?[❌✗✘🚫⛔]️?\s*")
_TICK = re.compile(r"^[✅✓✔☑👍]️?\s*")
_LABEL = re.compile(
    r"^(?:(\*\*[^*\n]{1,60}:\*\*)|(\*\*[^*\n]{1,60}\*\*|`[^`\n]{1,80}`|[^\W_][^:*`\n.!?]{0,40}?)\s*(?:[:–—]|\s-))\s"
)
_BARE_LABEL = re.compile(
    r"\W*(?:detection|impact|fix|why|example|examples|rationale|reason|good|bad|correct|incorrect|wrong|right|note"
    r"|principle|guidance(?:\s.*)?|definition|description|purpose|to|from|benefits?|result|cause|root cause"
    r"|solution|severity|output|input|usage|format|default|when|where|how|what|who|key|value|type|name|pro\s?tip|action)\W*",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|must|should|shall|can|cannot|can't|will|won't|may|might|has|have|had|does|do|don't"
    r"|doesn't|isn't|aren't|never|always|needs?|requires?|uses|runs|contains|holds|lives?|goes|comes|stays|follows"
    r"|returns|provides|supports|takes|gives|makes|means|calls|writes|reads|belongs?|expects?|depends?|works?|exists?"
    r"|fails?|breaks?|happens?|starts|ends|begins|keeps|handles|allows|prevents|ensures|causes|includes|matches"
    r"|gets|sends|stores|loads|creates|defines|becomes|remains|applies|we|you|it)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[^\W_][\w'’-]*")
#: The first word of a text, and of each part of a sentence.
_PART = re.compile(r"(?:^|[,;:.]\s)\W{0,4}([^\W_][\w'’-]*)(?:\s+([^\W_][\w'’-]*))?")
#: Words that are written in lower case inside a sentence, whatever they mean.
_PLAIN = re.compile(
    r"(?:\w{2,}(?:ing|ed|s|tion|sion|ity|ness|ment|ive|al|ous|ful|less|able|ible|ance|ence|ly|ect)"
    r"|lack|multiple|single|large|long|deep|magic|hard|complex|too|poor|more|many|any|every|each|all|one|two|when|if|code|data|test"
    r"|file|raw|bare|empty|dead|mutable|shared|custom|new|old|other|some|such|it|its|they|we|you|there|then|a)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w'’-]*")
#: Verbs with which people begin an instruction.
IMPERATIVE = frozenset(
    "abstract accept access achieve acknowledge activate adapt add address adhere adjust adopt advise aim align allow"
    " alphabetize always analyze annotate answer apply approve arrange ask assert assess assign assume attach audit"
    " authenticate authorize auto-create auto-fix automate avoid await back balance base batch be begin benchmark bind"
    " block break bring build bundle cache call capture catch centralize chain change check choose cite clarify"
    " classify clean clear close collect combine comment commit communicate compare compile complete compose compress"
    " configure confirm connect consider consolidate construct consult continue control convert copy cover create"
    " customize debounce debug decide declare decorate decouple default defer define delegate delete deliver deploy"
    " derive describe design destroy detect determine develop diagnose disable discard discuss display dispose"
    " distinguish divide do document don't download draft drop edit eliminate emit employ enable encapsulate encourage"
    " encrypt enforce enhance ensure enter escape establish estimate evaluate examine exclude execute exit expand"
    " expect explain explore export expose express extend extract fail fall favor favour fetch fill filter find finish"
    " fix flag flatten focus follow force format gather generate get give go group guard guide hand handle help hide"
    " highlight host identify ignore implement import improve include incorporate increase indent index indicate"
    " inform inherit initialize inject inline insert inspect install instead instrument integrate introduce invalidate"
    " investigate invoke isolate iterate join keep know label launch lazy-load learn leave let leverage lift limit"
    " link lint list listen load localize locate lock log look lower maintain make manage map mark match maximize"
    " measure memoize merge migrate minify minimize mirror mock model modularize monitor mount move name need never"
    " normalize note notify obtain offer omit only open optimize order organize output override own package pair"
    " parallelize parse partition pass patch perform persist pick pin place plan point populate post practice"
    " precompute prefer prefix preload prepare present preserve prevent print prioritize process produce profile"
    " promote prompt propagate propose protect provide publish pull push put query queue quote raise rate-limit read"
    " rebase recommend record redact redirect reduce refactor refer reference refresh refuse regenerate register"
    " reject release reload rely remember remove rename render repeat replace reply report represent request require"
    " reserve reset resolve respect respond restart restrict retain retrieve retry return reuse revert review rewrite"
    " roll rotate run sanitize save scale scan schedule scope search secure see select send separate serialize serve"
    " set share ship show sign simplify simulate skip sort specify split squash stage standardize start state stay"
    " stop store stream strengthen strip strive structure style submit suggest summarize support suppress switch sync"
    " synchronize tag take target tell terminate test think throttle throw tie trace track transform translate treat"
    " trigger trim trust try turn type understand unify unit-test update upgrade upload use utilise utilize validate"
    " vary verify version view wait walk warn watch watermark wire work wrap write yield".split()
)


def topic_of(heading: str) -> str:
    """Return what a heading names, without its number and remarks; empty if it names nothing."""
    bare = _bare(heading).strip("*_#:. \t")
    bare = re.sub(r"^[^\w(\[{.@/]+", "", bare).strip()
    names = {word.lower() for word in _WORD.findall(bare)} - _EMPTY_WORDS
    return bare if names and len(bare) <= LONGEST_TOPIC else ""


def _bare(heading: str) -> str:
    """Remove the number of a heading and a closing remark in parentheses."""
    return _REMARK.sub("", _NUMBER.sub("", heading.replace("`", "").replace("\u2011", "-")))


def forbids(heading: str) -> bool:
    """Tell whether a heading forbids what is below it."""
    return _FORBIDS.fullmatch(_bare(heading)) is not None


def is_condition(heading: str) -> bool:
    """Tell whether a heading says when the rules below it hold."""
    topic = topic_of(heading)
    return _WHEN.match(topic) is not None and " " in topic and not topic.endswith("?")


def is_clear(text: str) -> bool:
    """Tell whether a rule is clear without the heading above it: it asks or states something by itself."""
    head = text[:_READ]
    if label := _LABEL.match(head):
        name, rest = label[1] or label[2], head[label.end() :]
        if name.startswith("`") and not ("/" in name or _states(rest)):
            return False
        return _BARE_LABEL.fullmatch(name) is None or asks(rest)
    return _states(head)


def asks(text: str) -> bool:
    """Tell whether a rule asks for something: a part of it begins with the verb of an instruction."""
    for part in _PART.finditer(text[:_READ]):
        word, following = part[1].lower(), (part[2] or "").lower()
        if not text[: part.start(1)].endswith("`") and (
            word in IMPERATIVE or (word.endswith("ly") and following in IMPERATIVE)
        ):
            return True
    return False


def _states(text: str) -> bool:
    return asks(text) or _FINITE.search(text) is not None or not text.isascii()


def without_marks(text: str) -> tuple[str, bool]:
    """Remove a tick or cross at the beginning of a rule; return whether it was a cross, which forbids."""
    if crossed := _CROSS.match(text):
        return text[crossed.end() :], True
    return _TICK.sub("", text, count=1), False


def under(label: str, text: str) -> str:
    """Put a label before a rule: a ban or a condition as part of its sentence, a topic if it says something new."""
    if forbids(label):
        return forbidden(text, label)
    if _repeats(label, text):
        return text
    if _WHEN.match(label) and " " in label:
        return f"{_as_clause(label)}, {lower_first(text)}"
    return f"{label}: {text}"


def forbidden(text: str, label: str = "") -> str:
    """Word a rule as a ban: "Edit generated files" becomes "Don't edit generated files"."""
    if re.match(r"not\s+\w+ing\b", text, re.IGNORECASE):
        return f"Avoid {text[0].lower()}{text[1:]}"
    if _NEGATIVE.match(text):
        return text
    first = _FIRST.search(text[:_READ])
    word = first[0].lower() if first else ""
    never = "Never" if re.match(r"\W*never", label, re.IGNORECASE) else "Don't"
    if word in IMPERATIVE and not text.lstrip().startswith(("`", "**")):
        return f"{never} {lower_first(text)}"
    if word.endswith("ing") and text[:1].isalpha():
        return f"Avoid {lower_first(text)}"
    if _LABEL.match(text[:_READ]) or _FINITE.search(text[:_READ]):
        return f"Avoid: {text}"
    return f"Avoid {lower_first(text)}"


def lower_first(text: str) -> str:
    """Write the first word in lower case, unless it is a name, code or an abbreviation."""
    first = re.match(r"[A-Z][a-z'’]*(?=[\s,.:;-]|$)", text)
    plain = first is not None and (
        first[0].lower() in IMPERATIVE or first[0].lower() in _EMPTY_WORDS or _PLAIN.fullmatch(first[0])
    )
    return text[0].lower() + text[1:] if plain else text


def _as_clause(label: str) -> str:
    """Write a heading such as "Before Opening a Pull Request" as the beginning of a sentence."""
    first, *rest = label.rstrip("*_:： .,").split(" ")
    return " ".join([first[:1].upper() + first[1:], *(_uncapitalised(word) for word in rest)])


def _uncapitalised(word: str) -> str:
    return word.lower() if word[:1].isupper() and word[1:].islower() else word


def _repeats(label: str, text: str) -> bool:
    """Tell whether a rule already says all that its label says."""
    said = {stem(word.lower()) for word in _WORD.findall(text[:_READ])}
    names = {stem(word.lower()) for word in _WORD.findall(label) if word.lower() not in _EMPTY_WORDS}
    return bool(names) and names <= said
