from __future__ import annotations

from pathlib import Path

from bothways.engine.change import one_change
from bothways.engine.spec.load import load_spec
from bothways.engine.spec.scaffold import scaffold


def lay_out(folder: Path) -> Path:
    for name, text in scaffold().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "experiment.yaml"


def test_a_new_project_loads_as_it_is(tmp_path: Path) -> None:
    experiment, cases = load_spec(lay_out(tmp_path))
    assert len(cases) >= 3
    assert set(experiment.review.high_stakes_tags) & {value for case in cases for value in case.tags.values()}


def test_a_new_project_changes_one_thing(tmp_path: Path) -> None:
    experiment, _ = load_spec(lay_out(tmp_path))
    assert one_change(experiment.baseline, experiment.candidates[0]).count == 1
