"""What is not imported before it is used, and what is not printed: each in an interpreter of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that knows the source tree."""
    paths = f"import sys; sys.path[:0] = [{str(ROOT / 'src')!r}, {str(ROOT)!r}]\n"
    return subprocess.run([sys.executable, "-c", paths + code], capture_output=True, text=True, timeout=100)


def test_choosing_a_target_imports_no_client() -> None:
    ran = python(
        "import bothways.engine.models.open\n"
        "import bothways.engine.targets.open, bothways.engine.targets.http_settings\n"
        "print({'httpx', 'litellm', 'openai'} & set(sys.modules))"
    )
    assert ran.stdout.strip() == "set()", ran.stderr


def test_a_replay_imports_no_client() -> None:
    ran = python(
        "from bothways.engine.targets.open import open_target\n"
        "from bothways.engine.experiment import RunSettings, Variant\n"
        "open_target(Variant(name='v4', replay='x.jsonl'), RunSettings())\n"
        "print({'httpx', 'litellm', 'openai'} & set(sys.modules))"
    )
    assert ran.stdout.strip() == "set()", ran.stderr


def test_prices_are_known_without_importing_litellm() -> None:
    ran = python(
        "from bothways.engine.facts import Usage\n"
        "from bothways.engine.models.prices import price\n"
        "print(price('openai/gpt-4o-mini', Usage(1_000_000, 0)), 'litellm' in sys.modules)"
    )
    assert ran.stdout.split() == ["0.15", "False"], ran.stderr


def test_litellm_prints_nothing_even_when_it_does_not_know_the_model() -> None:
    ran = python(
        "import asyncio\n"
        "from bothways.engine.errors import CallFailed\n"
        "from bothways.engine.facts import Message\n"
        "from bothways.engine.models.base import ModelRequest\n"
        "from bothways.engine.models.open import open_model\n"
        "async def main():\n"
        "    model = open_model('nobody-knows-this', None, timeout_s=60, concurrency=1)\n"
        "    try:\n"
        "        await model.complete(ModelRequest((Message('user', 'Hello?'),)))\n"
        "    except CallFailed as failed:\n"
        "        sys.exit(0 if (failed.failure.kind, failed.action) == ('unknown model', 'stop') else 9)\n"
        "asyncio.run(main())"
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
