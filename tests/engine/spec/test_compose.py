from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bothways.engine.files.yaml import read_yaml
from bothways.engine.spec.compose import as_data, as_list, as_text, as_typed, compose
from bothways.engine.spec.load import load_spec

TEXTS = [
    "short answers", "no", "007", "1:30", "x: y", "# not a comment", "a # b", "- item", "'", '"', "{a",
    "yes, please",
    "  outer  ", "one\ntwo", "one\n\n  two: 3\n", "\n", "tab\there", "\x1b[2J", "\u202e", "\U0001f600", "é ﷽",
    "null", "~",
    "|", "%x", "@x", "`x`", "a\u2028b", "2026-01-01", "\x00", "*x", "&x", "!x", "=", "<<", "a:", "?",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_text_reads_back_as_it_was(text: str) -> None:
    written = compose([("name", "x"), ("baseline.prompt_text", as_text(text))], "x.yaml")
    assert read_yaml(written, "").plain() == {"name": "x", "baseline": {"prompt_text": text}}
    assert yaml.safe_load(written)["baseline"]["prompt_text"] == text


@pytest.mark.parametrize("text", [text for text in TEXTS if "," not in text and text.strip()], ids=ascii)
def test_a_list_reads_back_item_by_item(text: str) -> None:
    assert read_yaml(as_list(f"refund, {text} ,"), "").plain() == ["refund", text.strip()]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("0.60", 0.6), ("5", 5), ("true", True), ("latest", "latest"), ("5 # x", "5 # x"), ("[1]", "[1]"),
        ("a: b", "a: b"),
    ],
)  # fmt: skip
def test_what_was_typed_stays_what_it_is(typed: str, read: object) -> None:
    assert read_yaml("x: " + as_typed(typed), "").plain() == {"x": read}


def test_data_typed_in_one_line_stays_data_and_what_is_none_becomes_text() -> None:
    assert read_yaml("x: " + as_data("{temperature: 0.2, a: no}"), "").plain() == {
        "x": {"temperature": 0.2, "a": "no"}
    }
    assert read_yaml("x: " + as_data("{temperature"), "").plain() == {"x": "{temperature"}


def test_lines_stay_lines_to_read() -> None:
    assert "prompt_text: |-\n    You are kind.\n    Be brief.\n" in compose(
        [("baseline.prompt_text", as_text("You are kind.\nBe brief."))], "x.yaml"
    )


def test_a_file_name_cannot_break_out_of_its_comment() -> None:
    written = compose([("name", "x")], "a\nname: y\x1b.yaml")
    assert read_yaml(written, "").plain() == {"name": "x"}
    assert "\x1b" not in written


def test_what_is_composed_loads(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"id": "1", "input": "hi"}\n', encoding="utf-8")
    fields = [
        ("name", as_text("short answers")),
        ("cases", as_text("cases.jsonl")),
        ("baseline.name", as_text("v1")),
        ("baseline.model", as_text("openai/gpt-4o-mini")),
        ("candidates[0].name", as_text("v2")),
        ("candidates[0].prompt_text", as_text("Be brief.")),
        ("candidates[1].name", as_text("v3")),
        ("candidates[1].params", as_data("{temperature: 0}")),
        ("judge.model", as_text("anthropic/claude-sonnet-4-5")),
        ("review.high_stakes.tags", as_list("refund")),
        ("gate.threshold", as_typed("0.60")),
    ]
    path = tmp_path / "spec.yaml"
    path.write_text(compose(fields, path.name), encoding="utf-8")
    experiment, _ = load_spec(path)
    assert [variant.name for variant in experiment.variants] == ["v1", "v2", "v3"]
    assert experiment.review.high_stakes_tags == ("refund",)
    assert experiment.gate.threshold == "0.60"
