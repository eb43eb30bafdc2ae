from __future__ import annotations

from pathlib import Path

import pytest

from bothways.app.desk.new.draft import Draft
from bothways.app.desk.new.fields import Field, fields_of
from bothways.app.desk.new.usual import written
from bothways.engine.experiment import GateSettings
from bothways.engine.spec.load import load_spec

SETTINGS = [one for one in fields_of({}) if one.path.startswith(("review.", "gate.", "run."))]


def spec(folder: Path, *settings: tuple[str, str]) -> Path:
    draft = Draft({}, folder)
    draft.fill({
        "name": "x", "file": "x.yaml", "cases": "cases.jsonl", "judge.source": "nobody",
        "baseline.name": "v1", "baseline.model": "m",
        "candidates[0].name": "v2", "candidates[0].prompt": "prompts/v2.md",
        **dict(settings),
    })  # fmt: skip
    draft.path.write_text(draft.text(), encoding="utf-8")
    return draft.path


@pytest.mark.parametrize(
    ("path", "source", "told"),
    [
        ("baseline.command", "command", ["JSON object on stdin", '{"text": "…"} on stdout']),
        ("baseline.function", "function", ["gets one dict", 'a text or {"text": "…"}']),
        ("judge.function", "function", ["returns 0", "tie", "None"]),
    ],
)
def test_a_line_for_ones_own_code_says_what_goes_in_and_what_comes_out(
    path: str, source: str, told: list[str]
) -> None:
    chosen = {f"{path.split('.')[0]}.source": source}
    (field,) = (one for one in fields_of(chosen) if one.path == path)
    assert [one for one in told if one not in field.help] == []


@pytest.mark.parametrize(
    "field",
    [one for one in SETTINGS if one.usual not in ("none", "nobody", "no limit")],
    ids=lambda f: f.path,
)
def test_an_empty_line_means_what_it_says(shop: Path, field: Field) -> None:
    silent, _ = load_spec(spec(shop))
    said, _ = load_spec(spec(shop, (field.path, field.usual)))
    assert said.digest == silent.digest
    assert said.run == silent.run


@pytest.mark.parametrize(
    ("field", "choice"),
    [(field, choice) for field in SETTINGS for choice in field.choices],
    ids=lambda one: one if isinstance(one, str) else one.path,
)
def test_a_spec_takes_everything_that_is_offered(shop: Path, field: Field, choice: str) -> None:
    settled = [("review.adjudicator", "Ada")] if choice == "adjudicator" else []
    load_spec(spec(shop, (field.path, choice), *settled))


def test_another_default_of_the_spec_shows_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GateSettings.model_fields["threshold"], "default", "0.75")
    assert {one.path: one.usual for one in fields_of({})}["gate.threshold"] == "0.75"


def test_a_setting_that_is_chosen_offers_all_that_the_spec_knows() -> None:
    offered = {one.path: one.choices for one in SETTINGS if one.choices}
    assert offered == {
        "review.require": ("always", "when_close", "never"),
        "review.blind": ("true", "false"),
        "review.policy": ("latest", "majority", "adjudicator"),
        "gate.ties": ("count", "exclude"),
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), ((), ""), (True, "true"), (2.0, "2"), (0.1234567, "0.1234567"), ("a", "a")],
)
def test_a_setting_is_written_as_yaml_reads_it(value: object, text: str) -> None:
    assert written(value) == text
