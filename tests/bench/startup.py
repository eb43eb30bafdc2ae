"""How soon a command answers, and what it imports to do so."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figure import Figure, median
from tests.bench.process import BOTHWAYS, ENVIRONMENT, spent

__all__ = ["figures"]

HEAVY = ("litellm", "scipy", "numpy")
SAMPLE = "plain-text-line"
COMMANDS = (
    ("list",),
    ("gate", SAMPLE),
    ("report", SAMPLE),
    ("rows", SAMPLE),
    ("show", SAMPLE),
    ("check", f"{SAMPLE}.yaml"),
    ("export", SAMPLE, "-o", "pairs.jsonl"),
    ("import", "pairs.jsonl", "--name", "again"),
    ("agreement", "again"),
    ("verify",),
)
"""Commands that call no model, and have no use for a heavy library."""
WHAT_IT_IMPORTS = f"""
import sys
from bothways.app.cli import main
try:
    main()
except SystemExit:
    pass
print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""
PRICES = f"""
import sys
from bothways.engine.facts import Usage
from bothways.engine.models.prices import price
assert price("gpt-4o-mini", Usage(1000, 100, 0))
print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""


def figures(folder: Path) -> Iterator[Figure]:
    """Measure `--help`, then list what each command imports that it should not."""
    yield helps()
    project = folder / "project"
    subprocess.run([*BOTHWAYS, "demo", str(project), "--headless"], env=ENVIRONMENT, capture_output=True)
    needless = {
        " ".join(command): imported([sys.executable, "-c", WHAT_IT_IMPORTS, *command], project)
        for command in COMMANDS
    }
    needless["prices"] = imported([sys.executable, "-c", PRICES], project)
    found = "; ".join(f"{name}: {', '.join(sorted(more))}" for name, more in needless.items() if more)
    count = sum(map(len, needless.values()))
    yield Figure(f"heavy imports by {len(COMMANDS)} commands and by prices", count, "", 0.0, found)


def helps() -> Figure:
    """`bothways --help` against half an import of textual.app, in turn, plus 0.3 s."""
    ratios, ours = [], []
    for _ in range(9):
        textual = spent([sys.executable, "-c", "import textual.app"])
        help_ = spent([*BOTHWAYS, "--help"])
        ratios.append(help_.wall_s / (0.5 * textual.wall_s + 0.3))
        ours.append(help_.wall_s)
    name = "bothways --help / (½ import textual.app + 0.3 s)"
    return Figure(name, median(ratios), "×", 1.0, f"{median(ours):.2f} s")


def imported(command: list[str], folder: Path) -> frozenset[str]:
    """Run a program that ends by naming what it imported."""
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return frozenset(done.stderr.splitlines()[-1].split())
