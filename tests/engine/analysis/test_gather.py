"""From facts to evidence: choices, stakes, costs, warnings, reviews of what is still there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.ledger_fake import AT, FakeLedger, FakePass, FakeRow
from tests.engine.shop import experiment, ledger, row

from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.model import ToolState
from bothways.engine.errors import UsageError
from bothways.engine.experiment import Judge, Tool, Variant
from bothways.engine.facts import Answer, Failure, FailureKind, JsonObject, ToolCall, Usage
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import State
from bothways.engine.gate.queue import queue
from bothways.engine.verdicts import Outcome


def shop(*rows: FakeRow) -> FakeLedger:
    return FakeLedger(experiment(), list(rows))


def with_answers(made: FakeRow, old: Answer, new: Answer) -> FakeRow:
    return replace(made, answers=(("v4", old), ("v5", new)))


def test_several_candidates_have_to_be_named() -> None:
    facts = shop(row(1, "cc"))
    spec = facts.experiment
    facts.experiment = spec.model_copy(update={"candidates": (*spec.candidates, Variant(name="v6"))})
    with pytest.raises(UsageError, match="there are: v5, v6"):
        gather(facts, "exp", today=AT)
    assert gather(facts, "exp", candidate="v5", today=AT).candidate == "v5"
    with pytest.raises(UsageError, match="no candidate “v9”"):
        gather(facts, "exp", candidate="v9", today=AT)


def test_another_baseline_turns_the_sides() -> None:
    facts = shop(row(1, "cc"))
    facts.experiment = facts.experiment.model_copy(update={"imported": True})
    seen = gather(facts, "exp", baseline="v5", today=AT)
    assert (seen.candidate, seen.rows[0].winner) == ("v4", "baseline")


def test_imported_rows_of_other_variants_are_no_rows_of_this_comparison() -> None:
    other = replace(row(2, "cc"), answers=(("v4", Answer("a")), ("v6", Answer("b"))))
    facts = shop(row(1, "cc"), other)
    spec = facts.experiment
    more = (*spec.candidates, Variant(name="v6"))
    facts.experiment = spec.model_copy(update={"candidates": more, "imported": True})
    assert [r.case_id for r in gather(facts, "exp", candidate="v5", today=AT).rows] == ["c001"]


def test_a_winner_between_two_equal_texts_is_a_warning_with_the_count() -> None:
    equal = [with_answers(row(n, said), Answer("same"), Answer("same")) for n, said in ((1, "cc"), (2, "tt"))]
    warnings = gather(shop(*equal, row(3, "cc")), "exp", today=AT).warnings
    assert [said for said in warnings if "equal" in said] == [
        "on 1 row the judge named a winner between two equal texts"
    ]


def test_a_changed_call_of_a_tool_that_nobody_declared_wants_a_signature() -> None:
    before, after = (Answer(n, tool_calls=(ToolCall("refund", {"x": n}),)) for n in ("1", "999"))
    assert (
        gather(shop(with_answers(row(1, "cc"), before, after)), "exp", today=AT).rows[0].tools
        is ToolState.CHANGED
    )


def test_a_cases_own_mark_beats_its_tags() -> None:
    facts = shop(
        row(1, "cc", tags={"path": "refund"}),
        row(2, "cc", tags={"Refund": "yes"}),
        row(3, "cc", tags={"path": "orders"}),
        row(4, "cc", tags={"path": "refund"}, high_stakes=False),
        row(5, "cc", high_stakes=True),
    )
    assert [r.high_stakes for r in gather(facts, "exp", today=AT).rows] == [True, True, False, False, True]


def test_what_a_provider_did_not_say_it_cost_is_unknown() -> None:
    used = Usage(100, 20, 0)
    facts = shop(
        with_answers(
            row(1, "cc"), Answer("a", cost_usd=0.25, usage=used), Answer("b", cost_usd=0.0, usage=used)
        ),
        with_answers(row(2, "cc"), Answer("a", cost_usd=0.5, usage=used), Answer("b", usage=Usage())),
    )
    costs = gather(facts, "exp", today=AT).costs
    assert (costs["baseline"].cost_usd, costs["baseline"].unknown, costs["baseline"].prompt_tokens) == (
        0.75,
        0,
        200,
    )
    assert (costs["candidate"].unknown, costs["candidate"].prompt_tokens) == (2, None)
    assert evaluate(gather(facts, "exp", today=AT)).figures.costs["candidate"].known_usd is None


def test_an_old_snapshot_is_pointed_out() -> None:
    facts = shop(row(1, "cc"))
    assert gather(facts, "exp", today="2026-08-06").warnings == ()
    assert gather(facts, "exp", today="2026-08-09").warnings == (
        "the baseline's answers are from 2026-08-06, 3 days ago",
    )


def test_a_model_that_changed_under_its_name_is_pointed_out() -> None:
    made = with_answers(row(1, "cc"), Answer("a", model="m-2026-01"), Answer("b", model="m-2026-02"))
    warnings = gather(shop(made), "exp", today=AT).warnings
    assert warnings == ("the snapshot came from m-2026-01, the candidate's answers from m-2026-02",)
    swapped = with_answers(row(1, "cc"), Answer("a", model="other"), Answer("b", model="other"))
    assert "the candidate asked for m and other answered" in gather(shop(swapped), "exp", today=AT).warnings


def test_a_judge_of_the_candidates_family_is_pointed_out() -> None:
    facts = shop(row(1, "cc"))
    variant = facts.experiment.candidates[0].model_copy(update={"model": "openai/gpt-4o-mini"})
    update = {"candidates": (variant,), "judge": Judge(name="judge", model="azure/gpt-5")}
    facts.experiment = facts.experiment.model_copy(update=update)
    assert any("same family" in warning for warning in gather(facts, "exp", today=AT).warnings)


def test_every_candidate_night_and_take_on_a_snapshot_is_one_more_try() -> None:
    facts = shop(row(1, "cc"))
    facts.tried = [("exp", "v5", "2026-08-06"), ("exp", "v5", "2026-08-07"), ("older", "v3", "2026-08-01")]
    facts.takes = 2
    assert gather(facts, "exp", today=AT).tried == 3


def test_a_row_that_lacks_the_newest_take_is_counted() -> None:
    facts = shop(row(1, "cc"))
    facts.takes = 2
    assert gather(facts, "exp", today=AT).waiting == 1
    assert evaluate(gather(facts, "exp", today=AT)).condition("complete").state is State.UNKNOWN


def test_a_candidate_without_an_answer_fails_coverage_and_is_no_loss() -> None:
    silent = Answer(failure=Failure(FailureKind.TIMEOUT, "no reply"))
    facts = ledger("shipping-tool")
    facts.data[0] = replace(facts.data[0], answers=(facts.data[0].answers[0], ("v5", silent)), passes=())
    seen = gather(facts, "shipping-tool", today=AT)
    assert (seen.rows[0].outcome, seen.rows[0].failed) == (Outcome.ERROR, ("candidate",))
    result = evaluate(seen)
    assert result.condition("coverage").state is State.FAIL
    assert result.decision.exit_code == 1


def test_writing_are_those_the_spec_marks() -> None:
    tools = (Tool(name="refund", writes=True), Tool(name="get"))
    facts = shop(
        with_answers(row(1, "cc"), Answer("a", tool_calls=(ToolCall("get", {"id": "7"}),)),
                     Answer("b", tool_calls=(ToolCall("get", {"id": "8"}),))),
        with_answers(row(2, "cc"), Answer("a", tool_calls=(ToolCall("refund", {"id": "7"}),)),
                     Answer("b", tool_calls=(ToolCall("refund", {"id": "8"}),))),
        row(3, "cc"),
    )  # fmt: skip
    baseline = facts.experiment.baseline.model_copy(update={"tools": tools})
    facts.experiment = facts.experiment.model_copy(update={"baseline": baseline})
    states = [r.tools for r in gather(facts, "exp", today=AT).rows]
    assert states == [ToolState.SAME, ToolState.CHANGED, ToolState.NONE]
    assert evaluate(gather(facts, "exp", today=AT)).tool_diffs_unsigned == ("c002",)


def test_a_required_tool_that_only_the_baseline_calls() -> None:
    made = with_answers(row(1, "cc"), Answer("a", tool_calls=(ToolCall("get"),)), Answer("b"))
    facts = shop(replace(made, case=replace(made.case, tool_rules=({"required": "get"},))))
    seen = gather(facts, "exp", today=AT)
    assert seen.rows[0].tools is ToolState.BROKEN
    assert evaluate(seen).condition("tool_discipline").state is State.FAIL


def test_the_worst_rows_come_first_in_the_queue() -> None:
    facts = shop(
        row(1, "cc"), row(2, "bb"), row(3, "ct"), row(4, "cb"), row(5, "tt", high_stakes=True), row(6, "uc")
    )
    seen = gather(facts, "exp", today=AT)
    items = queue(seen, evaluate(seen))
    assert [item.case_id for item in items] == ["c005", "c004", "c003", "c006", "c002", "c001"]
    assert items[0].reason == "required"
    assert not any(item.done for item in items)


def test_position_bias_is_measured_over_both_passes() -> None:
    assert gather(ledger("refund-flow"), "refund-flow", today=AT).first_shown == (29, 70)
    single = shop(replace(row(1, "cc"), passes=row(1, "cc").passes[:1]))
    single.experiment = single.experiment.model_copy(update={"imported": True})
    seen = gather(single, "exp", today=AT)
    assert seen.first_shown == (0, 0)
    assert seen.passes["first"]["candidate"] == 1


def test_where_the_project_lies_is_no_fact() -> None:
    facts = shop(row(1, "cc"))
    here = gather(facts, "exp", today=AT).facts_hash
    moved = facts.experiment.baseline.model_copy(
        update={"folder": "/elsewhere", "replay": "/elsewhere/a.jsonl"}
    )
    facts.experiment = facts.experiment.model_copy(update={"baseline": moved})
    assert gather(facts, "exp", today=AT).facts_hash == here


def ruled(*rules: JsonObject) -> FakeLedger:
    """Two rows that call the same tool; the first case has these rules."""
    made = with_answers(row(1, "cc"), Answer("a", tool_calls=(ToolCall("get"),)),
                        Answer("b", tool_calls=(ToolCall("get"),)))  # fmt: skip
    return shop(replace(made, case=replace(made.case, tool_rules=rules)), row(2, "cc"))


def hashed(facts: FakeLedger) -> str:
    return gather(facts, "exp", today=AT).facts_hash


def test_every_fact_that_counts_is_in_the_hash() -> None:
    plain = ruled()
    first, second = plain.data
    others = [
        ruled({"required": "get"}),
        ruled({"required": "close"}),
        FakeLedger(plain.experiment, [second, first]),
        FakeLedger(plain.experiment, [first, replace(second, passes=row(2, "cb").passes)]),
        FakeLedger(plain.experiment, [first, replace(second, passes=second.passes[:1])]),
        FakeLedger(plain.experiment, [first, with_answers(second, Answer("new 2"), Answer("old 2"))]),
        FakeLedger(plain.experiment, [first, second], nights=2),
        FakeLedger(plain.experiment, [first, second], takes=2),
        FakeLedger(experiment(min_decided=3), [first, second]),
    ]
    hashes = [hashed(facts) for facts in (plain, *others)]
    assert len(set(hashes)) == len(hashes)


def test_what_was_not_tried_is_no_fact() -> None:
    facts = shop(row(1, "c-"))
    asked_less = shop(replace(row(1, "c-"), passes=row(1, "c-").passes[:1]))
    assert hashed(facts) == hashed(asked_less)


def test_what_another_candidate_did_is_no_fact_of_this_one() -> None:
    facts = ruled()
    spec = facts.experiment
    facts.experiment = spec.model_copy(update={"candidates": (*spec.candidates, Variant(name="v6"))})
    alone = gather(facts, "exp", candidate="v5", today=AT)
    third = ("v6", Answer("c", tool_calls=(ToolCall("refund"),)))
    passes = tuple(FakePass(shown, 0) for shown in (("v4", "v6"), ("v6", "v4")))
    facts.data = [
        replace(made, answers=(*made.answers, third), passes=(*made.passes, *passes)) for made in facts.data
    ]
    beside = gather(facts, "exp", candidate="v5", today=AT)
    assert (beside.facts_hash, beside.passes, beside.costs) == (alone.facts_hash, alone.passes, alone.costs)
