"""Guess the category of a rule in a rules file from its heading and its words.

A guess never makes a rule stronger than it is: no `policy`, and nothing that expires by itself.
"""

from __future__ import annotations

import re

from memory_layer.model.vocabulary import Category
from memory_layer.text.rule_wording import asks, topic_of

#: Words of a heading that tell the category, the first that fits; the nearest heading is asked first.
_HEADINGS: dict[Category, str] = {
    Category.TROUBLESHOOTING: r"troubleshoot\w*|debugging|common (?:errors?|issues?|problems?)|faq|known issues?",
    Category.GOTCHA: r"gotchas?|pitfalls?|caveats?|watch ?outs?|traps?|common mistakes?|quirks?|anti-?patterns?",
    Category.COMMAND: r"commands?|scripts?|cheat ?sheet|how to run|running|build and test|make targets?|cli",
    Category.WORKFLOW: r"workflows?|git|commits?|branch(?:es|ing)?|pull requests?|prs?|releases?|deploy\w*"
    r"|ci(?:/cd)?|(?:development|review|release) process",
    Category.DEPENDENCY: r"dependenc(?:y|ies)|packages|package management|librar(?:y|ies)|tech(?:nology)? ?stack"
    r"|^stack$|^frameworks?$|third[- ]party",
    Category.ENVIRONMENT: r"environments?|env|setup|set ?up|install\w*|prerequisites?|system requirements"
    r"|configuration|getting started",
    Category.ARCHITECTURE: r"architecture|(?:project|code|codebase|repo\w*|source|files?|folders?|director(?:y|ies)"
    r"|app\w*|packages?|modules?|solution) (?:structure|layout|organi[sz]ation|overview|map)|^(?:structure|layout"
    r"|overview|modules?|components|director(?:y|ies)|folders?|design)$|system design|design decisions|data ?flow",
    Category.PREFERENCE: r"preferences?|communication|tone|persona",
    Category.CODING_STYLE: r"(?<!writing )styles?|style ?guide|formatting|naming|lint\w*|typing|type hints|^types$"
    r"|^imports?$|import order|comments|docstrings?|syntax",
    Category.CONVENTION: r"conventions?|guidelines?|rules?|standards?|best practices|principles|test\w*|security"
    r"|do'?s|don'?ts",
}
_HEADING_RULES = {
    kind: re.compile(rf"(?:\b|^)(?:{words})(?:\b|$)", re.IGNORECASE) for kind, words in _HEADINGS.items()
}

_TOOLS = (
    "npm pnpm yarn npx bun bunx node deno make just task pytest python3? pip pipx uv uvx poetry tox ruff mypy"
    " cargo rustup go gofmt docker docker-compose kubectl helm terraform git gh mvn gradle \\./\\S+ bundle rails"
    " rake composer php artisan dotnet swift xcodebuild flutter dart mix sbt bazel cmake ninja turbo nx vitest jest"
    " eslint prettier tsc alembic psql redis-cli curl aws gcloud az flake8 black pre-commit"
).split()
_COMMAND = re.compile(
    rf"(?:`|^\s*\$ |```(?:ba|z)?sh\s|```\s*\n)\s*(?:[A-Z_]+=\S+ )*(?:{'|'.join(_TOOLS)})(?![\w-]*\.\w+`)\b[^`\n]*"
)
_RUN = re.compile(
    r"\b(?:run|execute|start|launch|build|test|lint|deploy|install|check|format)\b", re.IGNORECASE
)
_STYLE = re.compile(
    r"\b(?:snake_case|camelcase|pascalcase|kebab-case|upper_case|screaming_snake\w*|indent\w*|tabs?|semicolons?"
    r"|(?:single|double) quotes|line length|type hints?|docstrings?|naming|trailing commas?|f-strings?)\b",
    re.IGNORECASE,
)
_TRAP = re.compile(
    r"^\W*(?:gotcha|beware|watch out|careful|be careful|be aware|caution|warning|caveat|important note)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"^\W*(?:use|prefer|favou?r)\b[^.]{1,80}\b(?:instead of|rather than|over|not)\b", re.IGNORECASE
)
_ADVICE = re.compile(
    r"\b(?:always|never|must|should|shall|avoid|do not|don't|ensure|make sure|required?|prefer|keep|use|follow|write"
    r"|add|include|validate|handle|document|implement|create|define|limit|return|test|mock)\b",
    re.IGNORECASE,
)
_NAMED_PATH = re.compile(r"^\W*`[\w./*-]+/?`\s*(?:[-–—:(]|is\b|are\b|contains?\b|holds?\b)")


def kind_of(text: str, headings: tuple[str, ...]) -> Category:
    """Return the category of a rule below these headings, outermost first."""
    if _TRAP.search(text):
        return Category.GOTCHA
    named = _by_headings(headings)
    if named in (Category.GOTCHA, Category.TROUBLESHOOTING):
        return named
    if _COMMAND.search(text) and (named is Category.COMMAND or _RUN.search(text)):
        return Category.COMMAND
    if _STYLE.search(text) and _ADVICE.search(text):
        return Category.CODING_STYLE
    if named is Category.COMMAND:
        named = Category.COMMAND if "`" in text else None
    if named is None and _NAMED_PATH.search(text):
        return Category.ARCHITECTURE
    if named in (None, Category.CONVENTION) and _INSTEAD.search(text):
        return Category.PREFERENCE if named is None else named
    return named or (Category.CONVENTION if _ADVICE.search(text) or asks(text) else Category.GENERAL)


#: The kinds of note that Claude Code writes, and the sections of Codex's handbook.
_NOTES = {"user": Category.PREFERENCE, "feedback": Category.PREFERENCE, "reference": Category.FACT}
_SECTIONS = {
    "user preferences": Category.PREFERENCE,
    "failures and how to do differently": Category.PITFALL,
}


def kind_of_note(text: str, kind: str | None, headings: tuple[str, ...]) -> Category:
    """Return the category of a note that an agent took."""
    if kind in _NOTES:
        return _NOTES[kind]
    section = headings[-1].lower() if headings else ""
    telling = tuple(heading for heading in headings if not heading.startswith("Task Group:"))  # a path
    return _SECTIONS.get(section) or kind_of(text, telling)


def _by_headings(headings: tuple[str, ...]) -> Category | None:
    """Return the category of the nearest telling heading; the title of a file tells nothing."""
    for heading in reversed(headings):
        topic = topic_of(heading)
        for kind, words in _HEADING_RULES.items():
            if words.search(topic or heading):
                return kind
    return None
