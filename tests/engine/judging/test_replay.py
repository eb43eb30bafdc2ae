"""Recorded passes: found by what was shown first, turned back into places, missing ones unanswered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.engine.judging.fakes import PlainCalls, ask

from bothways.engine.errors import DataError
from bothways.engine.experiment import Judge
from bothways.engine.facts import TIE, FailureKind, JsonObject, PassResult, Usage
from bothways.engine.judging.replay import ReplayJudging


def record(folder: Path, *lines: JsonObject, name: str = "judge", model: str | None = None) -> ReplayJudging:
    path = folder / "passes.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return ReplayJudging(Judge(name=name, model=model, replay=str(path)))


async def play(judging: ReplayJudging, order: int = 1) -> PassResult:
    return await judging.judge(ask(order=order), PlainCalls())


def line(shown_first: str, **fields: object) -> JsonObject:
    return json.loads(json.dumps({"case": "r-17", "shown_first": shown_first, **fields}))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("order", "shown_first", "verdict", "choice"),
    [
        (1, "baseline", "baseline", 0),
        (1, "baseline", "candidate", 1),
        (2, "candidate", "candidate", 0),
        (2, "candidate", "baseline", 1),
        (1, "variant-v4", "variant-v5", 1),
        (2, "variant-v5", "variant-v5", 0),
        (2, "candidate", "variant-v4", 1),
        (1, "baseline", "tie", TIE),
        (2, "variant-v5", "TIE", TIE),
    ],
)
async def test_a_mapped_verdict_becomes_the_place_in_the_order_shown(
    tmp_path: Path, order: int, shown_first: str, verdict: str, choice: int
) -> None:
    result = await play(record(tmp_path, line(shown_first, verdict=verdict)), order)
    assert (result.choice, result.reading, result.failure) == (choice, "recorded", None)


async def test_each_order_has_its_own_pass(tmp_path: Path) -> None:
    judging = record(tmp_path, line("baseline", verdict="candidate"), line("candidate", verdict="baseline"))
    assert [(await play(judging, order)).choice for order in (1, 2)] == [1, 1]


async def test_what_a_pass_used_comes_back(tmp_path: Path) -> None:
    used: JsonObject = {"prompt_tokens": 812, "completion_tokens": 96}
    judging = record(
        tmp_path,
        line("baseline", verdict="tie", rationale="Both do.", raw="[[C]]", model="judge-2026", usage=used,
             cost_usd=0.002, duration_s=1.9),
    )  # fmt: skip
    assert await play(judging) == PassResult(
        TIE, "Both do.", "[[C]]", "recorded", Usage(812, 96, None), 0.002, 1.9, "judge-2026"
    )


@pytest.mark.parametrize("verdict", [None, "variant-v9"])
async def test_a_verdict_that_names_nobody_is_unreadable(tmp_path: Path, verdict: str | None) -> None:
    result = await play(record(tmp_path, line("baseline", verdict=verdict, raw='{"winner":"A"}')))
    assert result.choice is None
    assert result.failure is not None
    assert result.failure.kind is FailureKind.UNREADABLE


@pytest.mark.parametrize("order", [1, 2])
async def test_raw_text_is_read_by_the_ladder_in_the_order_shown(tmp_path: Path, order: int) -> None:
    raw = '```json\n{"winner":"B","rationale":"names the date"}\n```'
    judging = record(tmp_path, line("baseline", raw=raw), line("candidate", raw=raw))
    result = await play(judging, order)
    assert (result.choice, result.rationale, result.raw, result.reading) == (1, "names the date", raw, "json")


async def test_unreadable_raw_text_is_unanswered(tmp_path: Path) -> None:
    result = await play(record(tmp_path, line("baseline", raw="GRID -> first one I guess")))
    assert (result.choice, result.raw) == (None, "GRID -> first one I guess")
    assert result.failure is not None
    assert result.failure.message == "no verdict"


async def test_what_is_not_recorded_is_missing(tmp_path: Path) -> None:
    result = await play(record(tmp_path, line("baseline", verdict="tie")), order=2)
    assert result.choice is None
    assert result.failure is not None
    assert result.failure.kind is FailureKind.MISSING
    assert result.failure.message == "no pass over case r-17 that shows variant-v5 first"


async def test_one_file_may_hold_several_candidates(tmp_path: Path) -> None:
    judging = record(
        tmp_path,
        line("baseline", candidate="variant-v6", verdict="candidate"),
        line("baseline", candidate="variant-v5", verdict="baseline"),
    )
    assert (await play(judging)).choice == 0


@pytest.mark.parametrize(("names", "expected"), [(("variant-v4", "variant-v5"), 1), (("", ""), 1)])
async def test_pairs_are_a_recording_too(tmp_path: Path, names: tuple[str, str], expected: int) -> None:
    sides = [{"model": name, "text": "…"} if name else {"text": "…"} for name in names]
    pair: JsonObject = json.loads(json.dumps({
        "pair_id": "r-17", "prompt": "Where?", "a": sides[0], "b": sides[1],
        "judgements": [
            {"judge": "judge", "shown_first": "A", "verdict": "B"},
            {"judge": "judge", "shown_first": "B", "verdict": "A"},
            {"judge": "other", "shown_first": "A", "verdict": "tie"},
        ],
    }))  # fmt: skip
    judging = record(tmp_path, pair)
    assert [(await play(judging, order)).choice for order in (1, 2)] == [expected, expected]


async def test_the_judge_is_found_by_its_model_too(tmp_path: Path) -> None:
    lines = [line("baseline", verdict=verdict, judge=verdict) for verdict in ("tie", "baseline")]
    assert (await play(record(tmp_path, *lines, model="baseline"))).choice == 0


async def test_the_only_judge_of_a_file_is_meant_whatever_its_name(tmp_path: Path) -> None:
    assert (await play(record(tmp_path, line("baseline", verdict="tie", judge="gpt-4")))).choice == TIE


def test_a_judge_that_is_not_among_several_is_named_with_the_choices(tmp_path: Path) -> None:
    lines = [line("baseline", verdict="tie", judge=judge) for judge in ("gpt-4", "gpt-3.5")]
    with pytest.raises(DataError, match=r"no pass of judge") as raised:
        record(tmp_path, *lines)
    assert raised.value.expected == "one of gpt-3.5, gpt-4"


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        ({"case": "r-17", "verdict": "tie"}, "passes.jsonl:2: shown_first: missing"),
        ({"shown_first": "baseline", "verdict": "tie"}, "passes.jsonl:2: case: missing"),
        ({"case": "r-17", "shown_first": "candidate"}, "passes.jsonl:2: verdict: missing"),
        ({"case": "r-17", "shown_first": "candidate", "raw": "", "cost_usd": "much"}, "cost_usd: text"),
        ({"case": "r-17", "shown_first": "baseline", "verdict": "tie"}, "a pass that stands twice"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(tmp_path: Path, bad: JsonObject, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        record(tmp_path, line("baseline", verdict="tie"), bad)
