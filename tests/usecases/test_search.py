"""Finding: by words, by meaning, by both, with reasons."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput, StoreBusy
from memory_layer.model.memory import Draft, Link
from memory_layer.model.outcome import Experience
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.vocabulary import Category, LinkKind, OnDuplicate, Outcome, Status
from memory_layer.ports import Edit
from memory_layer.ranking.explain import signal_text
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.why import why
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.who.lookup import read_memory


@pytest.fixture
def keep(engine, agent):
    def keep_(content, **fields):
        draft = Draft(content=content, on_duplicate=OnDuplicate.KEEP, **fields)
        return add(engine, draft, agent).id

    return keep_


def ids(found):
    return [hit.memory.id for hit in found.hits]


def test_authentication_finds_the_login_flow(engine, agent, keep):
    login = keep("The login flow redirects to the identity provider")
    keep("The invoice template lives in the billing folder")

    assert ids(search(engine, Query(text="authentication", limit=1), agent)) == [login]


def test_connection_reset_error_finds_those_words_before_network_timeout(engine, agent, keep):
    reset = keep("Seeing a connection reset error usually means the proxy restarted")
    keep("A network timeout usually means the upstream service is slow")

    for mode in (Mode.KEYWORD, Mode.HYBRID):
        assert ids(search(engine, Query(text="connection reset error", mode=mode), agent))[0] == reset


def test_an_identifier_is_found_whole_and_in_parts(engine, agent, keep):
    memory = keep("parseHttpRequest in src/net/http_parser.py raises E1101 since 3.11.7")

    for text in (
        "parseHttpRequest",
        "http request",
        "http_parser",
        "E1101",
        "3.11.7",
        "src/net/http_parser.py",
    ):
        assert ids(search(engine, Query(text=text, mode=Mode.KEYWORD), agent)) == [memory], text


@pytest.mark.parametrize("written", ["9fceb02", "9fceb02d0a", "9FCEB02D0AE598E95DC970B74767F19372D61AF8"])
def test_a_commit_is_found_by_the_beginning_of_its_hash(engine, agent, keep, written):
    wanted = keep("The retry was broken by 9fceb02d0ae598e95dc970b74767f19372d61af8")
    keep("The upload was broken by 1a410efbd13591db07496601ebc7a059dd55cfe9")

    assert [hit.memory.id for hit in search(engine, Query(written, mode=Mode.KEYWORD), agent).hits] == [
        wanted
    ]


def test_a_day_in_words_finds_it_in_numbers(engine, agent, keep):
    wanted = keep("The freeze began on 2026-10-02")
    for other in ("The freeze of October is over", "October was warm", "We moved house in October"):
        keep(other)

    assert ids(search(engine, Query("2 October 2026", mode=Mode.KEYWORD), agent))[0] == wanted


def test_a_question_with_unknown_words_still_finds_by_the_known_ones(engine, agent, keep):
    memory = keep("The deployment runs on Fridays")

    assert ids(search(engine, Query(text="zzz when does deployment qqq run", mode=Mode.KEYWORD), agent)) == [
        memory
    ]


def test_quoted_words_must_stand_exactly_so_in_keyword_mode(engine, agent, keep):
    exact = keep("Use the connection pool for reads")
    keep("Pool the connection for writes")

    found = search(engine, Query(text='"connection pool"', mode=Mode.KEYWORD), agent)
    assert ids(found) == [exact]


def test_archived_memories_come_back_only_on_request(engine, agent, keep):
    memory = keep("The old wiki is at wiki.example.com")
    archive(engine, [memory], agent)

    assert ids(search(engine, Query(text="wiki"), agent)) == []
    asked = Query(text="wiki", filters=Filters(statuses=(Status.ARCHIVED,)))
    assert ids(search(engine, asked, agent)) == [memory]


def test_an_answer_in_the_archive_is_announced_and_not_shown(engine, agent, person, keep):
    put_away = keep("The crane logs in with a card from the harbour office")
    keep("Ferries moor in the north")
    archive(engine, [put_away], agent)

    found = search(engine, Query("how does the crane log in with a card"), agent)

    assert put_away not in ids(found)
    assert found.notice == (
        "an archived memory answers this; see the archive with `mem search --status archived` (over MCP: `archived`)"
    )
    assert "harbour office" not in found.notice
    asked = Query("how does the crane log in with a card", Filters(statuses=(Status.ARCHIVED,)))
    assert search(engine, asked, agent).notice is None


@pytest.mark.parametrize("way", ["replaced", "forgotten", "answered"])
def test_the_archive_is_not_announced_if_something_else_took_the_place(engine, agent, person, keep, way):
    put_away = keep("The crane logs in with a card from the harbour office")
    if way == "replaced":
        newer = keep("Logins are gone since the gate was automated")
        link(engine, newer, LinkKind.SUPERSEDES, put_away, person)
        archive(engine, [newer, put_away], person)
    elif way == "forgotten":
        forget(engine, [put_away], person)
    else:
        keep("The crane logs in with a card, which the gate keeps")
        archive(engine, [put_away], person)

    assert search(engine, Query("how does the crane log in with a card"), agent).notice is None


def test_nothing_found_is_an_answer(engine, agent):
    found = search(engine, Query(text="anything"), agent)

    assert found.hits == ()


def test_without_a_model_search_works_by_words_and_says_so_once(keyword_engine, agent):
    added = add(keyword_engine, Draft(content="Redis is the cache"), agent)

    found = search(keyword_engine, Query(text="which cache"), agent)
    assert ids(found) == [added.id]
    assert found.mode is Mode.KEYWORD
    assert "mem model install" in (found.notice or "")
    assert search(keyword_engine, Query(text="x", mode=Mode.KEYWORD), agent).notice is None


def test_a_secret_in_a_question_is_taken_out_before_it_is_recorded(engine, agent, keep):
    keep("something")
    token = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"

    found = search(engine, Query(text=f"why does {token} fail"), agent)
    assert found.redacted
    assert found.recall is not None
    assert token not in outcome.recall_of(engine.store, found.recall).query


def test_what_an_agent_is_given_is_recorded_and_counted(engine, agent, keep):
    memory = keep("Redis is the cache")

    found = search(engine, Query(text="which cache"), agent)
    assert found.recall is not None
    recall = outcome.recall_of(engine.store, found.recall)
    assert [hit.memory.id for hit in recall.hits] == [memory]
    assert recall.query == "which cache"
    assert read_memory(engine.store, memory).recall_count == 1


def test_looking_is_never_recorded(engine, agent, person, keep):
    memory = keep("Redis is the cache")

    assert search(engine, Query(text="which cache"), person).recall is None
    assert search(engine, Query(text="which cache", peek=True), agent).recall is None
    assert why(engine, Query(text="which cache")).recall is None
    assert read_memory(engine.store, memory).recall_count == 0


def test_a_store_that_cannot_be_written_still_answers(engine, agent, keep, monkeypatch):
    memory = keep("Redis is the cache")

    def busy(*_):
        raise StoreBusy("locked")

    monkeypatch.setattr(type(engine.store.vectors), "put_question", busy)
    found = search(engine, Query(text="which cache"), agent)
    assert ids(found) == [memory]
    assert found.recall is None


@pytest.mark.parametrize("ranker", ["balanced", "five-signal", "rrf", "weighted"])
@pytest.mark.parametrize("mode", list(Mode))
def test_every_ranker_answers_in_every_mode_and_explains_itself(engine, agent, keep, ranker, mode):
    for text in ("Redis is the cache", "Postgres is the database", "Kafka carries the events"):
        keep(text)

    found = search(engine, Query(text="what is the cache", ranker=ranker, mode=mode), agent)
    best = found.hits[0]
    assert "Redis" in best.memory.content
    assert sum(signal.share for signal in best.signals) == pytest.approx(best.score)


def test_an_unknown_ranker_and_a_silly_limit_are_refused(engine, agent):
    for query in (Query(text="x", ranker="magic"), Query(text="x", limit=0), Query(text="x", limit=10**6)):
        with pytest.raises(InvalidInput):
            search(engine, query, agent)


def test_the_category_asked_for_is_boosted_by_five_signal(engine, agent, keep):
    fix = keep("API returning errors: raise the connection pool size", category=Category.TROUBLESHOOTING)
    keep("API returning errors: REST structure", category=Category.PATTERN)

    found = search(engine, Query(text="Why is the API returning 500 errors?", ranker="five-signal"), agent)
    assert found.intent is Category.TROUBLESHOOTING
    assert ids(found)[0] == fix
    boost = {signal.name: signal.value for signal in found.hits[0].signals}["category_boost"]
    assert boost == 1.5


def test_a_budget_bounds_what_comes_back(engine, agent, keep):
    for n in range(5):
        keep(f"cache note number {n} " + "word " * 20)

    found = search(engine, Query(text="cache note", budget=60), agent)
    assert 0 < len(found.hits) < 5
    assert search(engine, Query(text="cache note", budget=1), agent).hits == ()


def test_what_worked_for_a_question_comes_first_the_next_time(engine, agent, keep):
    notes = [keep(f"Restart the {name} when the build hangs") for name in ("daemon", "runner", "agent")]
    query = Query(text="the build hangs, what should be restarted")
    before = search(engine, query, agent)
    last = before.hits[-1].memory.id

    record_outcome(engine, [last], OutcomeReport(result=Outcome.WORKED, recall=before.recall), agent)
    after = search(engine, query, agent)
    assert set(ids(before)) == set(notes)
    assert ids(after)[0] == last
    evidence = {signal.name: signal.value for signal in after.hits[0].signals}["evidence"]
    assert evidence == pytest.approx(0.5)


def test_learning_works_by_words_alone_too(keyword_engine, agent):
    for name in ("daemon", "runner", "agent"):
        add(keyword_engine, Draft(content=f"Restart the {name} when the build hangs"), agent)
    query = Query(text="build hangs restart")
    before = search(keyword_engine, query, agent)
    last = before.hits[-1].memory.id

    record_outcome(keyword_engine, [last], OutcomeReport(result=Outcome.WORKED, recall=before.recall), agent)
    assert ids(search(keyword_engine, query, agent))[0] == last


def test_an_outcome_for_another_question_does_not_move_this_one(engine, agent, keep):
    for name in ("daemon", "runner", "agent"):
        keep(f"Restart the {name} when the build hangs")
    query = Query(text="the build hangs, what should be restarted")
    before = search(engine, query, agent)

    report = OutcomeReport(result=Outcome.WORKED, query="how do I bake sourdough bread")
    record_outcome(engine, [before.hits[-1].memory.id], report, agent)
    after = search(engine, query, agent)
    assert ids(after) == ids(before)
    assert after.hits[-1].experience == Experience()


def test_a_hit_tells_how_often_it_helped_with_questions_like_this(engine, agent, keep):
    memory = keep("Restart the daemon when the build hangs")
    query = "the build hangs, what should be restarted"
    for number, result in enumerate((Outcome.WORKED, Outcome.FAILED, Outcome.WORKED, Outcome.PARTIAL)):
        report = OutcomeReport(result=result, query=query, evidence="exit code")
        record_outcome(engine, [memory], report, agent._replace(session=f"s{number}"))

    (hit,) = search(engine, Query(text=query), agent).hits

    assert hit.experience == Experience(worked=2, partial=1, failed=1)
    told = signal_text("evidence", 0.0, hit.experience)
    assert told.endswith(": worked 2 of 4 times, partly 1")


def test_a_hit_nobody_has_judged_tells_of_no_experience(engine, agent, keep):
    keep("Restart the daemon when the build hangs")

    (hit,) = search(engine, Query(text="the build hangs"), agent).hits
    assert hit.experience is None


def test_why_names_the_reason_for_each_near_miss(engine, agent, clock, keep):
    shown = keep("cache rule one")
    archived = keep("cache rule two about redis")
    expired = keep("cache rule three for now", expires_at=clock() + timedelta(days=1))
    replaced = keep("cache rule four as it was")
    past = keep("cache cache cache")
    archive(engine, [archived], agent)
    with engine.store.writing():
        replacing = Link(source=shown, target=replaced, kind=LinkKind.SUPERSEDES, created_at=clock())
        ledger.link(engine.store, replacing, Edit(agent, "op", "link", clock()))
    clock.pass_(days=2)

    found = why(engine, Query(text="cache rule one", limit=1))
    reasons = {miss.memory.id: miss.reason for miss in found.near_misses}
    assert ids(found) == [shown]
    assert reasons == {
        archived: "archived",
        expired: "expired",
        replaced: "superseded",
        past: "past_limit",
    }


def test_a_memory_of_another_project_is_a_near_miss(engine, agent, keep):
    from memory_layer.model.query import Reach
    from tests.usecases.kept import a_project

    shop = a_project(engine)
    theirs = add(engine, Draft(content="cache rule of the shop"), agent, shop).id

    found = why(engine, Query(text="cache rule", filters=Filters(reach=Reach.GLOBAL)))
    assert [(miss.memory.id, miss.reason) for miss in found.near_misses] == [(theirs, "other_project")]


def test_memories_of_other_projects_are_named_after_what_was_nearly_given(engine, agent, keep):
    from memory_layer.model.query import Reach
    from tests.usecases.kept import a_project

    shop = a_project(engine)
    for number in range(12):
        draft = Draft(content=f"cache rule {number} of the shop", on_duplicate=OnDuplicate.KEEP)
        add(engine, draft, agent, shop)
    best, near = keep("cache rule for everybody"), keep("a rule about something else")

    query = Query(text="cache rule", limit=1, filters=Filters(reach=Reach.GLOBAL))
    found = why(engine, query)
    assert ids(found) == [best]
    assert found.near_misses[0].memory.id == near


@given(text=st.text(max_size=300))
@effort(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_may_be_asked_and_kept(engine, agent, text):
    try:
        add(engine, Draft(content=text, on_duplicate=OnDuplicate.KEEP), agent)
        for mode in (Mode.KEYWORD, Mode.HYBRID):
            search(engine, Query(text=text, mode=mode), agent)
    except InvalidInput:
        assert not text.strip() or "\0" in text or any("\ud800" <= mark <= "\udfff" for mark in text)


def test_a_question_that_nothing_answers_finds_nothing(engine, agent, keep):
    keep("The invoice template lives in the billing folder")
    keep("Integration tests need the docker daemon")

    assert ids(search(engine, Query(text="giraffe migration across the savannah"), agent)) == []
    assert len(ids(search(engine, Query(text="where is the template for invoices?"), agent))) == 1


def test_before_anything_is_embedded_words_alone_decide(keyword_engine, engine, agent):
    kept = add(keyword_engine, Draft(content="The invoice template lives in the billing folder"), agent).id

    assert ids(search(engine, Query(text="which folder has colours, fonts and logos?"), agent)) == [kept]


def test_what_failed_does_not_lead_because_so_much_before_it_failed_as_well(keyword_engine, agent):
    for number in range(45):
        known = add(keyword_engine, Draft(content=f"the crane needs permit {number}"), agent).id
        record_outcome(
            keyword_engine, [known], OutcomeReport(Outcome.FAILED, query="crane permit", evidence="1"), agent
        )
    best = search(keyword_engine, Query(text="crane permit", limit=5), agent).hits
    assert [hit.experience for hit in best] == [Experience(failed=1)] * 5
