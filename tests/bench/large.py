"""Large files: rows by the hundred thousand, made through the store's own import and copied from there."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.copies import copy_experiment
from tests.bench.figure import Figure, median
from tests.bench.process import BOTHWAYS, ENVIRONMENT, apart, spent

from bothways.engine.experiment import Attest, Experiment, Variant
from bothways.engine.facts import TIE, Answer, Case, Message, PassResult
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.store import open_store

__all__ = ["build", "figures", "hundred_thousand"]

NOW = "2026-01-05T09:00:00Z"
VARIANTS = ("v4", "v5")
WORDS = ("parcel", "refund", "order", "Tuesday", "courier", "address", "receipt", "kettle", "is", "the", "a")


def rows(count: int, *, length: int = 40) -> Iterator[ImportedRow]:
    """Make rows whose answers have about `length` words; which verdicts, a seed says."""
    chance = random.Random(7)
    for number in range(count):
        case = Case(
            f"case-{number}", (Message("user", f"Where is order {number}?"),), tags={"path": "orders"}
        )
        texts = [" ".join(chance.choices(WORDS, k=length)) for _ in VARIANTS]
        answers = tuple(
            ImportedAnswer(name, Answer(text)) for name, text in zip(VARIANTS, texts, strict=True)
        )
        better = chance.choices(VARIANTS, (1, 2))[0]
        flipped = chance.random() < 0.1
        orders = (VARIANTS, VARIANTS[::-1])
        passes = tuple(
            ImportedPass(
                "judge",
                shown,
                PassResult(TIE if flipped and n else shown.index(better), "Clearer.", raw="{}"),
            )
            for n, shown in enumerate(orders)
        )
        yield ImportedRow(case, answers, passes)


def build(path: Path, name: str, count: int, *, length: int = 40) -> None:
    """Add an experiment of so many rows to a file."""
    with open_store(path) as store:
        experiment = Experiment(
            name=name,
            baseline=Variant(name="v4"),
            candidates=(Variant(name="v5"),),
            attest=Attest(one_change="made for measuring"),
            imported=True,
        )
        store.take(experiment, rows(count, length=length), NOW)


def hundred_thousand(folder: Path) -> Path:
    """Return a file with an experiment `large` of 100,000 rows, which several parts look at."""
    path = folder / "large.db"
    if not path.exists():
        apart(build, path, "large", 100_000)
    return path


def million(folder: Path) -> Path:
    """Return a file with an experiment `small` of 1,000 rows among 999,000 of others."""
    path = folder / "million.db"
    apart(build, path, "other", 111_000, length=8)
    copy_experiment(path, 8)
    build(path, "small", 1_000)
    return path


def work(path: Path, experiment: str) -> tuple[float, float]:
    """Return the seconds, of CPU and by the clock, of opening, reading and deciding, all imports done."""
    command = [sys.executable, "-m", "tests.bench.work", str(path), experiment]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True)
    cpu, wall = done.stdout.split()
    return float(cpu), float(wall)


def figures(folder: Path) -> Iterator[Figure]:
    """Measure the gate on one large experiment, and on a small one in a large file."""
    path = str(hundred_thousand(folder))
    runs = [spent([*BOTHWAYS, "--db", path, "gate", "large", "--json"]) for _ in range(5)]
    # Seconds, not a ratio: the quickest run is the one that others disturbed least.
    best = min(runs, key=lambda run: run.wall_s)
    usual = median([run.wall_s for run in runs])
    yield Figure(
        "gate of 100,000 rows, the quickest of five", best.wall_s, "s", 5.0,
        f"{best.cpu_s:.2f} s CPU; median {usual:.2f} s",
    )  # fmt: skip
    yield Figure("  most memory", median([run.memory_mb for run in runs]), "MB", 200.0)
    among = million(folder)
    build(alone := folder / "alone.db", "small", 1_000)
    pairs = [(work(among, "small"), work(alone, "small")) for _ in range(9)]
    cpu, wall = min(many for many, _ in pairs)
    by_itself, _ = min(own for _, own in pairs)
    yield Figure(
        "gate of 1,000 rows among 1,000,000, the quickest of nine: CPU", cpu, "s", 0.1,
        f"{wall:.3f} s by the clock; {by_itself:.3f} s CPU in a file of its own",
    )  # fmt: skip
