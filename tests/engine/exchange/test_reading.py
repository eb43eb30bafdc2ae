"""What a file of pairs says, as facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bothways.engine.errors import DataError, UsageError
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.exchange.parts import NOT_FREE
from bothways.engine.experiment import Experiment
from bothways.engine.facts import TIE, FailureKind
from bothways.engine.ledger import ImportedRow

Line = dict[str, Any]


def pair(pair_id: object = "r-1", a: object = "v4", b: object = "v5", **fields: object) -> Line:
    return {
        "pair_id": pair_id,
        "prompt": "Where is my order?",
        "a": {"model": a, "text": "On its way."},
        "b": {"model": b, "text": "No idea."},
        **fields,
    }


def write(folder: Path, *lines: object) -> Path:
    path = folder / "pairs.jsonl"
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, **options: Any) -> tuple[Experiment, list[ImportedRow]]:
    experiment, rows = read_pairs(path, **options)
    return experiment, list(rows)


def judged(shown_first: str, verdict: str | None, judge: str = "gpt") -> Line:
    return {"judge": judge, "shown_first": shown_first, "verdict": verdict}


REVIEW: Line = {
    "candidate": "v5", "case": "r-1", "pair": "p", "tools": "t", "act": "confirm", "verdict": "tie",
    "reviewer": "kim", "seq": 3, "at": "2026-01-01T00:00:00Z",
}  # fmt: skip


def tokens(prompt: int, completion: int) -> Line:
    return {"prompt_tokens": prompt, "completion_tokens": completion}


def test_a_is_the_baseline_and_comes_first(tmp_path: Path) -> None:
    experiment, rows = read(write(tmp_path, pair()))
    assert (experiment.baseline.name, [v.name for v in experiment.candidates]) == ("v4", ["v5"])
    assert experiment.imported
    assert [one.variant for one in rows[0].answers] == ["v4", "v5"]


def test_variants_without_a_name_are_called_by_their_side(tmp_path: Path) -> None:
    line = pair() | {"a": {"text": "x"}, "b": {"text": "y"}}
    experiment, _ = read(write(tmp_path, line))
    assert [v.name for v in experiment.variants] == ["A", "B"]


def test_a_named_baseline_that_stands_in_b_is_put_first(tmp_path: Path) -> None:
    experiment, rows = read(write(tmp_path, pair()), baseline="v5")
    assert experiment.baseline.name == "v5"
    assert [one.variant for one in rows[0].answers] == ["v5", "v4"]


def test_of_two_variants_the_baseline_comes_first_on_every_row(tmp_path: Path) -> None:
    _, rows = read(write(tmp_path, pair(), pair("r-2", a="v5", b="v4")))
    assert [row.answers[0].variant for row in rows] == ["v4", "v4"]


def test_rows_that_compare_different_variants_make_one_experiment_of_many(tmp_path: Path) -> None:
    path = write(tmp_path, pair("1", "m1", "m2"), pair("2", "m3", "m1"), pair("3", "m2", "m3"))
    experiment, rows = read(path)
    assert [v.name for v in experiment.variants] == ["m1", "m2", "m3"]
    assert [[one.variant for one in row.answers] for row in rows] == [
        ["m1", "m2"],
        ["m3", "m1"],
        ["m2", "m3"],
    ]


def test_an_unknown_baseline_names_the_variants_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="v4, v5"):
        read(write(tmp_path, pair()), baseline="v6")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"act": "approve"}, "act"), ({"act": None}, "act"), ({"verdict": "v5"}, "verdict"),
        ({"verdict": None}, "verdict"), ({"act": "tools"}, "signed"), ({"signed": 1}, "signed"),
        ({"reviewer": " "}, "reviewer"), ({"reviewer": ["kim"]}, "reviewer"), ({"case": "r-2"}, "case"),
        ({"candidate": "v6"}, "candidate"), ({"pair": None}, "pair"), ({"tools": {}}, "tools"),
        ({"both_bad": "perhaps"}, "both_bad"), ({"note": 7}, "note"), ({"undoes": "x"}, "undoes"),
        ({"seq": "x"}, "seq"), ({"at": 1}, "at"),
    ],
)  # fmt: skip
def test_a_review_that_could_not_be_read_later_is_refused(tmp_path: Path, wrong: Line, field: str) -> None:
    with pytest.raises(DataError) as caught:
        read(write(tmp_path, pair(), pair(reviews=[REVIEW, REVIEW | wrong]) | {"pair_id": "r-1", "night": 2}))
    assert (caught.value.place.line, caught.value.place.field) == (2, f"reviews[1].{field}")


def test_a_review_that_is_no_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a mapping"):
        read(write(tmp_path, pair(reviews=["kim: fine"])))


@pytest.mark.parametrize(
    "side", [{"text": ""}, {"text": " \n\t"}, {"text": "", "tool_calls": [{"name": "t"}]},
             {"messages": [{"role": "assistant", "tool_calls": [{"name": "t"}]}]}]
)  # fmt: skip
def test_an_answer_without_a_word_is_a_failure(tmp_path: Path, side: Line) -> None:
    _, rows = read(write(tmp_path, pair() | {"b": {"model": "v5"} | side}))
    failures = [one.answer.failure for one in rows[0].answers]
    assert failures[0] is None
    assert failures[1] is not None
    assert failures[1].kind is FailureKind.EXTRACTION


@pytest.mark.parametrize("again", ["A", "B", "tie"])
def test_a_judge_that_speaks_twice_in_one_order_is_refused_whatever_it_says(
    tmp_path: Path, again: str
) -> None:
    said = [judged("A", "A"), judged("B", "A"), judged("A", again)]
    with pytest.raises(DataError, match="second judgement of gpt") as caught:
        read(write(tmp_path, pair(judgements=said)))
    assert (caught.value.place.line, caught.value.place.field) == (1, "judgements[2].shown_first")


def test_a_judge_may_speak_again_in_another_take(tmp_path: Path) -> None:
    said = [judged("A", "A"), judged("A", "B") | {"take": 2}, judged("A", "B", "claude")]
    _, rows = read(write(tmp_path, pair(judgements=said)))
    assert len(rows[0].passes) == 3


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"usage": {"prompt_tokens": 99999999999999999999999}}, "a.usage.prompt_tokens"),
        ({"usage": {"completion_tokens": -1}}, "a.usage.completion_tokens"),
        ({"cost_usd": -0.5}, "a.cost_usd"), ({"cost_usd": 10**400}, "a.cost_usd"),
        ({"duration_s": 1e300}, "a.duration_s"),
        ({"tool_calls": [{"name": "t", "turn": 2**63}]}, "a.tool_calls[0].turn"),
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_meant_are_refused(tmp_path: Path, wrong: Line, field: str) -> None:
    line = pair()
    line["a"] |= wrong
    with pytest.raises(DataError) as caught:
        read(write(tmp_path, line))
    assert (caught.value.place.line, caught.value.place.field) == (1, field)


def test_what_is_nested_too_deeply_to_be_stored_is_refused(tmp_path: Path) -> None:
    deep = json.dumps(pair(origin=0)).replace('"origin": 0', f'"origin": {"[" * 900}{"]" * 900}')
    with pytest.raises(DataError, match="nested deeper") as caught:
        read(write(tmp_path, pair("r-0"), deep))
    assert caught.value.place.line == 2


@pytest.mark.parametrize("name", ["tie", "Tie", "both bad", "both-bad", "confirm", "ok", "skip", "undo"])
def test_a_variant_called_like_a_word_of_the_review_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError) as caught:
        read(write(tmp_path, pair(), pair("r-2", b=name)))
    assert (caught.value.place.line, caught.value.place.field) == (2, "b.model")


@pytest.mark.parametrize("names", [("candidate", "v5"), ("v4", "baseline"), ("candidate", "baseline")])
def test_a_variant_called_like_the_other_side_is_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    with pytest.raises(DataError, match="called"):
        read(write(tmp_path, pair(a=names[0], b=names[1])))


def test_a_variant_may_be_called_like_its_own_side(tmp_path: Path) -> None:
    path = write(tmp_path, pair(a="candidate", b="baseline"))
    experiment, _ = read(path, baseline="baseline")
    assert [variant.name for variant in experiment.variants] == ["baseline", "candidate"]


@pytest.mark.parametrize(
    ("line", "field"), [(pair("x" * 1001), "pair_id"), (pair(a="x" * 201), "a.model"), (pair(" "), "pair_id")]
)
def test_names_that_fit_no_table_are_refused(tmp_path: Path, line: Line, field: str) -> None:
    with pytest.raises(DataError) as caught:
        read(write(tmp_path, line))
    assert (caught.value.place.line, caught.value.place.field) == (1, field)


@pytest.mark.parametrize("name", [" ", "x" * 201, "\udcff\udcfe"])
def test_an_experiment_is_not_given_a_name_that_cannot_be_shown_or_stored(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="No experiment can have this name"):
        read(write(tmp_path, pair()), name=name)


@pytest.mark.parametrize(
    ("shown_first", "verdict", "shown", "choice"),
    [
        ("A", "A", ("v4", "v5"), 0),
        ("A", "B", ("v4", "v5"), 1),
        ("B", "A", ("v5", "v4"), 1),
        ("B", "B", ("v5", "v4"), 0),
        ("B", "tie", ("v5", "v4"), TIE),
        ("A", None, ("v4", "v5"), None),
    ],
)
def test_a_verdict_already_mapped_is_the_place_in_the_order_shown(
    tmp_path: Path, shown_first: str, verdict: str | None, shown: tuple[str, str], choice: int | None
) -> None:
    _, rows = read(write(tmp_path, pair(judgements=[judged(shown_first, verdict)])))
    judge, names, result, *_ = rows[0].passes[0]
    assert (judge, names, result.choice) == ("gpt", shown, choice)


def test_a_moved_baseline_leaves_the_verdicts_with_their_variants(tmp_path: Path) -> None:
    _, rows = read(write(tmp_path, pair(judgements=[judged("A", "A")])), baseline="v5")
    _, shown, result, *_ = rows[0].passes[0]
    assert result.choice is not None
    assert shown[result.choice] == "v4"


def test_votes_and_gold_are_labels_that_name_variants(tmp_path: Path) -> None:
    humans = [{"annotator": "kim", "verdict": "B", "note": "kinder"}, {"annotator": 7, "verdict": None}]
    _, rows = read(write(tmp_path, pair(humans=humans, gold="tie")))
    assert rows[0].labels == (("kim", "v5", "kinder"), ("7", None, ""), ("gold", "tie", ""))


def test_votes_may_come_in_as_reviews_but_gold_stays_a_label(tmp_path: Path) -> None:
    humans = [{"annotator": "kim", "verdict": "B", "note": "kinder"}]
    _, rows = read(write(tmp_path, pair(humans=humans, gold="A")), name="shop", as_reviews=True)
    review = rows[0].reviews[0]
    assert rows[0].labels == (("gold", "v4", ""),)
    assert (review["experiment"], review["case"], review["act"]) == ("shop", "r-1", "verdict")
    assert (review["verdict"], review["reviewer"], review["note"]) == ("candidate", "kim", "kinder")


def test_the_reviews_of_an_export_come_in_under_the_new_name_with_their_hash(tmp_path: Path) -> None:
    review = REVIEW | {"experiment": "old", "hash": "ab12"}
    _, rows = read(write(tmp_path, pair(reviews=[review])), name="new")
    assert rows[0].reviews == ({**review, "experiment": "new"},)


def test_unknown_fields_are_kept_where_they_stood(tmp_path: Path) -> None:
    line = pair(origin="crm", judgements=[judged("A", "A") | {"seed": 3}])
    line["a"]["shard"] = 2
    _, rows = read(write(tmp_path, line))
    assert rows[0].case.extra == {"origin": "crm"}
    assert rows[0].answers[0][1].extra == {"shard": 2}
    assert rows[0].passes[0][2].extra == {"seed": 3}


def test_messages_stand_for_text_and_their_tool_results_are_joined(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id": "7"}'}}
    messages = [
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "Where is 7?"},
        {
            "role": "assistant",
            "tool_calls": [call],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2},
            "cost": 0.25,
        },
        {"role": "tool", "tool_call_id": "c1", "content": "shipped"},
        {
            "role": "assistant",
            "content": "Shipped.",
            "usage": {"prompt_tokens": 20, "completion_tokens": 3},
            "cost": 0.5,
        },
        {"role": "user", "content": "Thanks!"},
    ]
    line = pair() | {"a": {"model": "v4", "messages": messages}}
    _, rows = read(write(tmp_path, line))
    answer = rows[0].answers[0][1]
    call_made = answer.tool_calls[0]
    assert answer.text == "Shipped."
    assert (call_made.name, call_made.arguments, call_made.result, call_made.turn) == (
        "get_order", {"id": "7"}, "shipped", 1,
    )  # fmt: skip
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.cost_usd) == (30, 5, 0.75)


def test_cost_and_duration_are_read_from_eval_too(tmp_path: Path) -> None:
    line = pair()
    line["a"]["eval"] = {"agent_cost_usd": 0.5, "duration_s": 3.5, "reward": 1}
    _, rows = read(write(tmp_path, line))
    answer = rows[0].answers[0][1]
    assert (answer.cost_usd, answer.duration_s) == (0.5, 3.5)
    assert answer.extra == {"eval": {"agent_cost_usd": 0.5, "duration_s": 3.5, "reward": 1}}


def test_a_cost_of_nothing_for_used_tokens_is_unknown_and_said_so(tmp_path: Path) -> None:
    line = pair()
    line["a"] |= {"cost_usd": 0.0, "usage": {"prompt_tokens": 5, "completion_tokens": 1}}
    line["b"] |= {"cost_usd": 0.0}
    _, rows = read(write(tmp_path, line))
    priced, free = (one.answer for one in rows[0].answers)
    assert (priced.cost_usd, priced.notes) == (None, (NOT_FREE,))
    assert (free.cost_usd, free.notes) == (0.0, ())


def test_without_a_prompt_the_common_first_message_is_what_was_asked(tmp_path: Path) -> None:
    asked = [{"role": "user", "content": "Hi, where is 7?"}, {"role": "assistant", "content": "Here."}]
    line = pair() | {"a": {"model": "v4", "messages": asked}, "b": {"model": "v5", "messages": asked}}
    del line["prompt"]
    _, rows = read(write(tmp_path, line))
    assert rows[0].case.input == "Hi, where is 7?"


def test_where_the_first_messages_differ_the_task_is_what_was_asked(tmp_path: Path) -> None:
    line = pair(task={"reason_for_call": "Return a lamp", "unknown_info": None})
    for side, said in (("a", "Hi"), ("b", "Hello")):
        line[side]["messages"] = [{"role": "user", "content": said}, {"role": "assistant", "content": "Yes?"}]
    del line["prompt"]
    _, rows = read(write(tmp_path, line))
    assert rows[0].case.input == "reason for call: Return a lamp"
    assert rows[0].case.extra == {"task": {"reason_for_call": "Return a lamp", "unknown_info": None}}


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        ("timeout: after 120 s", FailureKind.TIMEOUT, "after 120 s"),
        ("it broke", FailureKind.MISSING, "it broke"),
        ({"kind": "wrong key", "message": "401"}, FailureKind.AUTH, "401"),
    ],
)
def test_an_error_stands_in_place_of_an_answer(
    tmp_path: Path, error: object, kind: FailureKind, message: str
) -> None:
    _, rows = read(write(tmp_path, pair() | {"a": {"model": "v4", "error": error}}))
    failure = rows[0].answers[0][1].failure
    assert failure is not None
    assert (failure.kind, failure.message) == (kind, message)


def test_numbers_and_booleans_that_a_loader_made_of_texts_are_texts_again(tmp_path: Path) -> None:
    line = pair(7, tags={"size": 3, "vip": True}) | {"a": {"model": 4, "text": True}}
    experiment, rows = read(write(tmp_path, line))
    assert rows[0].case.id == "7"
    assert rows[0].case.tags == {"size": "3", "vip": "true"}
    assert experiment.baseline.name == "4"
    assert rows[0].answers[0][1].text == "true"


def test_lone_surrogates_become_replacement_characters(tmp_path: Path) -> None:
    _, rows = read(write(tmp_path, pair(context="ok \ud800 done", **{"k\udfff": 1})))
    assert rows[0].case.context == "ok \ufffd done"
    assert rows[0].case.extra == {"k\ufffd": 1}


def test_blank_lines_and_a_byte_order_mark_are_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeff" + json.dumps(pair("1")), "", "   ", pair("2"))
    _, rows = read(path)
    assert [row.case.id for row in rows] == ["1", "2"]


def test_utf_16_is_read_where_a_byte_order_mark_declares_it(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(pair(context="früh"), ensure_ascii=False) + "\n", encoding="utf-16")
    _, rows = read(path)
    assert rows[0].case.context == "früh"


@pytest.mark.parametrize(
    ("line", "field", "expected"),
    [
        (pair() | {"a": {"model": "v4"}}, "a", "text, messages, or the error"),
        (pair(a="v5"), "b.model", "two different variants"),
        ({"a": {}, "b": {}}, "pair_id", "text"),
        (pair(""), "pair_id", "text"),
        (pair(judgements=[judged("A", "C")]), "judgements[0].verdict", "one of A, B, tie"),
        (pair(judgements=[judged("left", "A")]), "judgements[0].shown_first", "one of A, B"),
        (pair(high_stakes="maybe"), "high_stakes", "true or false"),
        (pair(tags={"x": {"y": 1}}), "tags.x", "text"),
        (pair(humans=[{"annotator": "kim"}]), "humans[0].verdict", "A, B, tie or null"),
        (pair() | {"a": {"text": "x", "cost_usd": -1}}, "a.cost_usd", "a number, 0 or more"),
        (pair() | {"a": {"messages": [{"role": "bot"}]}}, "a.messages[0].role", "one of system, user"),
        ("[1, 2]", "", "one JSON object a line"),
        ("null", "", "one JSON object a line"),
        ('{"pair_id": NaN}', "", "JSON"),
        ('{"pair_id": 1e999}', "", "JSON"),
        ('{"pair_id": 1},', "", "one JSON value"),
        ("[" * 100_000, "", "JSON"),
    ],
)
def test_what_is_wrong_names_file_line_and_field(
    tmp_path: Path, line: object, field: str, expected: str
) -> None:
    path = write(tmp_path, pair("first"), "", line)
    with pytest.raises(DataError) as caught:
        read(path)
    place = caught.value.place
    assert (place.file, place.line, place.field) == (str(path), 3, field)
    assert expected in caught.value.expected


def test_what_is_no_json_is_known_before_anything_is_streamed(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"pairs\.jsonl:2"):
        read_pairs(write(tmp_path, pair(), "{"))


def test_a_double_pair_names_both_lines(tmp_path: Path) -> None:
    path = write(tmp_path, pair("1"), pair("2"), pair("1", a="v5", b="v4"))
    with pytest.raises(DataError, match=r"pairs.jsonl:3: pair_id: '1' stands on line 1 already"):
        read_pairs(path)


def test_several_candidates_beside_the_same_answer_are_one_row(tmp_path: Path) -> None:
    _, rows = read(write(tmp_path, pair("1"), pair("1", b="v6"), pair("2", b="v6")))
    assert [(row.case.id, [one.variant for one in row.answers]) for row in rows] == [
        ("1", ["v4", "v5", "v6"]),
        ("2", ["v4", "v6"]),
    ]


@pytest.mark.parametrize(
    "other",
    [
        pair("1", b="v6", context="another case"),
        pair("1", b="v6") | {"a": {"model": "v4", "text": "Another answer."}},
        pair("1", b="v6", humans=[{"annotator": "kim", "verdict": "A"}]),
        pair("1", a="v7", b="v6"),
    ],
)
def test_what_differs_in_more_than_the_candidate_is_a_row_of_its_own(tmp_path: Path, other: Line) -> None:
    _, rows = read(write(tmp_path, pair("1"), other))
    assert [len(row.answers) for row in rows] == [2, 2]


def test_nights_and_takes_join_their_row_and_the_frozen_answer_is_kept_once(tmp_path: Path) -> None:
    second = judged("A", "B") | {"take": 2}
    _, rows = read(
        write(tmp_path, pair(judgements=[judged("A", "A"), second]), pair(night=2, judgements=[second]))
    )
    assert [(one.variant, one.night) for one in rows[0].answers] == [("v4", 1), ("v5", 1), ("v5", 2)]
    assert [(one.night, one.take) for one in rows[0].passes] == [(1, 1), (1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("lines", "field"),
    [
        ((pair("1"), pair("2"), pair("1", night=2)), "pair_id"),
        ((pair("1"), pair("1", night=2), pair("1", night=2)), "pair_id"),
        ((pair("1"), pair("2"), pair("2", night=2, context="another case")), ""),
        ((pair("1"), pair("2"), pair("2", night=2, gold="A")), ""),
        ((pair("1"), pair("2"), pair("2", night=0)), "night"),
        ((pair("1"), pair("2"), pair("2", night=10**9)), "night"),
    ],
)
def test_a_night_that_does_not_fit_its_row_is_an_error(
    tmp_path: Path, lines: tuple[Line, ...], field: str
) -> None:
    with pytest.raises(DataError) as caught:
        read(write(tmp_path, *lines))
    assert (caught.value.place.line, caught.value.place.field) == (3, field)


def test_bytes_that_are_no_text_are_an_error_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(json.dumps(pair()).encode() + b'\n{"pair_id": "\x93hi\x94"}\n')
    with pytest.raises(DataError, match=r"pairs.jsonl:2: byte 13 \(0x93\)"):
        read_pairs(path)


def test_an_empty_file_and_a_missing_one_are_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no pairs"):
        read_pairs(write(tmp_path))
    with pytest.raises(DataError, match="No such file"):
        read_pairs(tmp_path / "nowhere.jsonl")
