from __future__ import annotations

import codecs
import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bothways.engine.cases.load import load_cases
from bothways.engine.errors import BothwaysError, DataError
from bothways.engine.facts import Case, Message, ToolCall

Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def complaint(path: Path, mapping: dict[str, str] | None = None) -> DataError:
    with pytest.raises(DataError) as caught:
        load_cases(path, mapping)
    assert caught.value.place.file == str(path)
    return caught.value


def one(path: Path) -> Case:
    (case,) = load_cases(path)
    return case


FORMS = {
    "c.csv": "id,prompt\n1,hi\n",
    "c.json": '[{"id": 1, "prompt": "hi"}]',
    "c.jsonl": '{"id": 1, "prompt": "hi"}\n',
    "c.yaml": "- id: 1\n  prompt: hi\n",
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_case(write: Write, name: str) -> None:
    assert one(write(name, FORMS[name])) == Case(id="1", messages=(Message("user", "hi"),))


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_declares_the_encoding(write: Write, name: str, mark: bytes, encoding: str) -> None:
    assert one(write(name, mark + FORMS[name].encode(encoding))).id == "1"


def test_bytes_that_are_not_utf8_are_named_by_offset_and_line(write: Write) -> None:
    data = b"id,input\n" + b"1," + b"x" * 4989 + b"\x93hi\x94\n"
    error = complaint(write("c.csv", data))
    assert error.place.line == 2
    assert "byte 5000 (0x93)" in error.title


def test_a_workbook_is_called_a_workbook(write: Write) -> None:
    error = complaint(write("c.csv", b"PK\x03\x04rest"))
    assert "workbook" in error.title
    assert "export" in error.next_step


def test_carriage_returns_stay_in_cells_and_nowhere_else(write: Write) -> None:
    first, second = load_cases(write("c.csv", 'id,prompt\r\n1,"a\rb"\r\n2,c\r\n'))
    assert (first.input, second.input) == ("a\rb", "c")


def test_quoted_line_breaks_commas_and_quotes_are_text(write: Write) -> None:
    case = one(write("c.csv", 'id,prompt,expected\n1,"line1\nline2, ""x""",B\n'))
    assert (case.input, case.reference) == ('line1\nline2, "x"', "B")


def test_a_long_cell_is_read(write: Write) -> None:
    assert len(load_cases(write("c.csv", f"id,prompt\n1,a\n2,b\n3,{'x' * 200_000}\n"))[2].input) == 200_000


def test_rows_of_another_width_are_all_named_before_anything_is_made_of_them(write: Write) -> None:
    error = complaint(write("c.csv", 'id,prompt\n1,"two\nlines"\n2,hi,extra\n3\n'))
    assert (error.place.line, error.found) == (4, "row 2 has 3 cells")
    assert [(other.place.line, other.found) for other in error.others] == [(5, "row 3 has 1 cell")]


@pytest.mark.parametrize("header", ["id,prompt,id", "id,,prompt"])
def test_a_header_names_each_column_once(write: Write, header: str) -> None:
    assert complaint(write("c.csv", header + "\n1,hi,x\n")).place.line == 1


def test_a_quote_that_never_closes_is_named(write: Write) -> None:
    assert "broken CSV" in complaint(write("c.csv", 'id,prompt\n1,a\n2,"b\n')).title


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_the_delimiter_is_found(write: Write, delimiter: str) -> None:
    assert one(write("c.csv", f"id{delimiter}prompt\n1{delimiter}hi\n")).input == "hi"


def test_ids_are_text(write: Write) -> None:
    cases = load_cases(write("c.csv", 'id,prompt\n007,a\n7,b\n"00007",c\n'))
    assert [case.id for case in cases] == ["007", "7", "00007"]
    assert one(write("c.yaml", "- {id: 007, input: x}\n")).id == "007"
    assert one(write("d.yaml", "- {id: 1.10, input: x}\n")).id == "1.10"


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ('{"id": 1, "input": "a"}', '{"id": "1", "input": "b"}', "with another case"),
        ('{"id": "a", "input": "a"}', '{"id": "a ", "input": "b"}', "but for spaces"),
        ('{"id": "a", "input": "a"}', '{"id": "a", "input": "a"}', "with the same case"),
        ('{"input": "a"}', '{"input": "a"}', "with the same case"),
    ],
)
def test_ids_that_collide_are_refused_with_both_lines(
    write: Write, first: str, second: str, found: str
) -> None:
    error = complaint(write("c.jsonl", f"{first}\n\n{second}\n"))
    assert error.place.line == 3
    assert "line 1" in error.title
    assert found in error.title


def test_every_double_is_reported(write: Write) -> None:
    lines = [
        {"id": "q1", "input": "a"},
        {"id": "q1", "input": "b"},
        {"id": "q2", "input": "c"},
        {"id": "q2", "input": "c"},
    ]
    error = complaint(write("c.jsonl", "\n".join(map(json.dumps, lines))))
    assert [error.place.line, *(other.place.line for other in error.others)] == [2, 4]


def test_a_missing_id_is_made_from_the_content_alone(write: Write) -> None:
    first, second = load_cases(write("a.jsonl", '{"input": "a"}\n{"input": "b"}\n'))
    (again,) = load_cases(write("b.csv", "id,input\n,b\n"))
    assert first.id != second.id
    assert second.id == again.id


def test_words_for_missing_values_are_ordinary_text(write: Write) -> None:
    words = ["NA", "nan", "None", "null", "", " "]
    rows = "".join(f"{number},q,{word}\n" for number, word in enumerate(words))
    assert [case.reference for case in load_cases(write("c.csv", "id,input,answer\n" + rows))] == words


def test_yaml_texts_stay_as_typed(write: Write) -> None:
    typed = ["no", "1:30", "2024-01-02", "0.50", "true", "12"]
    text = "".join(f"- {{input: q{number}, answer: {word}}}\n" for number, word in enumerate(typed))
    assert [case.reference for case in load_cases(write("c.yaml", text))] == typed
    assert one(write("d.yaml", "- {input: q, answer: ~}\n")).reference == ""


def test_blank_lines_of_json_lines_are_nothing(write: Write) -> None:
    assert len(load_cases(write("c.jsonl", '{"input": "a"}\n\n   \n{"input": "b"}'))) == 2


def test_json_in_a_cell_is_text_unless_the_field_is_json(write: Write) -> None:
    cell = '"{""city"":""Oslo""}"'
    case = one(write("c.csv", f"input,tags,note\n{cell},{cell},{cell}\n"))
    assert case.input == '{"city":"Oslo"}'
    assert case.tags == {"city": "Oslo"}
    assert case.extra == {"note": '{"city":"Oslo"}'}


def test_a_cell_that_should_be_json_and_is_not_is_named(write: Write) -> None:
    error = complaint(write("c.csv", "input,tags\nhi,refund\n"))
    assert (error.place.line, error.place.field) == (2, "tags")


def test_dotted_columns_are_tags_and_flags_are_words(write: Write) -> None:
    rows = "a,refund,TRUE\nb,,false\nc,x,\n"
    cases = load_cases(write("c.csv", "input,tags.path,high_stakes\n" + rows))
    assert [(dict(case.tags), case.high_stakes) for case in cases] == [
        ({"path": "refund"}, True),
        ({}, False),
        ({"path": "x"}, None),
    ]


def test_marks_of_templates_are_text(write: Write) -> None:
    text = 'see {# id } and {{x}} and {% raw and { "k": {y} } if a<b && c>"d"\n---\nmore'
    assert one(write("c.json", json.dumps([{"input": text}]))).input == text


def test_rows_may_have_different_unknown_fields(write: Write) -> None:
    rows = [
        {"input": f"q{row}", **{f"key-{row}-{number}": number for number in range(30)}} for row in range(60)
    ]
    cases = load_cases(write("c.jsonl", "\n".join(map(json.dumps, rows))))
    assert cases[59].extra == {f"key-59-{number}": number for number in range(30)}


def test_usual_column_names_are_found(write: Write) -> None:
    case = one(write("c.csv", "Question ID, Question , Ground-Truth,Context\nx,why?,because,none\n"))
    assert (case.id, case.input, case.reference, case.context) == ("x", "why?", "because", "none")


def test_a_fields_own_name_goes_before_usual_names(write: Write) -> None:
    case = one(write("c.jsonl", '{"prompt": "you are kind", "input": "hi"}'))
    assert (case.input, case.extra) == ("hi", {"prompt": "you are kind"})


def test_a_mapping_names_columns(write: Write) -> None:
    path = write("c.csv", "input,frage\nignored,warum?\n")
    (case,) = load_cases(path, {"input": "frage"})
    assert case.input == "warum?"
    assert case.extra == {"input (column)": "ignored"}
    assert "frage" in complaint(path, {"input": "fragen"}).expected
    assert "reference" in complaint(path, {"referense": "frage"}).expected


@pytest.mark.parametrize("name", ["c.csv", "c.jsonl", "c.json", "c.yaml"])
def test_an_empty_data_set_is_an_error(write: Write, name: str) -> None:
    assert complaint(write(name, "\n")).found


def test_a_case_without_input_is_an_error_that_lists_the_columns(write: Write) -> None:
    error = complaint(write("c.csv", "id,frage\n1,warum?\n"))
    assert error.place.line == 2
    assert "id, frage" in error.title
    assert "map:" in error.next_step
    assert complaint(write("d.csv", "id,input\n1, \n")).place.line == 2


def test_an_unknown_ending_and_a_missing_file_are_named(write: Write, tmp_path: Path) -> None:
    assert ".csv" in complaint(write("cases.txt", "hi")).expected
    assert "cannot be read" in complaint(tmp_path / "none.csv").title


def test_conversations_are_read_in_the_form_of_chat_messages(write: Write) -> None:
    messages = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "where is"}, {"type": "text", "text": "my order"}],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"id": "7"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "sent", "cost": 0},
        {"role": "assistant", "content": "sent", "tool_calls": [{"name": "log", "arguments": {}}]},
        {"role": "user", "content": "when?"},
    ]
    case = one(write("c.jsonl", json.dumps({"id": "a", "messages": messages})))
    assert case.messages == (
        Message("user", "where is\nmy order"),
        Message("assistant", "", (ToolCall("find", {"id": "7"}, "c1"),)),
        Message("tool", "sent", (), "c1"),
        Message("assistant", "sent", (ToolCall("log", turn=1),)),
        Message("user", "when?"),
    )


def test_a_script_and_a_rubric_are_kept(write: Write) -> None:
    fields = {"persona": "in a hurry", "max_turns": 4, "first_message": "hi", "expected_outcomes": ["refund"]}
    case = one(write("c.jsonl", json.dumps(fields)))
    assert case.input == "hi"
    assert case.extra == fields


def _call(arguments: str) -> list[object]:
    return [{"role": "assistant", "tool_calls": [{"name": "f", "arguments": arguments}]}]


_ARGUMENTS = "messages[0].tool_calls[0].arguments"
_IMAGE = [{"role": "user", "content": [{"type": "image_url"}]}]


@pytest.mark.parametrize(
    ("field", "value", "named", "expected"),
    [
        ("input", {"a": 1}, "input", "text"),
        ("high_stakes", "no", "high_stakes", "true or false"),
        ("tags", 3.5, "", ""),
        ("tags", {"a": [1]}, "tags.a", "text"),
        ("messages", [{"role": "usr", "content": "x"}], "messages[0].role", "user"),
        ("messages", [{"content": "x"}], "messages[0].role", "user, assistant"),
        ("messages", ["x"], "messages[0]", "a mapping"),
        ("messages", "x", "messages", "a list"),
        ("messages", _IMAGE, "messages[0].content[0].text", "parts"),
        ("messages", _call("{"), _ARGUMENTS, "JSON"),
        ("messages", _call("[]"), _ARGUMENTS, "a mapping"),
        ("tool_rules", [{"requird": "find"}], "tool_rules[0].requird", "required"),
        ("tool_rules", [{"required": 3}], "tool_rules[0].required", "text or texts"),
        ("tool_rules", [{"max_calls": {"find": -1}}], "tool_rules[0].max_calls", "whole number"),
        ("tool_rules", [{"arguments": {"find": 1}}], "tool_rules[0].arguments", "the arguments it must have"),
        ("tool_rules", [{"required": "a", "forbidden": "b"}], "tool_rules[0]", "one rule"),
        ("tool_rules", [{}], "tool_rules[0]", "required"),
        ("tool_rules", {"required": "a"}, "tool_rules", "a list"),
        ("checks", [{"max_char": 3}], "checks[0].max_char", "max_chars"),
        ("checks", [{"regex": "("}], "checks[0].regex", "regular expression"),
        ("checks", [{"json_schema": {"type": "strin"}}], "checks[0].json_schema", "valid JSON Schema"),
        ("checks", [{"no_markdown_table": "no"}], "checks[0].no_markdown_table", "true or false"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_with_its_line_and_what_was_expected(
    write: Write, field: str, value: object, named: str, expected: str
) -> None:
    if not named:
        assert one(write("c.jsonl", json.dumps({"input": "x", field: value}))).tags == {"3.5": "3.5"}
        return
    rest = {} if field in ("input", "messages") else {"input": "x"}
    error = complaint(write("c.jsonl", '{"input": "fine"}\n' + json.dumps({**rest, field: value})))
    places = [error, *error.others]
    assert [place.place.line for place in places] == [2] * len(places)
    assert any(place.place.field == named and expected in place.expected for place in places)


def test_input_and_messages_together_are_refused(write: Write) -> None:
    row = {"input": "a", "messages": [{"role": "user", "content": "b"}]}
    assert complaint(write("c.jsonl", json.dumps(row))).place.field == "input"


def test_rules_that_fit_are_kept_as_data(write: Write) -> None:
    rules = [
        {"required": "find"},
        {"order": ["find", "refund"]},
        {"max_per_turn": 1},
        {"arguments": {"find": {"id": "7"}}},
    ]
    checks = [{"contains": "hi"}, {"regex": "^a"}, {"json_schema": {"type": "object"}}, {"max_chars": 20}]
    case = one(write("c.jsonl", json.dumps({"input": "x", "tool_rules": rules, "checks": checks})))
    assert case.tool_rules == tuple(rules)
    assert case.checks == tuple(checks)


@pytest.mark.parametrize("name", ["f.csv", "f.tsv", "f.json", "f.jsonl", "f.yaml"])
def test_any_bytes_are_read_or_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name

    @settings(suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow], max_examples=60)
    @given(st.binary() | st.text().map(str.encode) | _almost)
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with contextlib.suppress(BothwaysError):
            assert load_cases(path)

    check()


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "input",
                    "messages",
                    "role",
                    "content",
                    "tags",
                    "checks",
                    "regex",
                    "tool_calls",
                    "text",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
_almost = st.lists(_json, max_size=3).map(json.dumps).map(str.encode) | _json.map(json.dumps).map(str.encode)


def test_a_regular_expression_too_deep_to_be_read_is_refused(tmp_path: Path) -> None:
    deep = "(" * 2000 + ")" * 2000
    path = tmp_path / "cases.jsonl"
    path.write_text('{"input": "?", "checks": [{"regex": "%s"}]}\n' % deep)  # noqa: UP031 - braces
    with pytest.raises(DataError) as caught:
        load_cases(path)
    assert (caught.value.place.line, caught.value.place.field) == (1, "checks[0].regex")
