"""The sample project through the command line: the published figures, and the decisions before and after."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.journeys.project import Project

# candidate, baseline, tie of the first pass, of the second, of the stable rows; hard and soft flips
TALLIES = {
    "plain-text-line": ((14, 20, 6), (11, 22, 7), (10, 18, 4), (3, 5)),
    "shipping-tool": ((27, 8, 5), (26, 9, 5), (24, 7, 3), (2, 4)),
    "refund-flow": ((21, 18, 1), (11, 20, 9), (11, 18, 1), (2, 8)),
}
# wins of decided, two-sided p, 95 % interval (exact arithmetic on the tallies), chance of two equal prompts
ARITHMETIC = {
    "plain-text-line": (10, 32, 0.1849, (0.1795, 0.4857)),
    "shipping-tool": (24, 34, 0.003327, (0.5383, 0.8317)),
    "refund-flow": (11, 30, 0.2649, (0.2187, 0.5449)),
}
SIDES = ("candidate", "baseline", "tie")
EXIT_CODES = {
    "plain-text-line": (3, 1),
    "shipping-tool": (3, 0),
    "refund-flow": (4, 1),
    "plain-text-narrow": (3, 0),
}


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Return the demo as a person gets it, all four experiments run from their recordings."""
    folder = tmp_path_factory.mktemp("demo")
    done = asyncio.run(Project(folder).run("demo", str(folder), "--headless"))
    assert done.code == 0, done.err
    assert all(f"{experiment}: " in done.out for experiment in EXIT_CODES)
    return Project(folder)


@pytest.fixture
def demo(laid_out: Project, tmp_path: Path) -> Project:
    """Return a copy of it, to change."""
    return Project(Path(shutil.copytree(laid_out.folder, tmp_path / "demo")))


def tally(of: Any) -> tuple[int, ...]:
    return tuple(of[side] for side in SIDES)


@pytest.mark.parametrize("experiment", TALLIES)
def test_the_gate_gives_the_published_figures(laid_out: Project, experiment: str) -> None:
    gate, (first, second, stable, flips) = laid_out.gate(experiment), TALLIES[experiment]
    outcomes = gate["outcomes"]
    assert (tally(gate["passes"]["first"]), tally(gate["passes"]["second"])) == (first, second)
    assert (tally(outcomes), (outcomes["flip_hard"], outcomes["flip_soft"])) == (stable, flips)
    assert gate["flip_rate"] == pytest.approx(sum(flips) / 40)
    wins, of, p, interval = ARITHMETIC[experiment]
    assert (gate["win_rate"]["wins"], gate["win_rate"]["of"]) == (wins, of)
    assert gate["sign_test_p"] == pytest.approx(p, abs=5e-5)
    assert gate["win_rate"]["wilson95"] == pytest.approx(interval, abs=1e-4)


def test_the_refund_flow_names_what_was_shown_first_less_than_half_the_time(laid_out: Project) -> None:
    gate = laid_out.gate("refund-flow")
    assert gate["first_shown_rate"] == pytest.approx(0.414286, abs=5e-7)
    assert gate["e_value"] == pytest.approx(0.517, abs=5e-4)
    assert gate["false_ship_chance"] == pytest.approx(0.1808, abs=5e-5)


@pytest.mark.parametrize("experiment", EXIT_CODES)
def test_confirming_the_judge_decides(demo: Project, experiment: str) -> None:
    before, after = EXIT_CODES[experiment]
    told = demo.ask("gate", experiment, "--json")
    assert told.code == before
    required = told.json["reviews"]["missing"]
    assert len(required) == 12
    for done, case in enumerate(required):
        assert demo.ask("gate", experiment).code != 0, f"shipped after {done} of 12 reviews"
        verdict = demo.ask("verdict", experiment, case, "confirm", "--reviewer", "kim")
        assert verdict.code == 0, verdict.err
    told = demo.ask("gate", experiment, "--json")
    assert (told.code, told.json["reviews"]["done"]) == (after, 12)
    assert demo.ask("gate", experiment, "--decide", "--reviewer", "kim").code == after
    assert demo.ask("verify").code == 0
    decision = demo.show(experiment)["decisions"][-1]
    assert (decision["decision"], decision["reviewer"]) == (told.json["decision"], "kim")


def test_the_refund_flow_falls_with_position_bias_among_its_reasons(demo: Project) -> None:
    for case in demo.gate("refund-flow")["reviews"]["missing"]:
        demo.ask("verdict", "refund-flow", case, "confirm", "--reviewer", "kim")
    gate = demo.gate("refund-flow")
    assert gate["decision"] == "do_not_ship"
    health = next(c for c in gate["conditions"] if c["name"] == "judge_health")
    assert health["state"] == "fail"
    assert any(health["detail"] in reason for reason in gate["reasons"])


def test_deciding_is_refused_while_reviews_are_missing(demo: Project) -> None:
    refused = demo.ask("gate", "shipping-tool", "--decide", "--reviewer", "kim")
    assert refused.code == 2
    assert demo.show("shipping-tool")["decisions"] == []


def edit(demo: Project, recording: str, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the lines of a recording."""
    path = demo.folder / "recordings" / recording
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def agreed(demo: Project, experiment: str) -> str:
    """Return a case on which both passes name the candidate."""
    rows = demo.rows(experiment).values()
    return next(str(row["case"]) for row in rows if row["first"] == row["second"] == "candidate")


async def test_one_altered_pass_changes_the_tally(demo: Project) -> None:
    case = agreed(demo, "refund-flow")

    def change(lines: list[dict[str, Any]]) -> None:
        line = next(one for one in lines if one["case"] == case and one["shown_first"] == "baseline")
        line["raw"] = json.dumps({"rationale": "On second thoughts, A.", "winner": "A"})

    edit(demo, "judge-refund-flow.jsonl", change)
    done = await demo.run("run", "refund-flow.yaml")
    assert done.code == 0, done.err
    gate = demo.gate("refund-flow")
    assert tally(gate["passes"]["first"]) == (20, 19, 1)
    assert tally(gate["passes"]["second"]) == (11, 20, 9)
    assert tally(gate["outcomes"]) == (10, 18, 1)
    assert gate["outcomes"]["flip_hard"] == 3


async def test_one_deleted_pass_leaves_its_row_unanswered(demo: Project) -> None:
    case = agreed(demo, "refund-flow")

    def change(lines: list[dict[str, Any]]) -> None:
        lines[:] = [one for one in lines if (one["case"], one["shown_first"]) != (case, "baseline")]

    edit(demo, "judge-refund-flow.jsonl", change)
    done = await demo.run("run", "refund-flow.yaml")
    assert done.code == 5
    gate = demo.gate("refund-flow")
    assert tally(gate["outcomes"]) == (10, 18, 1)
    assert (gate["outcomes"]["unanswered"], gate["passes"]["first"]["unreadable"]) == (1, 1)
    assert demo.rows("refund-flow")[case]["outcome"] == "unanswered"


async def test_a_second_run_of_the_sample_finds_nothing_to_do(demo: Project) -> None:
    done = await demo.run("run", "refund-flow.yaml")
    assert (done.code, "0 answers, 0 passes, 0 calls" in done.err) == (0, True)
