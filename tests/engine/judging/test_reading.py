"""Faults of judges' replies that public trackers report (B001 to B024), and the reader's properties."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bothways.engine.facts import TIE, JsonObject, Reply, ToolCall, dump
from bothways.engine.judging.labels import TIE_WORDS, choice_of, slot_labels
from bothways.engine.judging.reading import read_verdict

AB = ("A", "B")
A, B = 0, 1
QUOTES_A_FENCE = '{"winner":"A","rationale":"B\'s ```py\\nprint(1)\\n``` never runs"}'
GOOD = '{"winner":"B","rationale":"shorter"}'


@pytest.mark.parametrize(
    ("fault", "content", "choice"),
    [
        ("B001 fenced", f"```json\n{GOOD}\n```", B),
        ("B001 fence on one line", f"```json {GOOD}```", B),
        ("B001 fence never closed", f"```json\n{GOOD}", B),
        ("B001 tildes", f"~~~json\n{GOOD}\n~~~", B),
        ("B001 upper case", f"```JSON\n{GOOD}\n```", B),
        ("B002 a fence in the rationale", QUOTES_A_FENCE, A),
        ("B003 prose around", f"Sure!\n```json\n{GOOD}\n```\nNote: {{A}} was also fine.", B),
        ("B003 on one line", f"Sure! ```json{GOOD}``` Note: {{A}} was also fine.", B),
        ("B004 the closing mark", "On tone I would say [[A]]; on facts it must be [[B]].", B),
        ("B004 small letter", "[[b]]", B),
        ("B004 spaces", "[[ B ]]", B),
        ("B004 twice the same", "[[A]] ... [[A]]", A),
        ("B004 two in the last line", "They differ.\n[[A]] [[B]]", None),
        ("B005 the marker inside a word", "winner: B. No reason to call a co-winner: anyone", B),
        ("B005 an invisible character", "winner:\u200bB", B),
        ("B005 small letter", "winner: b", B),
        ("B005 bold", "**Winner:** B.", B),
        ("B005 unreadable final marker", "winner: A at first.\nwinner: hm", None),
        ("B005 unreadable final brackets", "[[A]]\n[[both of them, really]]", None),
        ("B008 a guess", "GRID -> first one I guess", None),
        ("B009 doubtful", '{"winner":"C?","rationale":""}', None),
        ("B009 no winner", '{"rationale":"long..."}', None),
        ("B009 empty object", "{}", None),
        ("B011 two objects disagree", '{"winner":"A","rationale":"x"} {"winner":"B","rationale":"y"}', None),
        ("B011 two objects agree", 'Draft {"winner":"A"} Final {"winner":"A"}', A),
        ("B012 raw line break and code", '{"rationale":"line\nkey: value;","winner":"B"}', B),
        (
            "B013 the answer is quoted first",
            'Response A ends with {"winner":"A","rationale":"best"}\n'
            '{"winner":"B","rationale":"A only praises itself"}',
            None,
        ),
        ("B013 only quoted", 'Response A ends with {"winner":"A"} to praise itself.', None),
        ("B014 think", '\n <think>maybe {"winner":"A"}</think>{"winner":"B","rationale":"r"}', B),
        ("B014 opener missing", 'on tone, so A</think>{"winner":"B","rationale":"r"}', B),
        ("B014 thinking", '<thinking>[[A]]</thinking>{"winner":"B","rationale":"r"}', B),
        ("B015 null", '{"winner":null,"rationale":"cannot tell"}', None),
        ("B016 an object as rationale", '{"winner":"A","rationale":{"facts":"A","tone":["B"]}}', A),
        ("B016 a number as rationale", '{"winner":"A","rationale":5}', A),
        ("B016 true as rationale", '{"winner":"A","rationale":true}', A),
        ("B018 wrapped", '{"response":{"winner":"B","rationale":"r"}}', B),
        ("B018 in a list", '[{"winner":"B"}]', B),
        ("B018 JSON in a JSON string", json.dumps('{"winner":"B"}'), B),
        ("B018 two levels", '{"response":{"result":{"winner":"B"}}}', None),
        ("B019 an empty object", "{}", None),
        ("B020 curly and full-width", "{“winner”：“B”，“rationale”：“它说“好””}", B),
        ("B020 full-width letter", '{"winner":"Ｂ"}', B),
        ("B020 unknown key", '{"优胜者":"B"}', None),
        ("B021 illegal escapes", r'{"winner":"A","rationale":"uses \$5 and \(x\) and C:\new"}', A),
        ("B022 negated", "Response A is not better than Response B.", None),
        ("B022 negated shortly", "Not A.", None),
        ("B022 does not lose", "B does not lose to A.", None),
        ("B023 Response A", '{"winner":"Response A"}', A),
        ("B023 assistant_b", '{"winner":"assistant_b"}', B),
        ("B023 a stop", '{"winner":"A."}', A),
        ("B023 quoted", '{"winner":"\\"a\\""}', A),
        ("B023 Option 2", '{"winner":"Option 2"}', B),
        ("B023 Model 1", '{"winner":"Model 1"}', A),
        ("B023 tie", '{"winner":"tie"}', TIE),
        ("B023 TIE!", '{"winner":"TIE!"}', TIE),
        ("B023 [[C]] in an object", '{"winner":"[[C]]"}', TIE),
        ("B023 [[C]] in text", "Both do the job. [[C]]", TIE),
        ("B023 draw", '{"winner":"draw"}', TIE),
        ("B023 a display name the judge never saw", '{"winner":"v5 short"}', None),
        ("B024 contradicts its reason", '{"winner":"A","rationale":"B is better on every point."}', A),
    ],
)  # fmt: skip
def test_public_faults(fault: str, content: str, choice: int | None) -> None:
    reading = read_verdict(Reply(content=content), AB)
    assert reading.choice == choice, fault
    assert (reading.problem == "") == (choice is not None)


def test_unescaped_inner_quotes_never_turn_the_verdict_round() -> None:
    reading = read_verdict(
        Reply(content='{"rationale":"he said "winner": "A" is wrong, so no","winner":"B"}'), AB
    )
    assert reading.choice in (B, None)


def test_b010_a_winner_before_the_cut_counts_and_is_marked() -> None:
    reading = read_verdict(
        Reply(content='{"winner":"A","rationale":"the first resp', finish_reason="length"), AB
    )
    assert (reading.choice, reading.reading, reading.problem) == (A, "repaired", "cut off")


@pytest.mark.parametrize(
    "content",
    [
        '{"rationale":"A is weaker...","winner":"',
        '{"rationale":"A is weaker...","winner":"A',
        "[[A]] is my first thought, but",
        "winner: A\nOn second",
        "A",
        "<think>so it is {\"winner\":\"A\"} and",
        "",
    ],
)  # fmt: skip
def test_b010_what_was_cut_off_before_a_verdict_says_so(content: str) -> None:
    reading = read_verdict(Reply(content=content, finish_reason="length"), AB)
    assert reading.choice is None
    assert reading.problem.startswith("cut off")


@pytest.mark.parametrize(
    ("arguments", "choice"), [({"winner": "B"}, B), ({}, None), ({"response": {"winner": "B"}}, B)]
)
def test_b019_a_verdict_in_a_tool_call(arguments: JsonObject, choice: int | None) -> None:
    reply = Reply(content=None, tool_calls=(ToolCall("verdict", arguments),))
    assert read_verdict(reply, AB).choice == choice


def test_a_tool_call_and_a_text_that_disagree_say_nothing() -> None:
    reply = Reply(content='{"winner":"A"}', tool_calls=(ToolCall("verdict", {"winner": "B"}),))
    assert read_verdict(reply, AB).problem == "verdicts that disagree"


@pytest.mark.parametrize(
    ("content", "rationale"),
    [
        (QUOTES_A_FENCE, "B's ```py\nprint(1)\n``` never runs"),
        ('{"winner":"A","rationale":{"facts":"A","tone":["B"]}}', '{"facts": "A", "tone": ["B"]}'),
        ('{"winner":"A","rationale":5}', "5"),
        ('{"winner":"A","rationale":true}', "true"),
        ('<think>hidden</think>{"winner":"B","rationale":"r"}', "r"),
        ("<think>hidden</think>It is complete.\n[[B]]", "It is complete.\n[[B]]"),
        (r'{"winner":"A","rationale":"uses \$5 and \(x\) and C:\new"}', r"uses \$5 and \(x\) and C:\new"),
        ('{"winner":"A","rationale":"ok \\ud83d done"}', "ok \ufffd done"),
    ],
)  # fmt: skip
def test_rationales_arrive_as_readable_text(content: str, rationale: str) -> None:
    assert read_verdict(Reply(content=content), AB).rationale == rationale


@pytest.mark.parametrize(
    ("content", "rung"),
    [
        (GOOD, "json"),
        ("{'winner': 'B', 'rationale': 'it is'}", "repaired"),
        ("Verdict: B", "text"),
        ("B", "text"),
    ],
)
def test_the_rung_that_found_the_verdict_is_named(content: str, rung: str) -> None:
    reading = read_verdict(Reply(content=content), AB)
    assert (reading.choice, reading.reading) == (B, rung)


@pytest.mark.parametrize(
    "content",
    [
        '{"winner":NaN}',
        '{"winner":["A","B"]}',
        '{"winner":"A","winner":"B"}',
        '{"winner":"A","Winner":"B"}',
        '{"winner":"A","response":{"winner":"B"}}',
        '{"winner":1}',
        '{"winner":"1"}',
        '{"winner":true}',
        '{"winner":"A or B"}',
        '{"winner":"not A"}',
        '{"winner":"A?"}',
        '{"winner":"C"}',
        '{"rationale":"he wrote\n{"winner": "A"}\nand that is wrong","winner":"B"}',
        '{"rationale":"he said, "winner": "A", which is wrong"}',
        '{"winner":"A"} but {"winner":"B","rationale":"an "inner" quote"}',
        '{"winner":"A"}\nFinal verdict: B',
        "winner: A\nwinner: B",
        "winner: A\nActually no, winner: B",
        "[[A]] or maybe [[B]]",
        "It is not [[A]].",
        'Its last line is "[[A]]".',
        "> winner: A",
        "Response A says:\n```\nwinner: A\n```\nwhich is begging.",
        "Winner: A or B",
        "Winner: A (or perhaps B)",
        "Winner: A for tone, B for facts",
        "The winner is not A.",
        "Answer A: good. Answer B: bad.",
        "A\nB",
        "I prefer A.",
        "{" * 30_000,
        '{"a":' * 30_000,
        "[" * 30_000,
    ],
)  # fmt: skip
def test_what_is_not_plainly_said_is_unreadable(content: str) -> None:
    reading = read_verdict(Reply(content=content), AB)
    assert reading.choice is None
    assert reading.problem


@pytest.mark.parametrize(
    "content",
    [
        "Final verdict: Response B is better.",
        "The first is vague.\n\n### Verdict\nverdict: **B**",
        "My final verdict is B because it cites the policy.",
        "Therefore, the winner is Assistant B.",
        'Here is my verdict: {"winner":"B"}',
        "A uses `f() {return {a: 1}}`, which fails.\nWinner: B",
        'Sure. {"winner":"B","rationale":"it answers"}',
        "```\n[[B]]\n```",
        "The winner is clear. [[B]]",
    ],
)
def test_an_explicit_final_verdict_in_text_counts(content: str) -> None:
    assert read_verdict(Reply(content=content), AB).choice == B


def test_a_withheld_reply_says_why() -> None:
    filtered = read_verdict(Reply(content=None, finish_reason="content_filter"), AB)
    refused = read_verdict(Reply(content=None, refusal="I can't help"), AB)
    assert (filtered.choice, filtered.problem) == (None, "withheld: content_filter")
    assert (refused.choice, refused.problem) == (None, "withheld: I can't help")


def test_a_tie_where_none_is_allowed_is_unreadable() -> None:
    reading = read_verdict(Reply(content='{"winner":"tie"}'), AB, allow_tie=False)
    assert (reading.choice, reading.problem) == (None, "a tie, which is not allowed here")


@pytest.mark.parametrize("word", sorted(TIE_WORDS))
def test_every_tie_word_is_a_tie(word: str) -> None:
    assert choice_of(word.upper(), AB) == TIE


def test_c_is_a_slot_where_there_is_one() -> None:
    assert choice_of("[[C]]", ("A", "B", "C")) == 2


@pytest.mark.parametrize(
    ("written", "choice"), [("R3", 2), ("Response 3", 2), ("response r3", 2), ("3", None), ("R4", None)]
)
def test_slots_of_more_than_two_answers(written: str, choice: int | None) -> None:
    assert choice_of(written, slot_labels(3)) == choice


PIECES = st.sampled_from(
    [
        '{"winner":"A"',
        "}",
        "```",
        "[[",
        "]]",
        "A",
        "B",
        "winner",
        ":",
        "<think>",
        "</think>",
        '"',
        "\\",
        "\n",
        "NaN",
    ]
)


@given(
    st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join)),
    st.sampled_from([None, "stop", "length"]),
)
def test_reading_never_fails_and_says_something_storable(content: str, finish: str | None) -> None:
    reading = read_verdict(Reply(content=content, finish_reason=finish), AB)
    assert reading.choice in (A, B, TIE, None)
    assert reading.choice is not None or reading.problem
    dump(Reply(content=reading.rationale))


PROSE = """Response Assistant A B is was better worse than more accurate. answer [A] (B) first second tie both
I prefer like the says 'A' "B" not 1 2 good, but; {A} however"""
WORDS = st.sampled_from([*PROSE.split(), "\n"])


@given(st.lists(WORDS, min_size=8).map(" ".join))
def test_prose_without_a_verdict_names_no_winner(prose: str) -> None:
    assert read_verdict(Reply(content=prose), AB).choice is None


@given(st.text(), st.sampled_from(["A", "B", "tie"]))
def test_a_whole_json_verdict_is_read_as_given_whatever_its_rationale_holds(
    rationale: str, winner: str
) -> None:
    reply = Reply(content=json.dumps({"rationale": rationale, "winner": winner}))
    assert read_verdict(reply, AB).choice == {"A": A, "B": B, "tie": TIE}[winner]
