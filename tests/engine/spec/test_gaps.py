from __future__ import annotations

import json
from pathlib import Path

import pytest

from bothways.engine.errors import DataError
from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Case, Message
from bothways.engine.spec.gaps import absent_keys, recording_gaps

CASES = [Case(name, (Message("user", "?"),)) for name in ("c1", "c2", "c3")]


def wrote(path: Path, *records: dict[str, str]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def recorded(tmp_path: Path, *cases: str) -> str:
    return wrote(tmp_path / "answers.jsonl", *({"case": case, "text": "so"} for case in cases))


def test_a_recording_that_lacks_cases_is_named_with_them(tmp_path: Path) -> None:
    played = recorded(tmp_path, "c1", "c2", "c3")
    short = wrote(tmp_path / "short.jsonl", {"case": "c1", "text": "so"})
    asked = Experiment(
        name="shop",
        baseline=Variant(name="v4", replay=played),
        candidates=(Variant(name="v5", replay=short),),
    )
    assert recording_gaps(asked, CASES) == ("the recording of v5 lacks 2 of 3 cases: c2, c3",)


def test_a_recorded_judge_that_lacks_one_order_of_a_case_is_named(tmp_path: Path) -> None:
    both = [{"case": "c1", "shown_first": side, "verdict": "tie"} for side in ("baseline", "candidate")]
    passes = wrote(tmp_path / "passes.jsonl", *both, {"case": "c2", "shown_first": "v4", "verdict": "v5"})
    answers = recorded(tmp_path, "c1", "c2", "c3")
    asked = Experiment(
        name="shop",
        baseline=Variant(name="v4", replay=answers),
        candidates=(Variant(name="v5", replay=answers),),
        judge=Judge(name="j", replay=passes),
    )
    lacking = "the recording of j lacks passes over v4 and v5 for 2 of 3 cases: c2, c3"
    assert recording_gaps(asked, CASES) == (lacking,)


def test_a_recording_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text("{\n", encoding="utf-8")
    broken = Variant(name="v4", replay=str(tmp_path / "answers.jsonl"))
    asked = Experiment(name="shop", baseline=broken, candidates=())
    with pytest.raises(DataError):
        recording_gaps(asked, CASES)


def models(baseline: Variant, judge: str = "openai/gpt-5") -> Experiment:
    return Experiment(name="shop", baseline=baseline, candidates=(), judge=Judge(name="j", model=judge))


def test_a_key_that_is_not_set_is_named_once_with_all_who_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    asked = models(Variant(name="v4", model="gpt-4o-mini"))
    told = "OPENAI_API_KEY is not set, and v4 and the judge j cannot be asked without it"
    assert absent_keys(asked) == (told,)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    assert absent_keys(asked) == ()


def test_one_of_several_names_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    asked = models(Variant(name="v4", function="agent:answer"), "anthropic/claude-sonnet-4-5")
    assert len(absent_keys(asked)) == 1
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "x")
    assert absent_keys(asked) == ()


@pytest.mark.parametrize(
    "one",
    [
        Variant(name="v4", model="m", endpoint="http://127.0.0.1:8000/v1"),
        Variant(name="v4", model="bedrock/some-model"),
        Variant(name="v4", model="openai/gpt-4o-mini", replay="answers.jsonl"),
        Variant(name="v4", command=("answer",)),
    ],
)
def test_who_needs_no_key_that_we_know_is_not_named(monkeypatch: pytest.MonkeyPatch, one: Variant) -> None:
    for name in ("OPENAI_API_KEY", "BOTHWAYS_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert absent_keys(Experiment(name="shop", baseline=one, candidates=())) == ()
