from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.store.conftest import AT, experiment, imported_row

from bothways.engine.errors import DataError, Place, RefusedError, UsageError
from bothways.engine.facts import Answer, Failure, FailureKind, JsonObject
from bothways.engine.ledger import ImportedAnswer, ImportedRow
from bothways.engine.pairs import Seen
from bothways.engine.standing import Rule, fold, standings
from bothways.store import Store


def taken(store: Store, *rows: ImportedRow) -> int:
    return store.take(experiment(imported=True), rows, AT)


def test_a_row_comes_back_in_full(store: Store) -> None:
    spec_id = taken(store, imported_row(1), imported_row(2))
    detail = store.row(store.row_ids(spec_id)[1])
    given = imported_row(2)
    assert (detail.position, detail.case) == (1, given.case)
    assert [(unit.variant, answer, unit.night) for unit, answer, _ in detail.answers] == list(given.answers)
    assert [(unit.judge, unit.shown, said, unit.night, unit.take) for unit, said, _ in detail.passes] == list(
        given.passes
    )
    assert [label[1:] for label in detail.labels] == list(given.labels)


def test_the_streams_say_what_the_file_said(store: Store) -> None:
    spec_id = taken(store, imported_row(1))
    baseline, candidate = store.answers(spec_id)
    assert (baseline.variant, baseline.slot, baseline.cost_usd, baseline.prompt_tokens) == ("v4", 0, 0.25, 10)
    assert (candidate.variant, candidate.slot, candidate.cost_usd, candidate.duration_s) == (
        "v5",
        1,
        None,
        1.5,
    )
    assert baseline.digest == imported_row(1).answers[0][1].digest
    assert [(said.order, said.shown, said.choice) for said in store.passes(spec_id)] == [
        (1, ("v4", "v5"), 0),
        (2, ("v5", "v4"), 1),
    ]
    assert [(tool.variant, tool.name, tool.arguments) for tool in store.tools(spec_id)] == [
        ("v4", "get_order", '{"id":"7"}')
    ]
    assert [label.verdict for label in store.labels(spec_id)] == ["v5", "tie", None]


def test_all_judges_of_the_file_are_known_and_told_apart(store: Store) -> None:
    row = imported_row(1)
    other = [one._replace(judge="claude") for one in row.passes]
    spec_id = taken(store, replace(row, passes=(*row.passes, *other)))
    assert store.specs("shop")[0].judges == ("gpt", "claude")
    assert {said.judge for said in store.passes(spec_id, "claude")} == {"claude"}
    assert len(list(store.passes(spec_id))) == 4
    assert list(store.passes(spec_id, "nobody")) == []


def test_a_judge_that_looked_twice_in_one_order_is_kept_as_a_repeat(store: Store) -> None:
    row = imported_row(1)
    spec_id = taken(store, replace(row, passes=(row.passes[0], row.passes[0])))
    assert [said.repeat for said in store.passes(spec_id)] == [1, 2]


def test_a_failed_answer_is_a_failure(store: Store) -> None:
    failure = Failure(FailureKind.TIMEOUT, "60 s")
    row = replace(
        imported_row(1),
        answers=(ImportedAnswer("v4", Answer(failure=failure)), ImportedAnswer("v5", Answer(text="x"))),
    )
    facts = list(store.answers(taken(store, row)))
    assert [fact.failure for fact in facts] == [failure, None]


def test_a_taken_name_is_refused(store: Store) -> None:
    taken(store, imported_row(1))
    with pytest.raises(RefusedError, match="called 'shop' already"):
        taken(store, imported_row(2))


def test_a_bad_row_leaves_the_file_as_it_was(store: Store, path: Path) -> None:
    def rows() -> Iterator[ImportedRow]:
        for number in range(1200):
            yield imported_row(number)
        raise DataError(Place("pairs.jsonl", 1201, "a"), "found a number", "an object")

    with pytest.raises(DataError):
        store.take(experiment(imported=True), rows(), AT)
    db = sqlite3.connect(path)
    for table in ("experiments", "specs", "rows", "cases", "units", "answers", "variants", "judges"):
        assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    db.close()


def test_an_answer_of_an_unknown_variant_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="knows the variants v4, v5"):
        taken(store, replace(imported_row(1), answers=(ImportedAnswer("v6", Answer(text="x")),)))
    assert store.experiments() == []


def test_reviews_join_the_chain_citing_their_home(store: Store) -> None:
    verdict: JsonObject = {
        "case": "c1",
        "act": "verdict",
        "seq": 7,
        "at": "2026-01-01T00:00:00Z",
        "hash": "abc",
    }
    undo: JsonObject = {"case": "c1", "act": "undo", "undoes": 7, "seq": 9, "at": "x", "hash": "def"}
    store.append("review", {"experiment": "older"}, AT)
    taken(store, replace(imported_row(1), reviews=(undo, verdict)))
    first, second = store.records("shop", "review")
    assert first.body["home"] == {"seq": 7, "at": "2026-01-01T00:00:00Z", "hash": "abc"}
    assert (second.body["act"], second.body["undoes"]) == ("undo", first.seq)
    assert store.broken() is None


def test_what_several_people_said_elsewhere_adds_up_as_it_would_here(store: Store) -> None:
    common: JsonObject = {"candidate": "v5", "case": "c1", "pair": "p", "tools": "t", "act": "verdict"}
    said: list[JsonObject] = [
        {
            **common,
            "reviewer": "kim",
            "verdict": "tie",
            "blind": True,
            "left": "candidate",
            "seq": 3,
            "at": AT,
        },
        {**common, "reviewer": "lee", "verdict": "baseline", "seq": 5, "at": AT},
        {**common, "reviewer": "kim", "verdict": "candidate", "look": 2, "blind": True, "seq": 8, "at": AT},
        {**common, "reviewer": "lee", "verdict": "tie", "changed_mind": True, "seq": 9, "at": AT},
    ]
    taken(store, replace(imported_row(1), reviews=tuple(said)))
    acts = standings(store.records("shop", "review"))["v5", "c1"]
    standing = fold(acts, Seen("p", "t"), Rule("majority"))
    assert standing is not None
    assert (standing.verdict, [(v.reviewer, v.blind) for v in standing.voices]) == (
        "tie",
        [("kim", True), ("lee", False)],
    )
    assert [(act.left, act.look, act.changed_mind) for act in acts][0::3] == [
        ("candidate", 1, False),
        (None, 1, True),
    ]


def test_a_snapshot_knows_what_was_judged_against_it(store: Store) -> None:
    spec_id = taken(store, imported_row(1), imported_row(2))
    other = replace(
        imported_row(1),
        answers=(
            ImportedAnswer("v4", Answer(text="another baseline")),
            ImportedAnswer("v5", Answer(text="x")),
        ),
    )
    store.take(experiment("elsewhere", imported=True), [other], AT)
    digests = [fact.digest for fact in store.answers(spec_id) if fact.slot == 0]
    assert store.pairings(digests) == [("shop", "v5", "2026-08-06")]


def test_an_import_is_complete_as_it_stands(store: Store) -> None:
    progress = store.progress(taken(store, imported_row(1), imported_row(2)))
    assert (progress.answers.asked, progress.answers.done, progress.expected_answers) == (4, 4, 4)
    assert (progress.passes.asked, progress.passes.done, progress.expected_passes) == (4, 4, 4)


def test_a_view_stays_as_it_was_while_others_write(store: Store, path: Path) -> None:
    from bothways.store import open_store

    taken(store, imported_row(1))
    with store.view(), open_store(path) as other:
        assert store.experiments() == ["shop"]
        other.take(experiment("later", imported=True), [imported_row(1)], AT)
        assert store.experiments() == ["shop"]
    assert store.experiments() == ["later", "shop"]


@pytest.mark.parametrize("table", ["specs", "cases", "rows", "answers", "answer_bodies", "passes", "labels"])
def test_facts_refuse_to_be_edited(store: Store, path: Path, table: str) -> None:
    taken(store, imported_row(1))
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} are facts"):
        db.execute(f"DELETE FROM {table}")
    db.close()
