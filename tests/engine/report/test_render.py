"""The same figures in every format, and no text that gets out of its place."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.people import Desk
from tests.engine.report.hostile import attacked, rendered
from tests.engine.shop import ledger

from bothways.engine.analysis.gather import gather
from bothways.engine.facts import JsonObject
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.json import as_json
from bothways.engine.report.formats import FORMATS, Format
from bothways.engine.report.markdown import escaped, fenced
from bothways.engine.review import Act, Said, act

HOSTILE = "a|b\n```\n<img src=x>[x](http://y) \x1b]52;c;QUJD\x07 \u202e @all"


def hostile() -> FakeLedger:
    """refund-flow, whose judge wrote something nasty about every lost row, in an experiment named so."""
    facts = ledger("refund-flow")
    facts.experiment = facts.experiment.model_copy(update={"name": HOSTILE})
    facts.data = [
        replace(r, passes=tuple(replace(p, rationale=HOSTILE) for p in r.passes)) for r in facts.data
    ]
    return facts


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_a_report_holds_the_figures_of_the_article(format: Format) -> None:
    text = rendered(ledger("refund-flow"), format)
    for figure in (
        "11 of 30 (36.7 %)",
        "11 of 29 (37.9 %)",
        "DO NOT SHIP",
        "p = 0.264931",
        "18.1 %",
        "0.5173",
    ):
        assert figure in text
    assert "position bias" in text
    assert "candidate 11, baseline 18, tie 11" in text


def test_the_json_report_contains_the_gate() -> None:
    facts = ledger("refund-flow")
    evidence = gather(facts, "refund-flow", today=AT)
    report = json.loads(rendered(facts, "json"))
    gate = as_json(evaluate(evidence))
    assert {name: report[name] for name in gate} == json.loads(json.dumps(gate))
    assert len(report["fix_list"]) == 18


def test_the_fix_list_has_the_reasons_of_both_passes_and_the_reviewers_note() -> None:
    facts = ledger("shipping-tool")
    losing = next(
        number
        for number, r in enumerate(facts.data)
        if r.passes[0].choice == 0 == 1 - (r.passes[1].choice or 0)
    )
    first, second = facts.data[losing].passes
    facts.data[losing] = replace(
        facts.data[losing],
        passes=(replace(first, rationale="too terse"), replace(second, rationale="no link")),
    )
    evidence = gather(facts, "shipping-tool", today=AT)
    body = act(
        facts, evidence, evaluate(evidence), evidence.rows[losing], Act.CONFIRM, Said("kim", AT, "add it")
    )
    facts.append("review", body, AT)
    text = rendered(facts, "text")
    assert all(said in text for said in ("too terse", "no link", "kim: v4", "add it"))
    assert "judge, first pass (A is v4, B is v5): v4\n      too terse" in text
    assert "judge, second pass (A is v5, B is v4): v4\n      no link" in text


def test_the_report_says_how_often_the_judge_is_right_and_whose_verdict_counts() -> None:
    desk = Desk(*["cc"] * 6, *["bb"] * 4, audit=1.0, high_stakes_tags=(), policy="majority")
    for number in range(1, 11):
        what = Act.CANDIDATE if number in (1, 2, 3, 4, 7) else Act.BASELINE
        desk.does(what, row=number, blind=number < 4)
    lines = [" ".join(line.split()) for line in rendered(desk.facts, "text").splitlines()]
    assert (
        "judge right, audit 7 of 10 rows that it decided (70.0 %, 95 % interval 39.7 % to 89.2 %), "
        "3 of them read blind"
    ) in lines
    corrected = next(line for line in lines if line.startswith("win rate of the judge alone, corrected"))
    assert "(ties: count) 50.0 %, 95 % interval " in corrected
    assert corrected.endswith("; 60.0 % as it stands")
    assert "audit 10 of 10 rows drawn by lot read" in lines
    assert not any(line.startswith("reviewers differ") for line in lines)
    again = rendered(desk.does(Act.TIE, by="lee", note="why").facts, "text")
    said = [" ".join(line.split()) for line in again.splitlines()]
    assert "reviewers differ on 1 row: the majority counts, which leaves 1 undecided" in said


def test_the_fix_list_names_everybody_who_said_something_of_a_lost_row() -> None:
    desk = Desk("bb").does(Act.CANDIDATE, by="kim", note="kinder").does(Act.BASELINE, by="lee", note="short")
    desk.does(Act.NOTE, by="ann", note="ask them")
    text = rendered(desk.facts, "text")
    for who, note in (("kim: v5", "kinder"), ("lee: v4", "short")):
        assert f"    {who}\n      seen\n      {note}\n" in text
    assert "    ann: note\n      ask them\n" in text


def test_the_fix_list_as_json_tells_who_from_what_and_has_the_reason_of_an_override() -> None:
    desk = Desk("cc").does(Act.BASELINE, reason="wrong date", note="ask them")
    (fix,) = json.loads(rendered(desk.facts, "json"))["fix_list"]
    lost = desk.evidence.rows[0]
    assert (fix["case"], fix["high_stakes"]) == (lost.case_id, lost.high_stakes)
    assert fix["said"][0]["who"] == "judge"
    assert {name: fix["said"][-1][name] for name in ("role", "who", "verdict", "reason", "note")} == {
        "role": "reviewer", "who": "kim", "verdict": "baseline", "reason": "wrong date", "note": "ask them",
    }  # fmt: skip


def test_a_judge_that_is_mostly_wrong_is_worth_knowing() -> None:
    desk = Desk(*["cc"] * 6)
    for number in range(1, 7):
        desk.does(Act.BASELINE, row=number)
    assert "mostly wrong: right on 0 of 6 agreed rows that people read" in rendered(desk.facts, "text")


@pytest.mark.parametrize("format", FORMATS)
def test_no_control_character_reaches_a_terminal(format: Format) -> None:
    text = rendered(hostile(), format)
    assert not [c for c in text if c != "\n" and (not c.isprintable() or ord(c) in range(0x7F, 0xA0))]


def test_markdown_keeps_hostile_text_inert() -> None:
    text = rendered(hostile(), "markdown")
    outside = text.split("\n# ", 1)[0]
    inside, fences = False, 0
    fence = ""
    for line in outside.split("\n"):
        if not inside and line.startswith("```"):
            fences += 1
            inside, fence = True, line.removesuffix("text")
        elif inside and line == fence:
            inside = False
        elif not inside:
            assert "<img" not in line
            assert "](" not in line.replace("\\]", "")
            assert "@all" not in line
    assert not inside
    assert fences


def test_a_longer_fence_is_chosen() -> None:
    assert fenced("a\n````\nb").startswith("`````text\n")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a|b", r"a\|b"),
        ("- x", r"\- x"),
        ("1. x", r"1\. x"),
        ("1<2 & 3", "1&lt;2 &amp; 3"),
        ("see http://x and www.y", r"see http\://x and www\.y"),
        ("two\nlines", "two␊lines"),
        ("plain (36.7 %)", "plain (36.7 %)"),
    ],
)
def test_one_line_of_markdown(written: str, shown: str) -> None:
    assert escaped(written) == shown


def test_table_cells_stay_in_their_columns() -> None:
    facts = ledger("refund-flow")
    facts.data = [replace(r, case=replace(r.case, tags={"path|x": "a|b\n"})) for r in facts.data]
    lines = rendered(facts, "markdown").split("\n")
    header, rule, row = lines[lines.index("## By tag") + 2 :][:3]
    assert header.count("|") == rule.count("|") == row.replace("\\|", "").count("|")


def test_unknown_costs_are_called_unknown() -> None:
    text = rendered(ledger("refund-flow"), "text")
    assert "$" not in text
    assert "unknown" in text


def test_a_markdown_reader_finds_no_markup_but_ours() -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = reader.parse(rendered(attacked(), "markdown"))
    inline = [child for token in tokens for child in token.children or ()]
    assert {token.type for token in inline} <= {"text", "text_special", "softbreak"}
    assert not [token for token in tokens if token.type == "html_block"]
    heads = [token.tag for token in tokens if token.type == "heading_open"]
    assert heads.count("h1") == 1


def test_markdown_shows_both_answers_of_a_row_that_matters() -> None:
    text = rendered(ledger("refund-flow"), "markdown")
    card = text[text.index("### c012") :].split("\n### ")[0]
    assert "- why: lost\n- judge: v4\n- counts: v4" in card
    assert "answer of v4\n\n```text\nold 12\n```" in card
    assert "answer of v5\n\n```text\nnew 12\n```" in card


def test_who_reviewed_and_by_which_rule_is_said() -> None:
    facts = ledger("refund-flow")
    evidence = gather(facts, "refund-flow", today=AT)
    row = evidence.rows[0]
    body = act(facts, evidence, evaluate(evidence), row, Act.TIE, Said("kim", AT, reason="r"))
    facts.append("review", {**body, "blind": True}, AT)
    text = rendered(facts, "text")
    assert "where reviewers differ, the latest counts" in text
    assert "  kim       1     1               0                2026-08-06" in text


def test_a_verdict_that_was_taken_back_is_no_row_of_a_reviewer() -> None:
    facts = ledger("refund-flow")
    for what in (Act.TIE, Act.CLEAR):
        evidence = gather(facts, "refund-flow", today=AT)
        result = evaluate(evidence)
        body = act(facts, evidence, result, evidence.rows[0], what, Said("kim", AT, reason="r"))
        facts.append("review", body, AT)
    assert "Who reviewed" not in rendered(facts, "text")


def test_what_was_merged_from_earlier_says_of_itself_whether_it_was_blind() -> None:
    facts = ledger("refund-flow")
    evidence = gather(facts, "refund-flow", today=AT)
    home: JsonObject = {"seq": 1, "at": "2020-01-01T00:00:00.000Z", "hash": "there"}
    marks: tuple[tuple[str, JsonObject], ...] = (
        ("kim", {"blind": True}),
        ("lee", {"blind": False, "home": home}),
    )
    for who, more in marks:
        row = evidence.rows[0]
        body = act(facts, evidence, evaluate(evidence), row, Act.BOTH_BAD, Said(who, AT, reason="r"))
        facts.append("review", {**body, **more}, AT)
    text = rendered(facts, "markdown")
    assert "kim: both bad (blind)" in text
    assert "lee: both bad (blind)" not in text
