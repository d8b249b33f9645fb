"""Every store can show its past, and no tampering with it goes unnoticed."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from memory_layer.errors import AmbiguousId, InvalidInput, NotFound, StoreDamaged
from memory_layer.model.history import FlawKind
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, LinkKind, Outcome
from memory_layer.ports import Edit
from memory_layer.store.chain import chained
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.govern.audit import entries, verify
from memory_layer.usecases.govern.history import revert
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve, archive, reinforce, restore
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.who.lookup import read_memory, whole_id

SEEDS = range(9)


class Stop(Exception):
    """Ends a transaction without a trace."""


@pytest.fixture
def store(keyword_engine, agent, person, clock):
    """A store with a past: memories that were added, archived, reworded, approved, undone, judged, forgotten."""
    ids = []
    for n, category in enumerate((Category.GENERAL, Category.GOTCHA, Category.POLICY, Category.FACT) * 2):
        draft = Draft(content=f"Lesson {n} about {category}", category=category, tags=(f"t{n}",), relevance=1)
        ids.append(add(keyword_engine, draft, agent).id)
        clock.pass_(minutes=1)
    archive(keyword_engine, ids[:3], agent)
    restore(keyword_engine, ids[:2], agent)
    approve(keyword_engine, ids[3:6], person)
    with keyword_engine.store.writing():
        reworded = read_memory(keyword_engine.store, ids[6])._replace(content="Lesson six, reworded")
        ledger.save(keyword_engine.store, reworded, Edit(person, "op_reword", "edit", clock()))
    revert(keyword_engine, ids[6], 1, person)
    archive(keyword_engine, ids[7:], agent)
    undo(keyword_engine, agent)
    link(keyword_engine, ids[0], LinkKind.RELATES_TO, ids[1], agent)
    record_outcome(keyword_engine, ids[:2], OutcomeReport(result=Outcome.WORKED), agent)
    reinforce(keyword_engine, ids[:2], agent)
    forget(keyword_engine, [add(keyword_engine, Draft(content="Nobody may know"), agent).id], person)
    return keyword_engine.store


def some_entry(store, rng, table="audit"):
    return rng.choice([row["number"] for row in store.connection.rows(f"select number from {table}")])


def last_entry(store):
    return store.chain.head()[0]


def edit_an_entry(store, rng):
    column = rng.choice(["operation", "action", "memory", "writer", "door"])
    store.connection.run(
        f"update audit set {column} = 'x' || coalesce({column}, '') where number = ?",
        [some_entry(store, rng)],
    )


def move_an_entry_in_time(store, rng):
    store.connection.run(
        "update audit set at = at + ? where number = ?", [rng.randint(1, 10**9), some_entry(store, rng)]
    )


def exchange_a_digest(store, rng):
    column = rng.choice(["after", "hash"])
    store.connection.run(
        f"update audit set {column} = ? where number = ?", [rng.randbytes(32), some_entry(store, rng)]
    )


def edit_an_entry_and_its_hash(store, rng):
    number = some_entry(store, rng)
    store.connection.run("update audit set writer = 'nobody' where number = ?", [number])
    rehash(store, number, number)


def rehash(store, first, last):
    """Make the entries follow from each other again, but for the head."""
    for number in range(first, last + 1):
        before = store.connection.row("select hash from audit where number = ?", [number - 1])
        row = store.connection.row("select * from audit where number = ?", [number])
        entry = [row[name] for name in row.keys() if name != "hash"]  # noqa: SIM118
        value = chained(before["hash"] if before else bytes(32), entry)
        store.connection.run("update audit set hash = ? where number = ?", [value, number])


def rewrite_all_but_the_head(store, rng):
    number = some_entry(store, rng)
    store.connection.run("update audit set action = 'nothing' where number = ?", [number])
    rehash(store, number, last_entry(store))


def remove_an_entry(store, rng):
    number = rng.randint(1, last_entry(store) - 1)
    store.connection.run("delete from audit_payload where number = ?", [number])
    store.connection.run("delete from audit where number = ?", [number])


def remove_an_entry_and_close_the_gap(store, rng):
    number = rng.randint(1, last_entry(store) - 1)
    remove = "delete from audit where number = ?"
    store.connection.run(remove, [number])
    store.connection.run("update audit set number = -number where number > ?", [number])
    store.connection.run("update audit set number = -number - 1 where number < 0")


def exchange_two_entries(store, rng):
    first, second = sorted(rng.sample(range(1, last_entry(store) + 1), 2))
    store.connection.run("update audit set number = -1 where number = ?", [first])
    store.connection.run("update audit set number = ? where number = ?", [first, second])
    store.connection.run("update audit set number = ? where number = -1", [second])


def put_an_entry_before_the_first(store, rng):
    store.connection.run("update audit set number = ? where number = 1", [-rng.randint(0, 9)])


def cut_off_the_end(store, rng):
    store.connection.run("delete from audit where number > ?", [last_entry(store) - rng.randint(1, 5)])


def cut_off_everything(store, rng):
    store.connection.run("delete from audit")


def cut_off_the_end_and_move_the_head(store, rng):
    cut_off_the_end(store, rng)
    row = store.connection.row("select number, hash from audit order by number desc limit 1")
    head = f"{row['number']}:{row['hash'].hex()}"
    store.connection.run("update meta set value = ? where key = 'audit_head'", [head])


def forge_a_last_entry(store, rng):
    number = last_entry(store) + 1
    columns = "at, operation, action, memory, writer, door, before, after"
    store.connection.run(
        f"insert into audit (number, {columns}, hash) select ?, {columns}, ? from audit where number = ?",
        [number, rng.randbytes(32), some_entry(store, rng)],
    )
    rehash(store, number, number)


def spoil_the_head(store, rng):
    value = rng.choice(["", "nonsense", f"{last_entry(store)}:{rng.randbytes(32).hex()}", "3:00", "x:00"])
    store.connection.run("update meta set value = ? where key = 'audit_head'", [value])


def remove_the_head(store, rng):
    store.connection.run("delete from meta where key = 'audit_head'")


def edit_a_memory(store, rng):
    column = rng.choice(["content", "category", "status", "tags", "metadata", "writer", "source"])
    row = rng.choice([row["row"] for row in store.connection.rows("select row from memory")])
    store.connection.run(f"update memory set {column} = {column} || '!' where row = ?", [row])


def raise_a_confidence(store, rng):
    row = rng.choice(
        [row["row"] for row in store.connection.rows("select row from memory where confidence < 1")]
    )
    store.connection.run("update memory set confidence = 0.99, approved_by = 'mallory' where row = ?", [row])


def remove_a_memory(store, rng):
    row = rng.choice([row["row"] for row in store.connection.rows("select row from memory")])
    store.connection.run("delete from memory where row = ?", [row])


def smuggle_a_memory_in(store, rng):
    names = [row["name"] for row in store.connection.rows("select name from pragma_table_info('memory')")]
    kept = ", ".join(name for name in names if name not in ("row", "id", "content_hash"))
    row = rng.choice([row["row"] for row in store.connection.rows("select row from memory")])
    store.connection.run(
        f"insert into memory (id, content_hash, {kept}) select ?, ?, {kept} from memory where row = ?",
        ["mem_smuggled", rng.randbytes(32), row],
    )


def edit_old_values(store, rng):
    number = some_entry(store, rng, "audit_payload")
    payload = '{"content": "it was never so"}'
    store.connection.run("update audit_payload set payload = ? where number = ?", [payload, number])


def garble_old_values(store, rng):
    number, payload = (
        some_entry(store, rng, "audit_payload"),
        rng.choice(["{", "7", '{"content_hash": "zz"}']),
    )
    store.connection.run("update audit_payload set payload = ? where number = ?", [payload, number])


def remove_old_values(store, rng):
    store.connection.run(
        "delete from audit_payload where number = ?", [some_entry(store, rng, "audit_payload")]
    )


def put_old_values_where_none_were(store, rng):
    numbers = [
        row["number"]
        for row in store.connection.rows(
            "select number from audit where number not in (select number from audit_payload) and memory not in"
            " (select id from memory where reason is 'forgotten')"
        )
    ]
    store.connection.run(
        "insert into audit_payload values (?, ?)", [rng.choice(numbers), '{"content": "earlier"}']
    )


def change_any_value(store, rng):
    """One bit, character or unit of one value somewhere in the chain, its head or the kept values."""
    places = [
        (table, row["number"], column, row[column])
        for table, columns in AUDIT_COLUMNS.items()
        for row in store.connection.rows(f"select * from {table}")
        for column in columns
        if row[column] is not None
    ]
    table, number, column, value = rng.choice(places)
    store.connection.run(f"update {table} set {column} = ? where number = ?", [altered(value, rng), number])


AUDIT_COLUMNS = {
    "audit": ("at", "operation", "action", "memory", "writer", "door", "before", "after", "hash"),
    "audit_payload": ("payload",),
}


def altered(value, rng):
    if isinstance(value, int):
        return value + rng.choice([-1, 1])
    place = rng.randrange(len(value))
    if isinstance(value, bytes):
        return value[:place] + bytes([value[place] ^ (1 << rng.randrange(8))]) + value[place + 1 :]
    return value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]


def remove_any_rows(store, rng):
    table = rng.choice(list(AUDIT_COLUMNS))
    numbers = [row["number"] for row in store.connection.rows(f"select number from {table}")]
    for number in rng.sample(numbers, rng.randint(1, 3)):
        store.connection.run(f"delete from {table} where number = ?", [number])


CHAIN = {FlawKind.EDITED}
TAMPERING = {
    edit_an_entry: CHAIN,
    move_an_entry_in_time: CHAIN,
    exchange_a_digest: CHAIN,
    edit_an_entry_and_its_hash: CHAIN | {FlawKind.HEAD},
    rewrite_all_but_the_head: {FlawKind.HEAD},
    remove_an_entry: {FlawKind.GAP},
    remove_an_entry_and_close_the_gap: CHAIN,
    exchange_two_entries: CHAIN,
    put_an_entry_before_the_first: CHAIN,
    cut_off_the_end: {FlawKind.CUT_OFF},
    cut_off_everything: {FlawKind.CUT_OFF},
    cut_off_the_end_and_move_the_head: {FlawKind.RECORD},
    forge_a_last_entry: {FlawKind.HEAD},
    spoil_the_head: {FlawKind.HEAD},
    remove_the_head: {FlawKind.HEAD},
    edit_a_memory: {FlawKind.RECORD},
    raise_a_confidence: {FlawKind.RECORD},
    remove_a_memory: {FlawKind.RECORD},
    smuggle_a_memory_in: {FlawKind.RECORD},
    edit_old_values: {FlawKind.PAYLOAD},
    garble_old_values: {FlawKind.PAYLOAD},
    remove_old_values: {FlawKind.PAYLOAD},
    put_old_values_where_none_were: {FlawKind.PAYLOAD},
    change_any_value: CHAIN | {FlawKind.PAYLOAD},
    remove_any_rows: {FlawKind.GAP, FlawKind.CUT_OFF, FlawKind.PAYLOAD},
}


def test_a_store_that_was_only_used_has_no_flaw(keyword_engine, store):
    verdict = verify(keyword_engine)

    assert verdict.flaws == ()
    assert verdict.intact
    assert (verdict.entries, bytes.fromhex(verdict.head)) == store.chain.head()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("tamper", TAMPERING, ids=lambda tamper: tamper.__name__)
def test_no_tampering_goes_unnoticed(keyword_engine, store, tamper, seed):
    with suppress(Stop), store.writing():
        store.connection.run("pragma defer_foreign_keys = on")
        tamper(store, random.Random(seed))
        verdict = verify(keyword_engine)
        raise Stop

    assert not verdict.intact
    assert verdict.flaws[0].kind in TAMPERING[tamper], verdict.flaws[0]
    assert verify(keyword_engine).intact


def test_the_first_broken_entry_is_named(keyword_engine, store):
    with suppress(Stop), store.writing():
        store.connection.run("update audit set writer = 'nobody' where number in (5, 9)")
        verdict = verify(keyword_engine)
        raise Stop

    assert (verdict.flaws[0].entry, verdict.flaws[0].says) == (5, "entry 5 was edited")


def test_the_versions_lead_back_to_the_first_with_the_digests_of_the_chain(store):
    for row in store.connection.rows("select id from memory"):
        kept = chain.versions(store, row["id"])
        changes = list(chain.changes(store, row["id"]))

        assert [each.change for each in kept] == changes
        assert [each.number for each in kept] == list(range(1, len(changes) + 1))
        assert all(each.intact for each in kept)
        assert kept[-1].memory == read_memory(store, row["id"])


def test_a_version_whose_old_values_were_edited_is_marked(store):
    memory_id = next(
        row["id"]
        for row in store.connection.rows("select id from memory where reason is not 'forgotten'")
        if len(chain.versions(store, row["id"])) > 2
    )
    number = chain.versions(store, memory_id)[1].change.number
    with suppress(Stop), store.writing():
        store.connection.run(
            'update audit_payload set payload = \'{"content": "no"}\' where number = ?', [number]
        )
        kept = chain.versions(store, memory_id)
        raise Stop

    assert [each.intact for each in kept[:2]] == [False, True]


def test_a_past_that_cannot_be_read_is_one_sentence(store):
    memory_id = next(
        row["id"]
        for row in store.connection.rows("select id from memory where reason is not 'forgotten'")
        if len(chain.versions(store, row["id"])) > 1
    )
    with suppress(Stop), store.writing():
        store.connection.run("update audit_payload set payload = '{'")
        with pytest.raises(StoreDamaged, match="mem audit verify"):
            chain.versions(store, memory_id)
        raise Stop


def test_what_does_not_exist_has_no_versions(store):
    assert chain.versions(store, "mem_none") == []


def test_an_operation_is_found_by_the_beginning_of_its_id(store):
    operation = next(iter(chain.changes(store))).operation

    assert whole_id(store, operation[:12], "operation") == operation
    assert whole_id(store, operation[3:12].upper(), "operation") == operation
    assert [change.operation for change in chain.changes_of(store, [operation])] == [operation]
    with pytest.raises(NotFound):
        whole_id(store, "op_zzzzzzzz", "operation")
    with pytest.raises(InvalidInput):
        whole_id(store, "op_%", "operation")


def test_an_ambiguous_operation_lists_the_candidates(store, agent, clock):
    memory = read_memory(store, store.connection.row("select id from memory")["id"])
    with store.writing():
        for end in "ab":
            ledger.save(store, memory, Edit(agent, f"op_same{end}", "edit", clock()))

    with pytest.raises(AmbiguousId) as caught:
        whole_id(store, "same", "operation")
    assert caught.value.candidates == ["op_samea", "op_sameb"]


def test_the_latest_entries_come_first(keyword_engine, store):
    count, head = store.chain.head()

    assert [each.change.number for each in entries(keyword_engine, 3)] == [count, count - 1, count - 2]
    assert entries(keyword_engine, 1)[0].change.hash == head.hex()
    with pytest.raises(InvalidInput):
        entries(keyword_engine, 0)
