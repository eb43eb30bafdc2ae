"""Laying out the sample project in a folder."""

from __future__ import annotations

from pathlib import Path

from bothways.sample_data import EXPERIMENTS, files, lay_out


def test_the_whole_project_is_laid_out(tmp_path: Path) -> None:
    lay_out(tmp_path)
    for name in (*EXPERIMENTS, "cases.jsonl", "prompts/v4.md", "recordings/v4.jsonl"):
        assert (tmp_path / name).read_bytes() == files().joinpath(name).read_bytes()


def test_code_is_no_part_of_the_project(tmp_path: Path) -> None:
    assert [path for path in lay_out(tmp_path) if path.suffix in (".py", ".pyc")] == []


def test_what_is_there_already_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text("mine", encoding="utf-8")
    written = lay_out(tmp_path)
    assert (tmp_path / "cases.jsonl").read_text(encoding="utf-8") == "mine"
    assert tmp_path / "cases.jsonl" not in written


def test_a_second_time_writes_nothing(tmp_path: Path) -> None:
    lay_out(tmp_path)
    assert lay_out(tmp_path) == ()
