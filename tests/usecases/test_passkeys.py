"""A passkey signs exactly one operation, and nobody else can make the audit log say that it did."""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256

import pytest

from memory_layer.errors import (
    ChangedMeanwhile,
    InvalidInput,
    NeedsConfirmation,
    NotAllowed,
)
from memory_layer.model.changes import Changes
from memory_layer.model.history import FlawKind
from memory_layer.model.memory import Draft
from memory_layer.model.passkeys import Asked, Means, SignedRequest
from memory_layer.model.review import Choice, Decision
from memory_layer.model.vocabulary import Category
from memory_layer.rules import passkeys as rules
from memory_layer.store.chain import chained
from memory_layer.usecases.govern import passkeys, signing
from memory_layer.usecases.govern.audit import entries, verify
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.history import revert
from memory_layer.usecases.govern.undo import undo
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve, archive
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.transfer.import_export import import_export
from tests.authenticator import PRESENT, VERIFIED, Authenticator
from tests.carried import beside, exported

ORIGIN = "http://localhost:8080"
REQUEST = SignedRequest("POST", "/api/memories/approve", rules.digest_of_body(b'{"memory_ids": ["x"]}'))


@pytest.fixture
def ada(person):
    """A person who gave the passphrase on the page."""
    return person._replace(door="rest", means=Means.PASSPHRASE)


@pytest.fixture
def signer(ada):
    return ada._replace(means=Means.PASSKEY)


@pytest.fixture
def phone():
    return Authenticator()


def registered(engine, authenticator, writer, name="Phone"):
    asked = Asked(b"c" * 32, ORIGIN)
    return passkeys.register(
        engine, authenticator.register(rules.encoded(asked.challenge), ORIGIN), asked, name, writer
    )


@pytest.fixture
def engine(keyword_engine, phone, ada):
    """An engine with one passkey."""
    registered(keyword_engine, phone, ada)
    return keyword_engine


@pytest.fixture
def lesson(engine, agent):
    return add(engine, Draft(content="Tests need the flag -x", category=Category.FACT), agent).id


def asked_for(engine, act, request=REQUEST, nonce="n1"):
    return signing.prepare(engine, request, ORIGIN, nonce, act)


def answered(phone, pending, **forged):
    forged.setdefault("challenge", rules.encoded(pending.challenge))
    return phone.sign(**{"origin": ORIGIN, **forged})


def signed(engine, phone, act, nonce="n1"):
    pending = asked_for(engine, act, nonce=nonce)
    return signing.carry_out(engine, pending, answered(phone, pending), act)


def approving(memory_id, writer):
    return lambda engine: approve(engine, [memory_id], writer)


def state(engine):
    return engine.store.chain.head(), [*map(dict, engine.store.memories.columns())]


def test_a_passkey_signs_an_approval_in_its_own_operation(engine, phone, lesson, signer):
    (memory,) = signed(engine, phone, approving(lesson, signer))
    newest, before, *_ = entries(engine, 5)

    assert memory.approved_by == "ada"
    assert (newest.change.action, before.change.action) == ("confirm", "approve")
    assert newest.change.operation == before.change.operation
    assert newest.said == "signed with the passkey Phone"
    assert before.confirmed_by == Means.PASSKEY
    assert (verify(engine).intact, verify(engine).signatures) == (True, 1)


def test_a_rehearsal_changes_nothing(engine, lesson, signer):
    before = state(engine)

    asked_for(engine, approving(lesson, signer))

    assert state(engine) == before


def test_every_kind_of_change_can_be_signed(engine, phone, agent, signer, clock):
    first, second, third, fourth = (
        add(engine, Draft(content=f"Lesson {n} about the harbour", category=category), agent).id
        for n, category in enumerate([Category.POLICY, Category.FACT, Category.FACT, Category.FACT])
    )
    acts = [
        lambda engine: decide(engine, Choice(first, Decision.APPROVE), signer),
        lambda engine: edit(
            engine, second, Changes(content="Always deploy on Mondays", category=Category.POLICY), signer
        ),
        lambda engine: archive(engine, [third], signer),
        lambda engine: undo(engine, signer),
        lambda engine: revert(engine, second, 1, signer),
        lambda engine: forget(engine, [fourth], signer),
    ]
    for number, act in enumerate(acts):
        clock.pass_(minutes=5)
        signed(engine, phone, act, nonce=f"n{number}")

    verdict = verify(engine)
    assert verdict.flaws == ()
    assert verdict.signatures == len(acts)


def test_what_changes_nothing_has_nothing_to_sign(engine, lesson, signer):
    archive(engine, [lesson], signer)

    with pytest.raises(InvalidInput, match="nothing to sign"):
        asked_for(engine, lambda engine: archive(engine, [lesson], signer))


def test_a_memory_that_changed_since_is_not_approved(engine, phone, lesson, agent, signer):
    act = approving(lesson, signer)
    pending = asked_for(engine, act)
    edit(engine, lesson, Changes(content="Tests need the flag -y"), agent)
    before = state(engine)

    with pytest.raises(ChangedMeanwhile):
        signing.carry_out(engine, pending, answered(phone, pending), act)
    assert state(engine) == before


def test_another_change_elsewhere_does_not_matter(engine, phone, lesson, agent, signer):
    act = approving(lesson, signer)
    pending = asked_for(engine, act)
    add(engine, Draft(content="Ships leave at noon"), agent)

    signing.carry_out(engine, pending, answered(phone, pending), act)

    assert verify(engine).flaws == ()


FORGED = {
    "another origin": {"origin": "http://localhost:3000"},
    "another site": {"site": "127.0.0.1"},
    "nobody verified": {"flags": PRESENT},
    "nobody present": {"flags": VERIFIED},
    "another challenge": {"challenge": rules.encoded(b"x" * 32)},
    "a registration": {"kind": "webauthn.create"},
    "in a frame of another page": {"crossOrigin": True},
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_forged_answer_approves_nothing(engine, phone, lesson, signer, forged):
    act = approving(lesson, signer)
    pending = asked_for(engine, act)
    before = state(engine)

    with pytest.raises(NotAllowed):
        signing.carry_out(engine, pending, answered(phone, pending, **forged), act)
    assert state(engine) == before


def test_a_signature_of_another_key_approves_nothing(engine, lesson, signer):
    act = approving(lesson, signer)
    pending = asked_for(engine, act)
    thief = Authenticator()  # names the same credential, and has another key

    with pytest.raises(NotAllowed, match="not made by this passkey"):
        signing.carry_out(engine, pending, answered(thief, pending), act)


def test_an_answer_for_one_request_does_not_serve_another(engine, phone, lesson, agent, signer):
    other = add(engine, Draft(content="Deploy without asking"), agent).id
    answer = answered(phone, asked_for(engine, approving(lesson, signer)))
    pending = asked_for(engine, approving(other, signer), nonce="n2")

    with pytest.raises(NotAllowed, match="something else"):
        signing.carry_out(engine, pending, answer, approving(other, signer))


def test_an_answer_is_no_good_for_something_else_than_it_was_asked_for(engine, phone, lesson, agent, signer):
    other = add(engine, Draft(content="Deploy without asking"), agent).id
    pending = asked_for(engine, approving(lesson, signer))
    before = state(engine)

    with pytest.raises(ChangedMeanwhile):
        signing.carry_out(engine, pending, answered(phone, pending), approving(other, signer))
    assert state(engine) == before


def test_an_answer_counts_once(engine, phone, lesson, signer):
    act = approving(lesson, signer)
    pending = asked_for(engine, act)
    answer = answered(phone, pending)
    signing.carry_out(engine, pending, answer, act)

    with pytest.raises(NotAllowed, match="counter"):
        signing.carry_out(engine, pending, answer, act)


def test_a_counter_that_goes_back_is_refused(engine, phone, lesson, signer):
    signed(engine, phone, approving(lesson, signer))
    pending = asked_for(engine, approving(lesson, signer), nonce="n2")

    with pytest.raises(NotAllowed, match="copied"):
        signing.carry_out(engine, pending, answered(phone, pending, counter=1), approving(lesson, signer))


def test_an_old_question_is_not_answered(engine, phone, lesson, signer, clock):
    act = approving(lesson, signer)
    pending = asked_for(engine, act)
    clock.pass_(minutes=3)

    with pytest.raises(NotAllowed, match="too old"):
        signing.carry_out(engine, pending, answered(phone, pending), act)


def test_a_removed_passkey_signs_no_more_and_its_signatures_stay_valid(engine, phone, lesson, ada, signer):
    signed(engine, phone, approving(lesson, signer))
    act = approving(lesson, signer)
    registered(engine, Authenticator(2), ada, "Key on the ring")
    pending = asked_for(engine, act, nonce="n2")
    passkeys.remove(engine, passkeys.passkeys(engine)[0].id, ada)

    with pytest.raises(NotAllowed, match="removed"):
        signing.carry_out(engine, pending, answered(phone, pending), act)
    assert verify(engine).flaws == ()
    assert verify(engine).signatures == 1


def test_only_a_confirmed_person_registers_or_removes_a_passkey(keyword_engine, phone, ada, agent, person):
    with pytest.raises(NotAllowed):
        registered(keyword_engine, phone, agent)
    with pytest.raises(NeedsConfirmation):
        registered(keyword_engine, phone, person._replace(confirmed=False))
    key = registered(keyword_engine, phone, ada)
    for writer in (agent, person._replace(confirmed=False)):
        with pytest.raises(NotAllowed):
            passkeys.remove(keyword_engine, key.id, writer)


def test_a_registration_without_a_verified_person_is_refused(keyword_engine, phone, ada):
    asked = Asked(b"c" * 32, ORIGIN)
    answer = phone.register(rules.encoded(asked.challenge), ORIGIN, verified=0)

    with pytest.raises(NotAllowed, match="cannot be registered"):
        passkeys.register(keyword_engine, answer, asked, "Phone", ada)
    assert passkeys.passkeys(keyword_engine) == []


def test_a_passkey_is_registered_once(engine, phone, ada):
    with pytest.raises(InvalidInput, match="already"):
        registered(engine, phone, ada)


def test_a_registration_cannot_be_undone_like_a_change(engine, person):
    operation = entries(engine, 1)[0].change.operation

    with pytest.raises(InvalidInput, match="cannot be undone"):
        undo(engine, person, operation)


@pytest.mark.parametrize("means", [Means.CODE, Means.PASSPHRASE, Means.TOKEN])
def test_the_log_says_how_a_person_confirmed(keyword_engine, agent, person, means):
    ids = [add(keyword_engine, Draft(content=f"Lesson {n}"), agent).id for n in (1, 2)]
    approve(keyword_engine, ids, person._replace(means=means))
    listed = entries(keyword_engine, 3)

    assert [(each.change.action, each.confirmed_by) for each in listed] == [
        ("approve", means),
        ("approve", means),
        ("confirm", means),
    ]
    assert verify(keyword_engine).flaws == ()


def test_undoing_a_signed_operation_is_undoing_its_changes(engine, phone, lesson, signer, person):
    signed(engine, phone, approving(lesson, signer))

    undo(engine, person)
    undo(engine, person, entries(engine, 1)[0].change.operation)

    assert verify(engine).flaws == ()


# Tampering: somebody with the file rewrites it, and makes every hash right again.


def rehashed(store):
    """Compute every hash of the chain anew, so that only signatures can tell what was changed."""
    db, last, number = store.connection, bytes(32), 0
    for number, entry in enumerate([*store.chain.entries()], 1):
        last = chained(last, [number, *entry[1:9]])
        db.run("update audit_payload set number = -? where number = ?", [number, entry.number])
        db.run("update audit set number = -?, hash = ? where number = ?", [number, last, entry.number])
    db.run("update audit set number = -number where number < 0")
    db.run("update audit_payload set number = -number where number < 0")
    db.run("update meta set value = ? where key = 'audit_head'", [f"{number}:{last.hex()}"])


class Stop(Exception):
    """Takes back a change."""


def run(store, sql, *values):
    store.connection.run(sql, values)


def proof_of(store, change):
    """Change what the last confirmation says, with the digest that fits it."""
    entry = [*store.chain.proofs()][-1]
    told = json.loads(entry.payload)
    change(told["confirmed"])
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    run(store, "update audit_payload set payload = ? where number = ?", text, entry.number)
    run(store, "update audit set after = ? where number = ?", sha256(text.encode()).digest(), entry.number)


def by_number(store, action):
    return next(each.number for each in store.chain.entries() if each.action == action)


def exchange(store, one, other):
    for start, end in ((one, -1), (other, one), (-1, other)):
        for table in ("audit", "audit_payload"):
            run(store, f"update {table} set number = ? where number = ?", end, start)


TAMPERED = {
    "another memory approved": lambda s: run(
        s,
        "update audit set memory = (select id from memory where content like 'Deploy%') where action = 'approve'",
    ),
    "another result": lambda s: run(s, "update audit set after = randomblob(32) where action = 'approve'"),
    "another version": lambda s: run(s, "update audit set before = randomblob(32) where action = 'approve'"),
    "another person": lambda s: run(s, "update audit set writer = 'eve' where action = 'approve'"),
    "another time": lambda s: run(s, "update audit set at = at + 1 where action = 'approve'"),
    "another action": lambda s: run(s, "update audit set action = 'edit' where action = 'approve'"),
    "history before it": lambda s: run(s, "update audit set writer = 'eve' where number = 3"),
    "an entry removed before it": lambda s: run(s, "delete from audit where number = 3"),
    "operations reordered": lambda s: exchange(s, 3, 4),
    "another path": lambda s: proof_of(s, lambda told: told.update(path="/api/memories/forget")),
    "another method": lambda s: proof_of(s, lambda told: told.update(method="DELETE")),
    "another body": lambda s: proof_of(s, lambda told: told.update(body="0" * 64)),
    "another nonce": lambda s: proof_of(s, lambda told: told.update(nonce="n9")),
    "a longer expiry": lambda s: proof_of(s, lambda told: told.update(expires=told["expires"] + 1)),
    "another origin": lambda s: proof_of(s, lambda told: told.update(origin="http://localhost:1")),
    "another passkey": lambda s: proof_of(s, lambda told: told.update(passkey="key_other")),
    "a foreign credential": lambda s: proof_of(s, lambda told: told.update(credential="AAAA")),
    "no signature": lambda s: proof_of(s, lambda told: told.pop("signature")),
    "a changed signature": lambda s: proof_of(
        s, lambda told: told.update(signature=told["signature"][:-4] + "AAAA")
    ),
    "changed authenticator data": lambda s: proof_of(
        s, lambda told: told.update(authenticator_data=told["authenticator_data"][:-2] + "zw")
    ),
    "the passphrase instead": lambda s: proof_of(
        s, lambda told: (told.clear(), told.update(by="passphrase"))
    ),
    "the confirmation removed": lambda s: run(
        s, "delete from audit where number = (select max(number) from audit where action = 'confirm')"
    ),
    "its content removed": lambda s: run(
        s, "delete from audit_payload where number = (select max(number) from audit where action = 'confirm')"
    ),
    "the public key in the table": lambda s: run(s, "update passkey set public_key = 'AAAA'"),
    "the credential in the table": lambda s: run(s, "update passkey set credential = 'AAAA'"),
    "a passkey that was never registered": lambda s: run(
        s,
        "insert into passkey (id, name, credential, public_key, counter, created_at, created_by)"
        " values ('key_eve', 'Eve', 'BBBB', 'BBBB', 0, 0, 'eve')",
    ),
}


def found_after(engine, tamper):
    """The flaws of signatures after a change that is taken back at the end."""
    flaws = []
    with suppress(Stop), engine.store.writing():
        tamper(engine.store)
        rehashed(engine.store)
        flaws += [each for each in verify(engine).flaws if each.kind is FlawKind.SIGNATURE]
        raise Stop
    return flaws


def test_a_rewritten_log_with_right_hashes_is_found_by_its_signatures(engine, phone, lesson, agent, signer):
    add(engine, Draft(content="Deploy without asking"), agent)
    add(engine, Draft(content="Ships leave at noon"), agent)
    signed(engine, phone, approving(lesson, signer))
    engine.store.connection.own().db.execute("pragma foreign_keys = off")  # as another program may
    assert found_after(engine, lambda store: None) == []

    found = {name: found_after(engine, tamper) for name, tamper in TAMPERED.items()}

    print(f"\nrewritten with right hashes: {len(found)} ways, {sum(map(bool, found.values()))} found")
    assert [name for name, flaws in found.items() if not flaws] == []
    assert all(each.says and "\n" not in each.says for flaws in found.values() for each in flaws)
    assert verify(engine).flaws == ()


def test_an_exact_restore_keeps_the_signatures_and_registers_no_passkey(
    engine, phone, lesson, signer, person, tmp_path
):
    signed(engine, phone, approving(lesson, signer))
    file = tmp_path / "export.jsonl"
    file.write_bytes(exported(engine, vectors=False))
    other = beside(engine, tmp_path / "other.db")

    import_export(other, file, person)

    verdict, known = verify(other), passkeys.passkeys(other)
    other.store.close()
    assert (verdict.flaws, verdict.signatures) == ((), 1)
    assert known == []
