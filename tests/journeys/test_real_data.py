"""Public data through `bothways import`: every figure that was published, or computed twice by others.

The first tests are small twins of the same journeys, counted by hand; they need no data.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.journeys.project import REPOSITORY, Project

from bothways.app.desk.review.conversation import conversation
from bothways.engine.facts import Answer
from bothways.engine.text import visible
from bothways.widgets.beside import compared, laid, unified
from bothways.widgets.rowview import SideText

Line: TypeAlias = dict[str, Any]

DATA = next((d for folder in REPOSITORY.parents if (d := folder / "shared" / "data").is_dir()), None)
needs_data = pytest.mark.skipif(DATA is None, reason="the public data is not beside the repository")


def data(name: str) -> Path:
    assert DATA is not None
    return DATA / name


def expected(name: str) -> Any:
    return json.loads(data("expected.json").read_text(encoding="utf-8"))[name]


def take(project: Project, path: Path, *options: str) -> Any:
    """Import a file and return what the command says."""
    done = project.ask("import", str(path), "--name", "set", "--json", *options)
    assert done.code == 0, done.err
    return done.json


def lay(project: Project, lines: Iterable[Line]) -> Path:
    project.write("pairs.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    return project.folder / "pairs.jsonl"


def agreement(project: Project, *options: str) -> Any:
    done = project.ask("agreement", "set", "--json", *options)
    assert done.code == 0, done.err
    return done.json


# Twins.


def pair(
    number: int, passes: dict[str, str | None], *, judge: str = "j", people: str = "", **more: Any
) -> Line:
    """Return a pair; `passes` maps what was shown first to the verdict, `people` are votes, one a letter."""
    humans = [
        {"annotator": f"annotator{n}", "verdict": {"A": "A", "B": "B", "t": "tie"}[vote]}
        for n, vote in enumerate(people, 1)
    ]
    judgements = [{"judge": judge, "shown_first": first, "verdict": said} for first, said in passes.items()]
    return {
        "pair_id": f"p{number}",
        "prompt": f"Question {number}?",
        "a": {"model": "v4", "text": f"Old answer {number}"},
        "b": {"model": "v5", "text": f"New answer {number}"},
        "judgements": judgements,
        "humans": humans,
        **more,
    }


BOTH = [
    pair(1, {"A": "A", "B": "A"}, people="A"),
    pair(2, {"A": "B", "B": "B"}, people="B"),
    pair(3, {"A": "B", "B": "B"}, people="A"),
    pair(4, {"A": "tie", "B": "tie"}, people="t"),
    pair(5, {"A": "A", "B": "B"}, people="A"),  # named whatever came first: a hard flip
    pair(6, {"A": "B", "B": "tie"}, people="B"),  # a soft one
    pair(7, {"A": None, "B": "B"}, people="B"),  # unanswered
    pair(8, {"A": "A"}, people="A"),  # judged in one order
]


def test_a_judge_of_both_orders_is_counted_by_the_words_of_the_design(project: Project) -> None:
    assert take(project, lay(project, BOTH))["rows"] == 8
    gate = project.gate("set")
    assert {name: count for name, count in gate["outcomes"].items() if count} == {
        "candidate": 2, "baseline": 1, "tie": 1, "flip": 2, "flip_hard": 1, "flip_soft": 1, "unanswered": 1,
        "one_pass": 1,
    }  # fmt: skip
    assert gate["passes"]["first"] == {"candidate": 3, "baseline": 3, "tie": 1, "unreadable": 1}
    assert gate["passes"]["second"] == {"candidate": 4, "baseline": 1, "tie": 2, "unreadable": 0}
    assert (gate["flip_rate"], gate["flip_rate_of"]) == (pytest.approx(2 / 6), 6)
    # Decisive verdicts of rows judged both ways: p1 A A, p2 B B, p3 B B, p5 A B, p6 B, p7 B in the second.
    # Of these ten the first shown was named by one each of p1, p2, p3 and p7, and by both of p5.
    assert (gate["first_shown_rate"], gate["first_shown_of"]) == (0.6, 10)


def test_a_judge_is_measured_against_people_in_each_reading(project: Project) -> None:
    take(project, lay(project, BOTH))
    readings = agreement(project)["judge_vs_people"]
    assert (readings["first_pass"]["n"], readings["first_pass"]["agree"]) == (7, 6)
    assert (readings["stable_only"]["n"], readings["stable_only"]["agree"]) == (4, 3)
    assert (readings["unstable_as_tie"]["n"], readings["unstable_as_tie"]["agree"]) == (6, 3)


def test_people_are_measured_against_each_other(project: Project) -> None:
    votes = ["AAA", "AAB", "BBB", "tBt"]
    take(project, lay(project, (pair(n, {"A": "A"}, people=said) for n, said in enumerate(votes, 1))))
    told = agreement(project)
    assert [(one["a"], one["b"], one["n"], one["agree"]) for one in told["people"]] == [
        ("annotator1", "annotator2", 4, 3),
        ("annotator1", "annotator3", 4, 3),
        ("annotator2", "annotator3", 4, 2),
    ]
    # Marginals 2 A, 1 B, 1 tie against 2 A, 2 B: by chance 6 of 16; (3/4 − 6/16) / (1 − 6/16).
    assert told["people"][0]["kappa"] == pytest.approx(0.6)
    assert told["people_say"] == {"A": 2, "B": 1, "tie": 1}


def test_one_order_serves_no_gate(project: Project) -> None:
    take(project, lay(project, (pair(n, {"A": "B"}) for n in range(12))))
    told = project.ask("gate", "set", "--json")
    assert told.code == 4
    assert (told.json["outcomes"]["one_pass"], told.json["outcomes"]["candidate"]) == (12, 0)


def test_tools_and_costs_of_an_agent_come_in(project: Project) -> None:
    def side(model: str, turns: list[list[str]], **evaluation: Any) -> Line:
        messages: list[Line] = [{"role": "user", "content": "Send it back, please."}]
        for calls in turns:
            wire = [{"id": f"{n}", "name": name, "arguments": {"id": "7"}} for n, name in enumerate(calls)]
            messages.append({"role": "assistant", "content": None, "tool_calls": wire})
            messages += [{"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in wire]
        used = {"prompt_tokens": 100, "completion_tokens": 9}
        messages.append({"role": "assistant", "content": "Done.", "usage": used})
        return {"model": model, "messages": messages, "eval": evaluation}

    old = side("v4", [["look", "look"], ["give_back"]], agent_cost_usd=0.25)
    new = side("v5", [["look"], ["give_back"], ["give_back"]], agent_cost_usd=0.0)
    line: Line = {"pair_id": "p1", "a": new, "b": old, "judgements": [], "humans": [], "gold": "tie"}
    take(project, lay(project, [line]), "--baseline", "v4", "--writes", "give_back")
    gate = project.gate("set")
    assert (gate["baseline"], gate["costs"]["baseline"]["cost_usd"]) == ("v4", 0.25)
    assert (gate["costs"]["candidate"]["cost_usd"], gate["costs"]["candidate"]["unknown"]) == (None, 1)
    assert turns_with_several_calls(project) == {"v4": (1, 1)}
    assert calls_of(project, {"give_back"}) == {"v4": 1, "v5": 2}
    assert gate["reviews"]["tool_diffs_unsigned"] == ["p1"]


# Facts about tools, from the stored rows.


def turns_with_several_calls(project: Project) -> dict[str, tuple[int, int]]:
    """Return, by variant, how many turns held more than one call, and in how many conversations."""
    with project.store() as store:
        calls = [*store.tools(store.specs("set")[0].id)]
    turns = [
        turn for turn, count in Counter((c.variant, c.row_id, c.turn) for c in calls).items() if count > 1
    ]
    variants = {variant for variant, _, _ in turns}
    return {
        name: (sum(t[0] == name for t in turns), len({t[1] for t in turns if t[0] == name}))
        for name in variants
    }


def calls_of(project: Project, tools: set[str]) -> dict[str, int]:
    """Count the calls of these tools by variant."""
    with project.store() as store:
        return dict(Counter(c.variant for c in store.tools(store.specs("set")[0].id) if c.name in tools))


# The real thing.


@needs_data
@pytest.mark.parametrize("judge", ["GPT-4/Vanilla_NoRules", "ChatGPT/Vanilla_NoRules"])
def test_mtbench(project: Project, judge: str) -> None:
    take(project, data("mtbench200.jsonl"))
    told, wanted = agreement(project, "--judge", judge), expected(f"mtbench200 | {judge}")
    tally = told["tally"]
    assert (tally["rows"], tally["valid"]) == (wanted["pairs"], wanted["valid_both"])
    assert {**tally["stable"], "unstable": tally["flips"]} == wanted["stable"]
    assert tally["flips_hard"] == wanted["hard_flips"]
    assert tally["flip_rate"] == pytest.approx(wanted["flip_rate"], abs=5e-7)
    assert tally["first_shown_rate"] == pytest.approx(wanted["first_shown_pick_rate"], abs=5e-7)
    assert tally["passes"]["first"] == {**wanted["pass1"], "tie": 0}
    assert tally["passes"]["second"] == {**wanted["pass2_mapped_back"], "tie": 0}
    readings = {"first_pass": "pass1", "stable_only": "stable_only", "unstable_as_tie": "unstable_as_tie"}
    for ours, theirs in readings.items():
        assert told["judge_vs_people"][ours] == pytest.approx(wanted["vs_human"][theirs], abs=5e-7)


@needs_data
def test_mtbench_as_printed(project: Project) -> None:
    """The figures of the table, written out: what `expected.json` says is not all there is to trust."""
    take(project, data("mtbench200.jsonl"))
    gpt4 = agreement(project, "--judge", "GPT-4/Vanilla_NoRules")["tally"]
    chatgpt = agreement(project, "--judge", "ChatGPT/Vanilla_NoRules")["tally"]
    printed = [
        (*(one["stable"][side] for side in ("A", "B", "tie")), one["flips"], one["flip_rate"])
        for one in (gpt4, chatgpt)
    ]
    assert printed == [(87, 87, 0, 26, 0.13), (60, 55, 0, 85, 0.425)]
    assert (gpt4["first_shown_rate"], chatgpt["first_shown_rate"]) == (0.51, 0.7025)


@needs_data
def test_an_import_of_many_variants_asks_which_is_meant(project: Project) -> None:
    take(project, data("mtbench200.jsonl"))
    judge = ("--judge", "GPT-4/Vanilla_NoRules")
    refused = project.ask("gate", "set", "--json", *judge)
    assert refused.code == 2
    assert "claude-v1" in refused.err
    both_orders = project.gate("set", "--candidate", "claude-v1", *judge)
    wanted = claude_against_gpt4()
    assert (both_orders["rows"], both_orders["passes"]["first"]["candidate"]) == wanted


def claude_against_gpt4() -> tuple[int, int]:
    """Count straight from the file: pairs of the two, and passes with gpt-4 first that named claude."""
    lines = [json.loads(line) for line in data("mtbench200.jsonl").read_text(encoding="utf-8").splitlines()]
    both = [one for one in lines if {one["a"]["model"], one["b"]["model"]} == {"gpt-4", "claude-v1"}]
    named = 0
    for one in both:
        letter = "A" if one["a"]["model"] == "gpt-4" else "B"
        named += sum(
            said["judge"] == "GPT-4/Vanilla_NoRules"
            and said["shown_first"] == letter
            and said["verdict"] not in (letter, "tie", None)
            for said in one["judgements"]
        )
    return len(both), named


@needs_data
def test_pandalm(project: Project) -> None:
    assert take(project, data("pandalm999.jsonl"))["rows"] == 999
    told = agreement(project)
    wanted = expected("pandalm999 | gpt-3.5-turbo (single order; 25 unparseable)")
    assert [one["kappa"] for one in told["people"]] == [*wanted["human_human_kappa"].values()]
    assert [one["kappa"] for one in told["people"]] == [0.852023, 0.878944, 0.861661]
    assert [one["agreement"] for one in told["people"]] == [*wanted["human_human_agreement"].values()]
    assert told["people_say"] == wanted["majority"] == {"A": 422, "B": 472, "tie": 105}
    against = told["judge_vs_people"]["first_pass"]
    assert (against["n"], against["agree"], against["kappa"]) == (974, 697, 0.492865)
    assert told["tally"]["passes"]["first"] == {"A": 460, "B": 476, "tie": 38}
    gate = project.ask("gate", "set", "--candidate", "llama-7b", "--json")
    outcomes = gate.json["outcomes"]
    assert outcomes["one_pass"] + outcomes["unanswered"] + outcomes["error"] == gate.json["rows"] > 0
    # llama-7b left some blank that bloom-7b answered: no gate lets that through.
    assert gate.code == 1
    lines = [json.loads(line) for line in data("pandalm999.jsonl").read_text(encoding="utf-8").splitlines()]
    sides = [(line["a"], line["b"]) for line in lines]
    both = [pair for pair in sides if {one["model"] for one in pair} == {"bloom-7b", "llama-7b"}]
    assert outcomes["error"] == sum(any(not str(one["text"]).strip() for one in pair) for pair in both) > 0


TAU_BASELINE, TAU_CANDIDATE = "gpt-4.1 (baseline)", "gpt-4.1-sft (candidate)"


def writing() -> set[str]:
    wanted = expected("tau2_retail40")
    return {*wanted["base"]["write_calls_by_name"], *wanted["sft"]["write_calls_by_name"]}


@needs_data
def test_tau2_by_what_was_called_and_paid(project: Project) -> None:
    writes = [option for tool in sorted(writing()) for option in ("--writes", tool)]
    take(project, data("tau2_retail40.jsonl"), "--baseline", TAU_BASELINE, *writes)
    told = project.ask("gate", "set", "--json")
    assert told.code in (3, 4)  # nothing ships on this
    costs, wanted = told.json["costs"], expected("tau2_retail40")
    assert costs["baseline"]["cost_usd"] == pytest.approx(1.888618, abs=5e-7)
    assert costs["candidate"]["cost_usd"] is None
    assert (costs["candidate"]["prompt_tokens"], costs["candidate"]["completion_tokens"]) == (
        2_731_756,
        33_435,
    )
    assert costs["baseline"]["prompt_tokens"] == wanted["base"]["agent_prompt_tokens"]
    assert turns_with_several_calls(project) == {TAU_BASELINE: (34, 26), TAU_CANDIDATE: (15, 11)}
    assert calls_of(project, writing()) == {TAU_BASELINE: 61, TAU_CANDIDATE: 64}
    every = {tool.name for tool in tools_called(project)}
    assert calls_of(project, every) == {TAU_BASELINE: 299, TAU_CANDIDATE: 292}


def tools_called(project: Project) -> list[Any]:
    with project.store() as store:
        return [*store.tools(store.specs("set")[0].id)]


def conversations(project: Project) -> list[tuple[tuple[Answer, SideText], ...]]:
    """Return both answers of each row with what the desk shows of them."""
    with project.store() as store:
        rows = [store.row(row_id) for row_id in store.row_ids(store.specs("set")[0].id)]
    found = []
    for row in rows:
        answers = [one for name in (TAU_BASELINE, TAU_CANDIDATE) if (one := row.newest(name)) is not None]
        turns = [conversation(one, lambda _: False) for one in answers]
        found.append(tuple((one, SideText("", "", "", own)) for one, own in zip(answers, turns, strict=True)))
    return found


@needs_data
def test_tau2_is_shown_with_every_turn_and_every_call(project: Project) -> None:
    take(project, data("tau2_retail40.jsonl"), "--baseline", TAU_BASELINE)
    rows = conversations(project)
    assert [len(sides) for sides in rows] == [2] * 40
    for answer, side in (one for sides in rows for one in sides):
        assert sum(turn.call for turn in side.turns) == len(answer.tool_calls)
        said = [one.content for one in answer.messages if one.role != "tool" and one.content]
        assert [turn.text for turn in side.turns if not turn.call] == said


@needs_data
def test_tau2_read_as_one_text_gives_back_both_conversations(project: Project) -> None:
    take(project, data("tau2_retail40.jsonl"), "--baseline", TAU_BASELINE)
    for (_, left), (_, right) in conversations(project):
        pairs = laid(left, right)
        rows = ["".join(run.text for run in row) for (row,) in unified(pairs, compared(pairs), 1_000_000)]
        for sign, side in (("-", left), ("+", right)):
            whole = [
                part
                for turn in side.turns
                for part in (turn.head if turn.call else f"── {turn.head}", *visible(turn.text).split("\n"))
            ]
            assert [row[2:] for row in rows if row[0] in f" {sign}"] == whole


@needs_data
def test_tau2_by_gold(project: Project) -> None:
    take(project, data("tau2_retail40.jsonl"), "--baseline", TAU_BASELINE)
    assert agreement(project)["people_say"] == {"A": 6, "B": 6, "tie": 28}


@needs_data
def test_tau2_does_not_pass_as_better(project: Project) -> None:
    """With the benchmark's own check of the database as the reviewer, 6 wins and 6 losses say nothing."""
    lines = [
        json.loads(line) for line in data("tau2_retail40.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    reviewed = [{**one, "humans": [{"annotator": "database", "verdict": one["gold"]}]} for one in lines]
    take(project, lay(project, reviewed), "--baseline", TAU_BASELINE, "--as-reviews")
    told = project.ask("gate", "set", "--json")
    assert told.code != 0
    gate = told.json
    assert gate["final"] == {"candidate": 6, "baseline": 6, "tie": 28, "undecided": 0}
    assert gate["sign_test_p"] == 1.0
    rows = project.rows("set").values()
    lost = {row["case"].removeprefix("retail-") for row in rows if row["final"] == "baseline"}
    assert lost == {"111", "18", "27", "33", "64", "71"}


@needs_data
@pytest.mark.parametrize("file", ["mtbench200.jsonl", "tau2_retail40.jsonl"])
def test_what_is_exported_imports_again_the_same(project: Project, tmp_path: Path, file: str) -> None:
    baseline = ("--baseline", TAU_BASELINE) if "tau2" in file else ()
    take(project, data(file), *baseline)
    project.write("again.jsonl", project.ask("export", "set", "--format", "pairs").out)
    other = Project(tmp_path / "other")
    other.folder.mkdir()
    take(other, project.folder / "again.jsonl", *baseline)
    judges: list[tuple[str, ...]] = [("--judge", "GPT-4/Vanilla_NoRules")] if "mt" in file else [()]
    for judge in judges:
        assert agreement(other, *judge) == agreement(project, *judge)
