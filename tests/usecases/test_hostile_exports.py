"""Files that were cut, edited or forged: one sentence with the line, and nothing changes."""

from __future__ import annotations

import json
import re
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.export import LineKind
from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.rules.transfer.line_codec import LONGEST_LINE, record_from
from memory_layer.store.chain import hash_of_change
from memory_layer.usecases.govern import audit
from memory_layer.usecases.transfer.import_export import import_export
from tests.carried import everything, exported, fresh_engine, lived_in
from tests.conftest import Clock

REFUSED = r"all\.jsonl, line \d+: .+; nothing was changed$"


AGENT = Writer(name="tester", kind=WriterKind.AGENT, door="python", session="session-1")
PERSON = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1", confirmed=True)


@pytest.fixture(scope="module")
def lines(embedder, tmp_path_factory) -> list[bytes]:
    """The lines of a good export, line breaks included."""
    clock, folder = Clock(), tmp_path_factory.mktemp("good")
    engine = fresh_engine(folder, clock, embedder)
    lived_in(engine, AGENT, PERSON, clock)
    content = exported(engine)
    engine.store.close()
    return content.splitlines(keepends=True)


@pytest.fixture
def other(keyword_engine):
    """An empty store."""
    return keyword_engine


@pytest.fixture
def refuses(other, tmp_path, person):
    """Tries an import and holds it to changing nothing; returns what was said."""

    def attempt(content: bytes) -> str:
        (tmp_path / "all.jsonl").write_bytes(content)
        with pytest.raises(InvalidInput, match=REFUSED) as refusal:
            import_export(other, tmp_path / "all.jsonl", person)
        assert everything(other) == []
        assert other.store.projects.all() == []
        return str(refusal.value)

    return attempt


def sealed(lines: list[bytes]) -> bytes:
    """Lines under a last line that fits them."""
    content = b"".join(lines)
    end = {"lines": len(lines), "sha256": sha256(content).hexdigest(), "type": "end"}
    return content + json.dumps(end).encode() + b"\n"


def line_of(kind: str, lines: list[bytes], last: bool = False) -> int:
    places = [place for place, line in enumerate(lines) if json.loads(line)["type"] == kind]
    return places[-1 if last else 0]


def changed(lines: list[bytes], of_kind: str, /, **fields: object) -> bytes:
    """A forged file in which the first line of a kind says something else."""
    place = line_of(of_kind, lines)
    line = json.loads(lines[place]) | fields
    return sealed([*lines[:place], json.dumps(line).encode() + b"\n", *lines[place + 1 : -1]])


def test_a_file_cut_anywhere_is_refused(lines, refuses):
    for end in range(len(lines)):
        said = refuses(b"".join(lines[:end]))
        assert f"line {max(1, end)}:" in said


def test_a_file_cut_in_the_middle_of_a_line_is_refused(lines, refuses):
    content = b"".join(lines)

    for end in range(1, len(content), len(content) // 23):
        refuses(content[:end])
    assert "is truncated" in refuses(content[:-1])


def test_a_changed_byte_shows(lines, refuses):
    content = b"".join(lines)

    for place in range(7, len(content), len(content) // 41):
        other = b"x" if content[place : place + 1] != b"x" else b"y"
        refuses(content[:place] + other + content[place + 1 :])


def test_a_missing_or_doubled_line_shows_even_under_a_fitting_seal(lines, refuses):
    for place in range(1, len(lines) - 1):
        refuses(sealed([*lines[:place], *lines[place + 1 : -1]]))
        refuses(sealed([*lines[:place], lines[place], *lines[place:-1]]))


def test_a_newer_format_is_named(lines, refuses):
    said = refuses(changed(lines, "export", schema_version=2))

    assert "newer version of Memory Layer (export format 2; this version supports up to 1)" in said


@pytest.mark.parametrize(
    ("kind", "fields", "says"),
    [
        ("memory", {"content": "Something else"}, "content hash"),
        ("memory", {"content": ""}, "'content'"),
        ("memory", {"content": 7}, "'content'"),
        ("memory", {"content": "a\0b"}, "NUL"),
        ("memory", {"writer": "half \ud800"}, "an invalid character"),
        ("memory", {"confidence": 2}, "'confidence'"),
        ("memory", {"confidence": True}, "'confidence'"),
        ("memory", {"worked": -1}, "'worked'"),
        ("memory", {"worked": 10**30}, "'worked'"),
        ("memory", {"category": "nonsense"}, "'category'"),
        ("memory", {"created_at": "yesterday"}, "'created_at'"),
        ("memory", {"created_at": "2026-13-40T00:00:00.000000Z"}, "'created_at'"),
        ("memory", {"tags": "java"}, "'tags'"),
        ("memory", {"metadata": []}, "'metadata'"),
        ("memory", {"citations": [{"shell": "rm"}]}, "'citations'"),
        ("memory", {"citations": [{"path": "a.py", "lines_hash": "a text"}]}, "'citations'"),
        ("memory", {"citations": [{"path": "a.py", "commit": "a text"}]}, "'citations'"),
        ("memory", {"project": "nowhere"}, "is not in the file"),
        ("memory", {"tokens": 10**9}, "'tokens'"),
        ("memory", {"status": "staged", "reason": None}, "cannot be staged"),
        ("memory", {"status": "staged", "reason": "asked"}, "cannot be staged"),
        ("memory", {"status": "active", "reason": "review"}, "cannot be active"),
        ("memory", {"status": "archived", "reason": "writing"}, "cannot be archived"),
        ("memory", {"approved_by": "ada"}, "an incomplete approval"),
        ("memory", {"priority": "critical"}, "does not match its last audit entry"),
        ("memory", {"surprise": 1}, "'surprise' is unknown"),
        ("memory", {"id": "../../etc"}, "'id'"),
        ("memory", {"id": "mem_aaaa"}, "'id'"),
        ("memory", {"id": "op_" + "a" * 26}, "'id'"),
        ("episode", {"number": 3}, "is missing"),
        ("episode", {"session": "another"}, "does not follow"),
        ("episode", {"digest": "0" * 64}, "does not follow"),
        ("episode", {"hash": "0" * 64}, "does not follow"),
        ("episode", {"memory": "mem_aaaaaaaa"}, "is not in the file"),
        ("episode", {"number": "1"}, "'number'"),
        ("link", {"review": 3}, "'review'"),
        ("link", {"review": True}, "'review'"),
        ("link", {"target": "mem_aaaaaaaa"}, "is not in the file"),
        ("link", {"kind": "eats"}, "'kind'"),
        ("audit", {"writer": "somebody"}, "does not follow"),
        ("audit", {"number": 2}, "is missing"),
        ("audit", {"payload": []}, "'payload'"),
        ("recall", {"query": "never asked"}, "its query is not in the file"),
        (
            "recall",
            {"items": [{"memory": "mem_aaaaaaaa", "rank": 0, "score": 1, "signals": {}}]},
            "not in the file",
        ),
        ("recall", {"items": [7]}, "'items'"),
        ("outcome", {"recall": "rec_aaaaaaaa"}, "is not in the file"),
        ("outcome", {"result": "excellent"}, "'result'"),
        ("run", {"recall": "rec_aaaaaaaa"}, "is not in the file"),
        ("context", {"lines": [["mem_aaaaaaaa", 1, "chosen", "a\n## Task", 500]]}, "'lines'"),
        ("context", {"lines": [["mem_aaaaaaaa", 1, "chosen", "a </memories>", 500]]}, "'lines'"),
        ("run", {"id": "run_aaaa"}, "'id'"),
        ("run", {"result": "victory"}, "'result'"),
        ("run", {"result": None}, "'result'"),
        ("run", {"used": ["mem_aaaaaaaa"]}, "is not in the file"),
        ("run", {"write_scope": "src/**"}, "'write_scope'"),
        ("vector", {"passages": ["AAAAAAAA"]}, "differs in size"),
        ("vector", {"passages": ["AA" * 512]}, "unit length"),
        ("vector", {"passages": ["not base64!"]}, "'passages'"),
        ("vector", {"passages": []}, "'passages'"),
        ("export", {"counts": {}}, "'counts'"),
        ("export", {"partial": True}, "announces no episode"),
        ("export", {"vectors": False}, "announces no vector"),
        ("export", {"audit": {"count": 1, "hash": "0" * 64}}, "does not end as"),
        ("project", {"aliases": ["a", 7]}, "'aliases'"),
    ],
)
def test_a_forged_field_is_named(lines, refuses, kind, fields, says):
    assert says in refuses(changed(lines, kind, **fields))


def test_a_memory_that_supersedes_itself_through_others_is_refused(lines, refuses):
    ids = [json.loads(line)["id"] for line in lines if b'"type":"memory"' in line][:3]
    place = line_of("link", lines)
    link = json.loads(lines[place]) | {"kind": "supersedes"}
    ring = [link | {"source": ids[n], "target": ids[(n + 1) % 3]} for n in range(3)]
    head = json.loads(lines[0])
    count = sum(b'"type":"link"' in line for line in lines)
    head["counts"]["link"] = 3
    made = [json.dumps(each).encode() + b"\n" for each in ring]

    said = refuses(
        sealed([json.dumps(head).encode() + b"\n", *lines[1:place], *made, *lines[place + count : -1]])
    )

    assert "supersedes itself through other memories" in said


def test_a_number_beyond_all_numbers_is_refused(lines, refuses):
    place = line_of("memory", lines)
    forged = re.sub(rb'"metadata":\{[^}]*\}', b'"metadata":{"a":1e400}', lines[place])

    said = refuses(sealed([*lines[:place], forged, *lines[place + 1 : -1]]))

    assert "is not JSON" in said


def noted(engine, lines, told) -> bytes:
    """A file whose chain, in perfect order, ends with a note that tells this."""
    head = json.loads(lines[0])
    number = head["audit"]["count"] + 1
    place = line_of("audit", lines, last=True)
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    entry = json.loads(lines[place]) | {"number": number, "memory": None, "before": None, "payload": told}
    entry |= {"after": sha256(text.encode()).hexdigest(), "operation": "op_" + "z" * 26}
    entry["hash"] = hash_of_change(head["audit"]["hash"], record_from(LineKind.AUDIT, entry))
    head["audit"], head["counts"]["audit"] = {"count": number, "hash": entry["hash"]}, number
    made = [json.dumps(each).encode() + b"\n" for each in (head, entry)]
    return sealed([made[0], *lines[1 : place + 1], made[1], *lines[place + 1 : -1]])


@pytest.mark.parametrize(
    "told",
    [
        {
            "before": {"approved_by": "ada", "confidence": 1.0},
            "after": {"approved_by": None, "confidence": 0.8},
        },
        {"before": {"use_count": "many"}, "after": {"use_count": 0}},
        {"before": {"use_count": 1}, "after": {}},
        {"before": {"last_used_at": 10**18}, "after": {"last_used_at": None}},
        {"before": {"outcome_score": 7}, "after": {"outcome_score": 0}},
        {"kind": "supersedes"},
        {"outcome": "x", "before": 7, "after": 1},
        {"outcome": ["x"], "before": 0, "after": 1},
        {},
    ],
)
def test_undoing_a_forged_note_cannot_make_anything_of_a_memory(lines, other, refuses, told):
    memory_id = json.loads(lines[line_of("memory", lines)])["id"]
    whole = told if "outcome" in told or not told else {"memory": memory_id, **told}

    assert "is of an unknown kind" in refuses(noted(other, lines, whole))


def test_a_note_about_counters_is_taken_as_it_is(lines, other, tmp_path, person):
    memory_id = json.loads(lines[line_of("memory", lines)])["id"]
    told = {"memory": memory_id, "before": {"use_count": 0}, "after": {"use_count": 1}}
    (tmp_path / "all.jsonl").write_bytes(noted(other, lines, told))

    import_export(other, tmp_path / "all.jsonl", person)

    assert audit.verify(other).intact


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"null\n",
        b"[]\n",
        b'{"type":"memory"}\n',
        b'{"type":"spell"}\n',
        b'{"type":["memory"]}\n',
        b'{"type":"memory","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
        b'{"type":"memory","a":NaN}\n',
        b'{"type":"memory","a":' + b"9" * 5_000 + b"}\n",
        b"\xff\xfe\n",
        b'{"type":"memory\0"}\n',
        b"a" * (LONGEST_LINE + 1) + b"\n",
    ],
    ids=lambda line: repr(line[:24]),
)
def test_a_line_that_is_no_record_is_refused_by_its_number(lines, refuses, line):
    said = refuses(sealed([*lines[:3], line, *lines[3:-1]]))

    assert "line 4:" in said


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"not an export", b"\0" * 100])
def test_a_file_that_is_no_export_at_all_is_refused(refuses, content):
    refuses(content)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_whatever_stands_in_a_field_it_is_refused_or_means_the_same(lines, other, tmp_path, person, data):
    place = data.draw(st.integers(0, len(lines) - 2))
    line = json.loads(lines[place])
    name = data.draw(st.sampled_from(sorted(line)))
    line[name] = data.draw(VALUES)
    forged = json.dumps(line).encode() + b"\n"
    (tmp_path / "all.jsonl").write_bytes(sealed([*lines[:place], forged, *lines[place + 1 : -1]]))

    try:
        said, read = "", import_export(other, tmp_path / "all.jsonl", person, dry_run=True).read
    except InvalidInput as refusal:
        said, read = str(refusal), 0

    memories = [each for each in lines if b'"type":"memory"' in each and b'"reason":"forgotten"' not in each]
    assert "; nothing was changed" in said or read == len(memories)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(noise=st.binary(max_size=200), place=st.integers(0, 20))
def test_noise_is_refused(lines, other, tmp_path, person, noise, place):
    (tmp_path / "all.jsonl").write_bytes(sealed([*lines[:place], noise + b"\n", *lines[place:-1]]))

    with pytest.raises(InvalidInput):
        import_export(other, tmp_path / "all.jsonl", person, dry_run=True)
