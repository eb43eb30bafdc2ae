"""How soon a command answers, and what it imports to do so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench.figure import Figure, median, seconds

HEAVY = ("litellm", "scipy", "numpy")


def python(*arguments: str) -> None:
    """Run this Python, and fail where it fails."""
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def helps() -> Figure:
    """`bothways --help` against half an import of textual.app, in turn, plus 0.3 s."""
    ratios, ours = [], []
    for _ in range(7):
        textual = seconds(lambda: python("-c", "import textual.app"))
        help_ = seconds(lambda: python("-m", "bothways", "--help"))
        ratios.append(help_ / (0.5 * textual + 0.3))
        ours.append(help_)
    return Figure(
        "bothways --help / (½ import textual.app + 0.3 s)", median(ratios), "×", 1.0, f"{median(ours):.2f} s"
    )


def heavy(database: Path, *command: str) -> Figure:
    """Count the heavy libraries that a command imports; none of these calls a model."""
    code = (
        "import sys\nfrom bothways.app.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--db", str(database), *command],
        capture_output=True,
        text=True,
        check=True,
    )
    found = done.stderr.strip().splitlines()[-1]
    return Figure(f"heavy imports of `{' '.join(command)}`", float(found != "[]"), "", 0.0, found)
