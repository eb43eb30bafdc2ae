from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.app.drafts import whole

from bothways.app.desk.new import precheck
from bothways.app.desk.new.found import look_around
from bothways.app.desk.new.making import Making
from bothways.app.desk.new.precheck import Checked
from bothways.app.desk.sitting import Sitting
from bothways.app.desk.state import Memory
from bothways.engine.spec.load import load_spec

AT = "2026-08-06T10:00:00Z"


@pytest.fixture
def making(shop: Path) -> Making:
    """A complete draft in a folder with a project."""
    made = Making(Sitting(shop / "x.db", Memory(shop / "m.json"), now=lambda: AT), shop)
    made.draft.fill(whole(shop).values)
    return made


def checked(making: Making) -> Checked:
    return making.check(making.draft)


def test_a_complete_draft_has_a_report(making: Making) -> None:
    found = checked(making)
    assert found.problems == 0
    assert found.report
    assert (found.report.whole.answers, found.report.whole.passes) == (8, 8)
    assert found.report.changes[0].change.count == 1
    assert not (making.draft.folder / "x.yaml").exists()


@pytest.mark.parametrize(
    ("path", "value", "field", "said"),
    [
        ("name", "", "name", "expected text"),
        ("cases", "nowhere.jsonl", "cases", "no file 'nowhere.jsonl'"),
        ("baseline.model", "", "baseline.source", "nothing that answers"),
        ("baseline.name", "", "baseline.name", "expected text"),
        ("judge.model", "", "judge.source", "nothing that judges"),
        ("baseline.prompt", "nowhere.md", "baseline.prompt", "no file 'nowhere.md'"),
        ("candidates[0].name", "", "candidates[0].name", "missing"),
        ("candidates[0].name", "v1", "candidates[0].name", "a second variant called v1"),
        ("candidates[0].params", "{oops", "candidates[0].params", "a mapping"),
        ("judge.endpoint", "nowhere", "judge.endpoint", "no address"),
        ("gate.threshold", "60", "gate.threshold", "a decimal between 0 and 1"),
        ("review.audit", "often", "review.audit", "a share between 0 and 1"),
        ("run.budget_usd", "-1", "run.budget_usd", "0 or more"),
        ("map", "{input: nowhere}", "cases", "no such column"),
    ],
)  # fmt: skip
def test_what_is_wrong_stands_at_its_field(
    making: Making, path: str, value: str, field: str, said: str
) -> None:
    making.draft.put(path, value)
    found = checked(making)
    assert found.report is None
    assert any(said in one for one in found.wrong[field]), found.wrong


@pytest.mark.parametrize(("place", "source"), [("baseline", "command"), ("judge", "function")])
def test_what_was_chosen_and_not_filled_in_yet_is_missed_at_its_own_line(
    making: Making, place: str, source: str
) -> None:
    making.draft.put(f"{place}.source", source)
    assert "nothing that" in checked(making).wrong[f"{place}.{source}"][0]


def test_a_wrong_line_of_the_cases_is_named_by_file_and_line(making: Making) -> None:
    with (making.draft.folder / "cases.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"id": "x"\n')
    assert "cases.jsonl:5" in checked(making).wrong["cases"][0]


def test_the_cases_are_seen_although_something_else_is_wrong(making: Making) -> None:
    making.draft.put("judge.model", "")
    found = checked(making)
    assert found.cases
    assert found.cases.count == 4


def test_a_shared_judge_that_is_wrong_is_told_at_its_line(making: Making) -> None:
    (making.draft.folder / "judge.yaml").write_text("modle: x\n", encoding="utf-8")
    making.draft.put("judge.source", "shared file")
    making.draft.put("judge", "judge.yaml")
    said = " ".join(checked(making).wrong["judge"])
    assert "judge.yaml:1" in said
    assert "model (did you mean that?)" in said


def test_a_name_that_is_taken_is_told(making: Making) -> None:
    making.draft.put("name", "short answers")
    making.store(making.draft.folder / "experiment.yaml")
    assert "in this database already" in checked(making).wrong["name"][0]


def test_an_unknown_key_of_a_spec_that_is_there_names_the_nearest(making: Making) -> None:
    path = making.draft.folder / "experiment.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("candidates:", "candidate:"), encoding="utf-8")
    making.draft.use(path)
    (said,) = checked(making).wrong[""]
    assert "candidate: unknown field" in said
    assert "candidates (did you mean that?)" in said


@pytest.mark.parametrize("content", [b"a: [", b"\xff\xfe\x00", b"", b"- 1"])
def test_what_is_no_spec_is_told_and_nothing_breaks(making: Making, content: bytes) -> None:
    path = making.draft.folder / "bad.yaml"
    path.write_bytes(content)
    making.draft.use(path)
    assert checked(making).problems


def test_a_large_data_set_is_read_only_when_asked_for(
    making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precheck, "LARGEST", 100)
    assert "not read while you type" in checked(making).wrong["cases"][0]
    assert making.check(making.draft, all_of_it=True).report


def test_a_data_set_is_read_once_until_its_file_changes(
    making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checked(making).report
    monkeypatch.setattr(precheck, "LARGEST", 100)  # nothing could be read now
    assert checked(making).report
    with (making.draft.folder / "cases.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"id": "x", "input": "hi"}\n')
    assert checked(making).report is None


def test_the_stamp_changes_when_a_named_file_does(making: Making) -> None:
    before = making.stamp()
    assert making.stamp() == before
    (making.draft.folder / "prompts" / "v2.md").write_text("Other words.", encoding="utf-8")
    assert making.stamp() != before


def test_a_stored_variant_becomes_the_baseline_with_its_answers(making: Making) -> None:
    making.store(making.draft.folder / "experiment.yaml")
    stored = next(one for one in making.stored() if one.variant.name == "v2")
    making.use_stored(stored)
    making.draft.put("candidates[0].name", "v3")
    report = checked(making).report
    assert report
    assert report.experiment.baseline.digest == stored.variant.digest


@pytest.mark.parametrize("file_is_there", [True, False])
def test_a_follower_starts_with_everything_of_the_earlier_one(making: Making, file_is_there: bool) -> None:
    path = making.draft.folder / "experiment.yaml"
    earlier, _ = load_spec(path)
    making.store(path)
    if not file_is_there:
        path.unlink()
    making.draft.fill({**making.following("short answers"), "cases": "cases.jsonl"})
    report = checked(making).report
    assert report
    found = report.experiment
    assert (found.name, found.follows) == ("short answers 2", "short answers")
    assert [one.digest for one in found.variants] == [one.digest for one in earlier.variants]
    assert making.draft.path.name == "short-answers-2.yaml"


def test_files_are_found_and_specs_known_by_name(shop: Path) -> None:
    (shop / ".hidden").mkdir()
    (shop / ".hidden" / "spec.yaml").write_text("baseline: {}", encoding="utf-8")
    (shop / "tools.yaml").write_text("- name: x", encoding="utf-8")
    found = look_around(shop)
    assert found.specs == ((shop / "experiment.yaml", "short answers"),)
    assert found.offered("cases")[0] == shop / "cases.jsonl"
    assert found.offered("prompts") == [shop / "prompts" / "v1.md", shop / "prompts" / "v2.md"]
    assert found.offered("tools") == [shop / "tools.yaml"]


@pytest.mark.skipif(os.name == "nt", reason="named pipes are POSIX's")
def test_a_pipe_among_the_files_is_not_waited_for(shop: Path) -> None:
    os.mkfifo(shop / "spec.yaml")
    assert shop / "experiment.yaml" in [path for path, _ in look_around(shop).specs]
