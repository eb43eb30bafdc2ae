"""Whether a decision on record still follows: later facts supersede it, altered ones are found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.shop import AT, fill
from tests.store.conftest import answer_unit, case, experiment, pass_unit

from bothways.app.reading import reading
from bothways.engine.analysis.gather import gather
from bothways.engine.decisions import Checked, Validity, checked, decide, on_record
from bothways.engine.facts import Answer, Failure, FailureKind, PassResult
from bothways.engine.gate.gate import evaluate
from bothways.engine.keys import digest
from bothways.engine.review import Act, Said, act
from bothways.store import Store, open_store
from bothways.store.journal import RunJournal

SIGNED = "2026-03-03T09:00:00.000Z"
LATER = "2026-03-04T09:00:00.000Z"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A file with an experiment that was reviewed and signed, and that ships."""
    with open_store(fill(tmp_path / "x.db", 24)) as store:
        review(store, AT)
        sign(store, "plain line")
    return tmp_path / "x.db"


def review(store: Store, at: str) -> None:
    with reading(store, "plain line", to_write=True) as (evidence, result, _):
        for row in evidence.rows:
            asked = [Act.CANDIDATE] if row.case_id in result.missing else []
            asked += [Act.TOOLS_OK] if row.case_id in result.tool_diffs_unsigned else []
            for what in asked:
                body = act(store, evidence, result, row, what, Said("kim", at, reason="read"))
                store.append("review", body, at)


def sign(store: Store, name: str, at: str = SIGNED) -> None:
    with reading(store, name, to_write=True) as (evidence, result, _):
        store.append("decision", decide(evidence, result, reviewer="kim", at=at), at)


def only(path: Path, name: str = "plain line") -> Checked:
    with open_store(path) as store, store.view():
        (found,) = checked(store, name)
        with_now = on_record_of(store, name)
        assert with_now == found
        return found


def on_record_of(store: Store, name: str) -> Checked:
    evidence = gather(store, name, today=LATER)
    return on_record(store, evidence, evaluate(evidence))[-1]


def tamper(path: Path, statement: str) -> None:
    """Edit behind the triggers' back, as somebody with the file in hand can."""
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    assert db.execute(statement).rowcount > 0
    db.commit()
    db.close()


def test_a_decision_stands_while_nothing_comes_in(db: Path) -> None:
    found = only(db)
    assert (found.validity, found.why) == (Validity.STANDS, "nothing has come in since")
    assert found.words.endswith("signed by kim on 2026-03-03")


def reviewed(store: Store) -> None:
    with reading(store, "plain line", to_write=True) as (evidence, result, _):
        row = next(row for row in evidence.rows if not row.high_stakes and row.judged is None)
        body = act(store, evidence, result, row, Act.TIE, Said("ann", LATER))
        store.append("review", body, LATER)


def another_night(store: Store) -> None:
    store.extend(store.specs("plain line")[0].id, "night", LATER)


def another_take(store: Store) -> None:
    store.extend(store.specs("plain line")[0].id, "take", LATER)


def another_spec(store: Store) -> None:
    spec_id = store.specs("plain line")[0].id
    spec = store.spec(spec_id)
    gate = spec.gate.model_copy(update={"threshold": "0.10"})
    cases = [found for _, found in store.cases(spec_id)]
    store.add(spec.model_copy(update={"gate": gate}), cases, LATER)


LATER_FACTS = [reviewed, another_night, another_take, another_spec]


@pytest.mark.parametrize("comes_in", LATER_FACTS)
def test_any_later_fact_supersedes_it(db: Path, comes_in: Callable[[Store], None]) -> None:
    with open_store(db) as store:
        comes_in(store)
    assert only(db).validity is Validity.SUPERSEDED


PASS = "(SELECT n.id FROM passes n WHERE n.choice = 1 ORDER BY n.id LIMIT 1)"
ALTERED = [
    f"UPDATE passes SET choice = 0 WHERE id = {PASS}",
    f"UPDATE passes SET at = '{LATER}' WHERE id = {PASS}",
    f"DELETE FROM passes WHERE id = {PASS}",
    "UPDATE answers SET tools_digest = digest WHERE id = 1",
    "DELETE FROM tool_calls WHERE name = 'send_mail' AND answer_id = "
    "(SELECT min(answer_id) FROM tool_calls WHERE name = 'send_mail')",
    "UPDATE cases SET high_stakes = 0 WHERE id = 1",
    "UPDATE cases SET rules = NULL WHERE id = 1",
    """UPDATE specs SET body = replace(body, '"threshold":"0.60"', '"threshold":"0.10"')""",
    "UPDATE adoptions SET at = '2027-01-01'",
]


@pytest.mark.parametrize("statement", ALTERED)
def test_facts_that_were_altered_are_found(db: Path, statement: str) -> None:
    with open_store(db) as store:
        reviewed(store)
    tamper(db, statement)
    assert only(db).validity is Validity.DOES_NOT_FOLLOW


def test_a_record_that_says_what_its_facts_do_not_say_is_found_though_its_chain_was_forged(db: Path) -> None:
    raw = sqlite3.connect(db)
    (seq, at, kind, text, prev) = raw.execute(
        "SELECT seq, at, kind, body, prev FROM records WHERE kind = 'decision'"
    ).fetchone()
    body = {**json.loads(text), "decision": "do_not_ship"}
    raw.execute("DROP TRIGGER records_no_UPDATE")
    forged = (json.dumps(body), digest(seq, at, kind, body, prev), seq)
    raw.execute("UPDATE records SET body = ?, hash = ? WHERE seq = ?", forged)
    raw.commit()
    raw.close()
    with open_store(db) as store:
        assert store.broken() is None
    found = only(db)
    assert found.validity is Validity.DOES_NOT_FOLLOW
    assert "decision ship, not do_not_ship" in found.why


async def test_a_failure_that_is_mended_later_supersedes_and_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    failed = Answer(failure=Failure(FailureKind.TIMEOUT, "no reply"))
    with open_store(path) as store:
        spec_id = store.add(experiment(), [case(1), case(2)], AT)
        rows = store.row_ids(spec_id)
        async with RunJournal(path, spec_id, {}, AT, lambda: AT) as journal:
            await judged(journal, rows[0])
            await journal.ask([answer_unit(rows[1]), answer_unit(rows[1], "v5")])
            await journal.finish_answer(answer_unit(rows[1]), Answer("old 2"))
            await journal.finish_answer(answer_unit(rows[1], "v5"), failed)
            await journal.end("complete")
        sign(store, "shop")
    assert only(path, "shop").validity is Validity.STANDS
    with open_store(path) as store:
        async with RunJournal(path, spec_id, {}, LATER, lambda: LATER) as journal:
            await judged(journal, rows[1])
            await journal.end("complete")
    assert only(path, "shop").validity is Validity.SUPERSEDED


async def judged(journal: RunJournal, row_id: int) -> None:
    """Answer and judge a row, as far as that was not done."""
    await journal.ask([answer_unit(row_id), answer_unit(row_id, "v5")])
    await journal.finish_answer(answer_unit(row_id), Answer("old"))
    await journal.finish_answer(answer_unit(row_id, "v5"), Answer("new"))
    await journal.ask([pass_unit(row_id, 1), pass_unit(row_id, 2)])
    await journal.finish_pass(pass_unit(row_id, 1), PassResult(choice=1))
    await journal.finish_pass(pass_unit(row_id, 2), PassResult(choice=0))
