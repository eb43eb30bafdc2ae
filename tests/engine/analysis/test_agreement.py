"""Agreement on the public data where it lies beside the repository, and on small twins that always run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.engine.ledger_fake import AT, FakeLedger, FakePass, FakeRow, case
from tests.shared import DATA, needs_data

from bothways.engine.analysis.agreement import agreement
from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.raters import krippendorff_alpha, majority
from bothways.engine.errors import UsageError
from bothways.engine.experiment import Experiment, Variant
from bothways.engine.facts import TIE, Answer


def imported(path: Path) -> FakeLedger:
    """Read pairs the plain way: verdicts are mapped already, so they are turned back into places."""
    rows: list[FakeRow] = []
    names: dict[str, None] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        sides = {"A": pair["a"]["model"], "B": pair["b"]["model"], "tie": "tie", None: None}
        names |= {sides["A"]: None, sides["B"]: None}
        passes = tuple(_pass(judgement, sides) for judgement in pair["judgements"])
        labels = tuple((human["annotator"], sides[human["verdict"]]) for human in pair["humans"])
        answers = tuple((pair[side]["model"], Answer(pair[side].get("text", ""))) for side in ("a", "b"))
        rows.append(FakeRow(case(pair["pair_id"]), answers, passes, labels))
    first, *others = (Variant(name=name) for name in names)
    return FakeLedger(Experiment(name="set", baseline=first, candidates=tuple(others), imported=True), rows)


def _pass(judgement: dict[str, str | None], sides: dict[str | None, str | None]) -> FakePass:
    shown = ("A", "B") if judgement["shown_first"] == "A" else ("B", "A")
    verdict = judgement["verdict"]
    choice = None if verdict is None else TIE if verdict == "tie" else shown.index(verdict)
    return FakePass(tuple(str(sides[side]) for side in shown), choice, judge=str(judgement["judge"]))


@needs_data
@pytest.mark.parametrize("judge", ["GPT-4/Vanilla_NoRules", "ChatGPT/Vanilla_NoRules"])
def test_mtbench(judge: str) -> None:
    expected = json.loads((DATA / "expected.json").read_text())[f"mtbench200 | {judge}"]
    found = agreement(imported(DATA / "mtbench200.jsonl"), "set", judge).as_json()
    readings, tally = found["judge_vs_people"], found["tally"]
    assert isinstance(readings, dict)
    assert isinstance(tally, dict)
    assert readings["first_pass"] == expected["vs_human"]["pass1"]
    assert readings["stable_only"] == expected["vs_human"]["stable_only"]
    assert readings["unstable_as_tie"] == expected["vs_human"]["unstable_as_tie"]
    assert tally["valid"] == expected["valid_both"]
    assert tally["stable"] == {side: expected["stable"][side] for side in ("A", "B", "tie")}
    assert tally["flips"] == expected["flips"]
    assert tally["flips_hard"] == expected["hard_flips"]
    assert tally["flip_rate"] == expected["flip_rate"]
    assert tally["first_shown_rate"] == expected["first_shown_pick_rate"]
    assert tally["passes"] == {
        "first": {"tie": 0, **expected["pass1"]},
        "second": {"tie": 0, **expected["pass2_mapped_back"]},
    }


@needs_data
def test_pandalm() -> None:
    found = agreement(imported(DATA / "pandalm999.jsonl"), "set").as_json()
    readings, people, tally = found["judge_vs_people"], found["people"], found["tally"]
    assert isinstance(readings, dict)
    assert isinstance(people, list)
    assert isinstance(tally, dict)
    assert readings["first_pass"] == {"n": 974, "agree": 697, "agreement": 0.715606, "kappa": 0.492865}
    kappas = [pair["kappa"] for pair in people if isinstance(pair, dict)]
    assert kappas == [0.852023, 0.878944, 0.861661]
    assert found["people_say"] == {"A": 422, "B": 472, "tie": 105}
    assert found["krippendorff_alpha"] == pytest.approx(0.864, abs=5e-4)
    assert tally["valid"] == 0
    assert tally["first_shown_rate"] is None


def small(*rows: tuple[str, str]) -> FakeLedger:
    """Rows of a judge's two passes and the votes of kim, lee and mo (A, B, t or -)."""
    variant = {"A": "x", "B": "y", "t": "tie"}
    made: list[FakeRow] = []
    for number, (said, votes) in enumerate(rows):
        first = FakePass(("x", "y"), {"A": 0, "B": 1, "t": TIE}[said[0]])
        second = FakePass(("y", "x"), {"A": 1, "B": 0, "t": TIE}[said[1]])
        labels = tuple(zip(("kim", "lee", "mo"), map(variant.get, votes), strict=False))
        made.append(
            FakeRow(case(f"r{number}"), (("x", Answer("x")), ("y", Answer("y"))), (first, second), labels)
        )
    spec = Experiment(
        name="small", baseline=Variant(name="x"), candidates=(Variant(name="y"),), imported=True
    )
    return FakeLedger(spec, made)


def test_only_agreed_rows_count_as_stable() -> None:
    found = agreement(small(("AA", "A"), ("AB", "A"), ("BB", "A"), ("tt", "t")), "small")
    assert (found.readings["stable_only"].n, found.readings["stable_only"].agree) == (3, 2)
    assert (found.readings["unstable_as_tie"].n, found.readings["unstable_as_tie"].agree) == (4, 2)


def test_of_many_candidates_the_rows_of_one_can_be_asked_for() -> None:
    data = small(("AA", "A"), ("AB", "A"))
    third = FakeRow(case("r9"), (("x", Answer("x")), ("z", Answer("z"))), (), (("kim", "z"),))
    spec = data.experiment.model_copy(update={"candidates": (Variant(name="y"), Variant(name="z"))})
    found = FakeLedger(spec, [*data.data, third])
    assert agreement(found, "small").people_say == {"A": 2, "B": 1}
    assert agreement(found, "small", candidate="y").people_say == {"A": 2}
    assert agreement(found, "small", candidate="z").people_say == {"B": 1}
    with pytest.raises(UsageError, match="there are: y, z"):
        agreement(found, "small", candidate="w")


def test_a_person_who_said_nothing_is_no_rater_of_that_row() -> None:
    found = agreement(small(("AA", "A-"), ("BB", "BB")), "small")
    assert found.people["kim", "lee"].n == 1


def test_three_people_who_all_differ_are_level() -> None:
    assert majority(["A", "B", "tie"]) == "tie"
    assert majority(["A", "B", "A"]) == "A"


def test_alpha_of_the_textbook_example() -> None:
    """Krippendorff (2011), data with missing values, four observers: α = 0.743 for nominal labels."""
    units = ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3"]
    assert krippendorff_alpha(list(unit) for unit in units) == pytest.approx(0.743, abs=5e-4)


def test_alpha_is_not_defined_for_one_label_or_one_rater() -> None:
    assert krippendorff_alpha([["A", "A"]]) is None
    assert krippendorff_alpha([["A"], ["B"]]) is None


def test_several_judges_have_to_be_named() -> None:
    with pytest.raises(UsageError, match="there are: judge"):
        agreement(small(("AA", "A")), "small", "nobody")


def test_sides_are_judged_as_the_gate_judges_them() -> None:
    """An older take, a night that disagrees, and a row of which one pass is unreadable."""
    made = small(("AA", "A"), ("AA", "A"), ("AB", "B"))
    again = [FakePass(("x", "y"), 1, take=2), FakePass(("y", "x"), 0, take=2)]
    half = (made.data[2].passes[0], replace(made.data[2].passes[1], choice=None))
    made.data = [
        replace(made.data[0], passes=(*made.data[0].passes, *again)),
        replace(made.data[1], passes=(*made.data[1].passes, again[0])),
        replace(made.data[2], passes=half),
    ]
    made.experiment = made.experiment.model_copy(update={"imported": False})
    made.takes = 2
    found, gate = agreement(made, "small"), gather(made, "small", today=AT)
    assert [row.winner for row in gate.rows] == ["candidate", "baseline", None]
    assert found.tally.stable == {"A": 1, "B": 1, "tie": 0}
    assert found.tally.first_shown == gate.first_shown
    first = gate.passes["first"]
    assert found.tally.first == {"A": first["baseline"], "B": first["candidate"], "tie": first["tie"]}
    nights = small(("AA", "A"))
    nights.data = [replace(nights.data[0], passes=(*nights.data[0].passes, *(
        replace(p, night=2, take=1) for p in again)))]  # fmt: skip
    nights.nights = 2
    assert agreement(nights, "small").tally.flips == 1
