"""Reviewers on copies of one experiment, in real files, whose reviews are brought together."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bothways.engine.analysis.gather import gather
from bothways.engine.decisions import decide
from bothways.engine.errors import DataError, RefusedError
from bothways.engine.exchange.merging import Merged, Source, from_pairs, from_records, merge
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.exchange.writing import write_pairs
from bothways.engine.experiment import Policy, ReviewSettings
from bothways.engine.facts import JsonObject
from bothways.engine.gate.gate import evaluate
from bothways.engine.review import Act, Said, act
from bothways.engine.standing import Standing
from bothways.store import open_store

CASES = ("c1", "c2")


class Desk:
    """A reviewer's own file: it began with the same pairs as everybody's."""

    def __init__(
        self, path: Path, *, texts: tuple[str, ...] = ("new", "new"), policy: Policy = "latest"
    ) -> None:
        self.path = path
        pairs = path.with_suffix(".jsonl")
        lines = [
            {
                "pair_id": case,
                "a": {"model": "v4", "text": "old"},
                "b": {"model": "v5", "text": text, "tool_calls": [{"name": "ship", "arguments": {}}]},
                "judgements": [{"judge": "j", "shown_first": x, "verdict": "B"} for x in "AB"],
            }
            for case, text in zip(CASES, texts, strict=False)
        ]
        pairs.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        self.store = open_store(path)
        experiment, rows = read_pairs(pairs, name="exp")
        adjudicator = "l" if policy == "adjudicator" else None
        review = ReviewSettings(policy=policy, adjudicator=adjudicator)
        self.store.take(experiment.model_copy(update={"review": review}), rows, _at(0))

    def does(self, what: Act, case: str = "c1", *, by: str, at: int) -> Desk:
        evidence = gather(self.store, "exp", today=_at(at))
        row = next(row for row in evidence.rows if row.case_id == case)
        result = evaluate(evidence)
        body = act(self.store, evidence, result, row, what, Said(by, _at(at), "n", reason="seen"))
        self.store.append("review", body, _at(at))
        return self

    def decides(self, *, at: int) -> Desk:
        evidence = gather(self.store, "exp", today=_at(at))
        body = decide(evidence, evaluate(evidence), reviewer="lee", note="", at=_at(at))
        self.store.append("decision", body, _at(at))
        return self

    def pairs(self) -> Source:
        """Its reviews as an export of pairs holds them."""
        return from_pairs(self.exported())

    def exported(self) -> Path:
        path = self.path.with_name(f"{self.path.stem}-out.jsonl")
        with path.open("w", encoding="utf-8") as out:
            write_pairs(self.store, self.store.specs("exp")[0].id, out)
        return path

    def database(self) -> Source:
        """Its reviews as its database holds them."""
        return from_records(str(self.path), self.store.records("exp"))

    def takes(self, *sources: Source) -> list[Merged]:
        with self.store.writing():
            return merge(self.store, "exp", sources, "2026-12-01T00:00:00.000Z")

    @property
    def standings(self) -> list[Standing | None]:
        return [row.standing for row in gather(self.store, "exp", today=_at(0)).rows]

    def verdicts(self) -> list[str | None]:
        return [standing and standing.verdict for standing in self.standings]


def _at(minute: int) -> str:
    return f"2026-08-06T{minute // 60:02}:{minute % 60:02}:00.000Z"


Desks: TypeAlias = Callable[..., Desk]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desks]:
    made: list[Desk] = []

    def make(name: str, **more: Any) -> Desk:
        made.append(Desk(tmp_path / f"{name}.db", **more))
        return made[-1]

    yield make
    for one in made:
        one.store.close()


def test_a_review_joins_the_chain_citing_the_hash_it_had_at_home(desk: Desks) -> None:
    home, away = desk("home"), desk("away").does(Act.BASELINE, by="lee", at=5)
    (made,) = away.store.records("exp")
    (merged,) = home.takes(away.pairs())
    (record,) = home.store.records("exp")
    assert record.body["home"] == {"seq": made.seq, "at": made.at, "hash": made.hash}
    assert (merged.added, merged.known) == ((record,), 0)
    assert home.verdicts() == ["baseline", None]
    assert home.store.broken() is None


@pytest.mark.parametrize("way", [Desk.pairs, Desk.database])
def test_merging_twice_or_there_and_back_adds_nothing(desk: Desks, way: Callable[[Desk], Source]) -> None:
    home, away = desk("home").does(Act.TIE, by="kim", at=1), desk("away").does(Act.BASELINE, by="lee", at=5)
    home.takes(way(away))
    (again,) = home.takes(way(away))
    (back,) = away.takes(way(home))
    (forth,) = home.takes(way(away))
    assert [(len(one.added), one.known) for one in (again, back, forth)] == [(0, 1), (1, 1), (0, 2)]


def test_a_third_file_cites_where_a_review_was_made_not_where_it_came_by(desk: Desks) -> None:
    first, second, third = (desk(name) for name in "abc")
    second.does(Act.TIE, by="mo", at=1)
    first.does(Act.BASELINE, by="lee", at=5)
    second.takes(first.pairs())
    third.takes(second.pairs())
    (made,) = first.store.records("exp")
    cited = [record.body["home"] for record in third.store.records("exp")]
    assert cited[-1] == {"seq": 1, "at": made.at, "hash": made.hash}


def test_the_newest_verdict_stands_whenever_it_was_merged(desk: Desks) -> None:
    home, away = desk("home").does(Act.TIE, by="kim", at=9), desk("away").does(Act.BASELINE, by="lee", at=5)
    home.takes(away.pairs())
    assert home.verdicts()[0] == "tie"


def test_what_was_taken_back_elsewhere_is_taken_back_here(desk: Desks) -> None:
    home = desk("home").does(Act.TIE, by="kim", at=1).does(Act.CANDIDATE, "c2", by="kim", at=2)
    away = desk("away").does(Act.BASELINE, by="lee", at=5).does(Act.UNDO, by="lee", at=6)
    home.takes(away.pairs())
    assert home.verdicts() == ["tie", "candidate"]
    away.does(Act.REDO, by="lee", at=7)
    home.takes(away.pairs())
    assert home.verdicts() == ["baseline", "candidate"]


def test_a_clock_that_was_set_back_moves_no_verdict_before_an_older_one(desk: Desks) -> None:
    home, away = desk("home"), desk("away")
    away.does(Act.BASELINE, by="lee", at=9).does(Act.TIE, by="lee", at=3)
    home.takes(away.pairs())
    assert home.verdicts() == away.verdicts() == ["tie", None]


def test_reviews_of_what_is_not_here_are_left_out_and_named(desk: Desks) -> None:
    home = desk("home", texts=("another",))
    away = desk("away").does(Act.BASELINE, by="lee", at=1).does(Act.TIE, "c2", by="lee", at=2)
    away.does(Act.UNDO, "c2", by="lee", at=3)
    (merged,) = home.takes(away.pairs())
    assert [(one.reviewer, one.case, one.act, one.why) for one in merged.left_out] == [
        ("lee", "c1", "verdict", "other answers"),
        ("lee", "c2", "verdict", "unknown case"),
        ("lee", "c2", "undo", "unknown case"),
    ]
    assert home.store.records("exp") == []


def test_a_signature_under_other_tool_calls_is_left_out(desk: Desks) -> None:
    home, away = desk("home"), desk("away").does(Act.TOOLS_OK, by="lee", at=1)
    (source,) = [away.pairs()]
    signed = source.reviews[0] | {"tools": "of other calls"}
    (merged,) = home.takes(Source("away", (signed,)))
    assert [one.why for one in merged.left_out] == ["other tool calls"]


def test_an_undo_without_its_act_is_left_out(desk: Desks) -> None:
    home, away = desk("home"), desk("away").does(Act.TIE, by="lee", at=1).does(Act.UNDO, by="lee", at=2)
    (merged,) = home.takes(Source("half", away.pairs().reviews[1:]))
    assert [one.why for one in merged.left_out] == ["what it takes back is not here"]


def test_a_changed_copy_of_a_review_is_refused_and_nothing_is_written(desk: Desks) -> None:
    home, away = desk("home"), desk("away").does(Act.TIE, by="lee", at=1)
    home.takes(away.pairs())
    away.does(Act.CANDIDATE, "c2", by="lee", at=2)
    first, second = away.pairs().reviews
    with pytest.raises(DataError, match="another verdict than the same review has here"):
        home.takes(Source("other", (second,)), Source("changed", (first | {"verdict": "baseline"},)))
    assert len(home.store.records("exp")) == 1


def test_a_review_without_its_hash_is_refused(desk: Desks, tmp_path: Path) -> None:
    desk("away").does(Act.TIE, by="lee", at=1).pairs()
    path = tmp_path / "away-out.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    del lines[0]["reviews"][0]["hash"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(DataError, match="reviews of c1: hash is missing"):
        from_pairs(path)


def test_decisions_are_counted_and_not_merged(desk: Desks) -> None:
    home, away = desk("home"), desk("away").does(Act.TIE, by="lee", at=1)
    away.decides(at=2)
    (merged,) = home.takes(away.database())
    assert (len(merged.added), merged.source.decisions) == (1, 1)
    assert [record.kind for record in home.store.records("exp")] == ["review"]


def test_a_copy_of_the_file_brings_only_what_is_new(desk: Desks, tmp_path: Path) -> None:
    home = desk("home").does(Act.TIE, by="kim", at=1)
    home.store.close()
    shutil.copy(home.path, tmp_path / "copy.db")
    home.store = open_store(home.path)
    with open_store(tmp_path / "copy.db") as copy:
        review = home.store.records("exp")[0].body | {"reviewer": "lee", "verdict": "baseline"}
        copy.append("review", review, _at(4))
        (merged,) = home.takes(from_records("copy.db", copy.records("exp")))
    assert (len(merged.added), merged.known) == (1, 1)
    assert home.verdicts()[0] == "baseline"


ACTS = (Act.BASELINE, Act.TIE, Act.CANDIDATE, Act.CONFIRM, Act.CLEAR, Act.UNDO, Act.REDO, Act.TOOLS_BAD)


@pytest.mark.parametrize("way", [Desk.pairs, Desk.database])
def test_what_is_said_here_after_a_review_from_the_future_counts_after_it(
    desk: Desks, way: Callable[[Desk], Source]
) -> None:
    home, away = desk("home"), desk("away").does(Act.BASELINE, by="lee", at=600)
    home.takes(way(away))
    home.does(Act.CANDIDATE, by="kim", at=1)
    assert home.verdicts()[0] == "candidate"
    home.does(Act.TIE, by="lee", at=2)
    assert home.verdicts()[0] == "tie"
    home.does(Act.CLEAR, by="lee", at=3)
    assert home.verdicts()[0] == "candidate"
    away.takes(way(home))
    assert away.standings == home.standings
    assert home.store.records("exp")[1].body["counts_at"] == "2026-08-06T10:00:00.001Z"


def test_a_review_from_the_future_is_pointed_out(desk: Desks) -> None:
    home, away = desk("home"), desk("away").does(Act.BASELINE, by="lee", at=5)
    with home.store.writing():
        (merged,) = merge(home.store, "exp", [away.pairs()], _at(4))
    assert merged.ahead == _at(5)
    (again,) = home.takes(away.pairs())
    assert again.ahead is None


def test_a_database_and_its_export_say_the_same_whatever_was_decided_meanwhile(desk: Desks) -> None:
    """Its clock was set back after a decision; a review at home lies between the two times."""
    away = desk("away").does(Act.TIE, by="lee", at=1).decides(at=50).does(Act.BASELINE, by="lee", at=10)
    one, two = (desk(name).does(Act.CANDIDATE, by="kim", at=30) for name in ("one", "two"))
    one.takes(away.pairs())
    two.takes(away.database())
    assert one.standings == two.standings
    assert one.verdicts()[0] == "candidate"


def _half(path: Path, case: str) -> str:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if json.loads(line)["pair_id"] == case)


@pytest.fixture
def concatenated(desk: Desks, tmp_path: Path) -> Path:
    """Two exports in one file: both chains begin with number 1, and one takes it back."""
    lee = desk("lee").does(Act.BASELINE, by="lee", at=1).does(Act.UNDO, by="lee", at=2)
    ann = desk("ann").does(Act.CANDIDATE, "c2", by="ann", at=3)
    both = tmp_path / "both.jsonl"
    both.write_text(_half(lee.exported(), "c1") + _half(ann.exported(), "c2"), encoding="utf-8")
    return both


def test_every_review_of_concatenated_exports_is_merged(desk: Desks, concatenated: Path) -> None:
    (merged,) = (home := desk("home")).takes(from_pairs(concatenated))
    assert (len(merged.added), merged.left_out) == (3, ())
    assert home.verdicts() == [None, "candidate"]


def test_an_import_of_concatenated_exports_revives_nothing(tmp_path: Path, concatenated: Path) -> None:
    with open_store(tmp_path / "new.db") as store:
        store.take(*read_pairs(concatenated, name="exp"), _at(9))
        rows = gather(store, "exp", today=_at(9)).rows
    assert [row.standing and row.standing.verdict for row in rows] == [None, "candidate"]


def test_two_reviews_of_one_number_on_one_row_are_refused(desk: Desks) -> None:
    review = desk("away").does(Act.TIE, by="lee", at=1).pairs().reviews[0]
    with pytest.raises(DataError, match="two reviews of number 1 by lee"):
        desk("home").takes(Source("both", (review, review | {"hash": "0" * 64, "verdict": "baseline"})))


def _forged_undo(of: JsonObject) -> JsonObject:
    number = of["seq"]
    assert isinstance(number, int)
    said: JsonObject = {"act": "undo", "reviewer": "mallory", "undoes": number, "verdict": None}
    return of | said | {"seq": number + 1, "hash": "0" * 64}


def test_nobody_takes_back_what_another_said_by_a_merge(desk: Desks) -> None:
    home = desk("home").does(Act.BASELINE, by="kim", at=1)
    (review,) = home.pairs().reviews
    (merged,) = home.takes(Source("forged", (review, _forged_undo(review))))
    assert [(one.reviewer, one.why) for one in merged.left_out] == [
        ("mallory", "what it takes back is not here")
    ]
    assert home.verdicts()[0] == "baseline"


def test_a_hash_that_is_no_digest_is_refused(desk: Desks) -> None:
    path = desk("away").does(Act.TIE, by="lee", at=1).exported()
    (review,) = from_pairs(path).reviews
    path.write_text(path.read_text(encoding="utf-8").replace(str(review["hash"]), "00"), encoding="utf-8")
    with pytest.raises(DataError, match="64 hexadecimal digits"):
        from_pairs(path)


_desks = st.integers(0, 2)
_acts = st.tuples(_desks, st.sampled_from(ACTS), st.sampled_from(CASES), st.sampled_from("kl"))
_merges = st.tuples(_desks, _desks, st.booleans())
_decisions = st.tuples(_desks)
_policies: st.SearchStrategy[Policy] = st.sampled_from(("latest", "majority", "adjudicator"))


@settings(max_examples=25, deadline=None)
@given(
    _policies,
    st.lists(st.one_of(_acts, _merges, _decisions), max_size=14),
    st.lists(st.integers(0, 1439), min_size=14, max_size=14),
    st.permutations(range(3)),
)
def test_files_that_have_met_say_the_same_in_whatever_order(
    policy: Policy,
    steps: list[tuple[int, Act, str, str] | tuple[int, int, bool] | tuple[int]],
    times: list[int],
    order: list[int],
) -> None:
    """Acts and decisions, also with clocks that disagree, and merges in between; then all merge all."""
    with TemporaryDirectory() as folder:
        desks = [Desk(Path(folder) / f"{name}.db", policy=policy) for name in "abc"]
        for step, at in zip(steps, times, strict=False):
            if len(step) == 1:
                with suppress(RefusedError):
                    desks[step[0]].decides(at=at)
            elif len(step) == 3:
                to, source, pairs = step
                desks[to].takes(desks[source].pairs() if pairs else desks[source].database())
            else:
                _try(desks[step[0]], *step[1:], at=at)
        for number in order:
            desks[number].takes(*(other.pairs() for other in desks))
        for one in desks:
            one.takes(*(desks[number].database() for number in order))
        first, second, third = (one.standings for one in desks)
        kept = [one.store.broken() for one in desks]
        for one in desks:
            one.store.close()
    assert first == second == third
    assert kept == [None, None, None]


def _try(desk: Desk, what: Act, case: str, reviewer: str, *, at: int) -> None:
    """Act, and see that a verdict counts at once, whatever was merged before."""
    try:
        desk.does(what, case, by=reviewer, at=at)
    except RefusedError:
        return
    if what in (Act.BASELINE, Act.TIE, Act.CANDIDATE):
        standing = desk.standings[CASES.index(case)]
        assert standing is not None
        assert {one.reviewer: one.verdict for one in standing.voices}[reviewer] == what.value
