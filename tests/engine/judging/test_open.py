"""Which judge a spec means."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Judge, RunSettings
from bothways.engine.judging.model import ModelJudging
from bothways.engine.judging.open import open_judge
from bothways.engine.judging.replay import ReplayJudging


async def test_a_recording_judges_even_where_a_model_made_it(tmp_path: Path) -> None:
    path = tmp_path / "passes.jsonl"
    path.write_text("", encoding="utf-8")
    judge = Judge(name="j", model="openai/gpt-4o", replay=str(path))
    assert isinstance(open_judge(judge, RunSettings()), ReplayJudging)


async def test_a_model_behind_an_endpoint_judges() -> None:
    judging = open_judge(Judge(name="j", model="local", endpoint="http://127.0.0.1:9/v1"), RunSettings())
    assert isinstance(judging, ModelJudging)
    await judging.close()


def test_a_judge_that_is_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing judges"):
        open_judge(Judge(name="j"), RunSettings())


def test_opening_is_lazy(tmp_path: Path) -> None:
    loaded = "{'httpx', 'litellm', 'json_repair'} & set(sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, bothways.engine.judging.open; print({loaded})"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")},
    )
    assert done.stdout.strip() == "set()"
