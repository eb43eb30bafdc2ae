"""Large files: rows by the hundred thousand, made through the store's own import, for as long as needed."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figure import Figure, median

from bothways.engine.facts import TIE, Answer, Case, Message, PassResult
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.engine.spec.model import Attest, Experiment, Variant
from bothways.store import open_store

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


def build(path: Path, experiments: dict[str, int], *, length: int = 40) -> None:
    """Write a file that holds experiments of so many rows each."""
    with open_store(path) as store:
        for name, count in experiments.items():
            experiment = Experiment(
                name=name,
                baseline=Variant(name="v4"),
                candidates=(Variant(name="v5"),),
                attest=Attest(one_change="made for measuring"),
                imported=True,
            )
            store.take(experiment, rows(count, length=length), NOW)


def command(*arguments: str) -> tuple[float, float]:
    """Run a command and return its seconds and the most memory it held, in MB."""
    before = time.perf_counter()
    with open(os.devnull, "wb") as nothing:
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", "bothways", *arguments],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1)],
        )
        _, _, usage = os.wait4(pid, 0)
    return time.perf_counter() - before, usage.ru_maxrss / 1024


def figures(folder: Path) -> list[Figure]:
    """Measure the gate on one large experiment, and on a small one in a large file."""
    one, many = folder / "large.db", folder / "million.db"
    build(one, {"large": 100_000})
    runs = [command("--db", str(one), "gate", "large", "--json") for _ in range(3)]
    build(many, {f"other {n}": 111_000 for n in range(9)} | {"small": 1_000})
    build(alone := folder / "alone.db", {"small": 1_000})
    empty = [command("--db", str(alone), "gate", "--help")[0] for _ in range(5)]
    small = [command("--db", str(many), "gate", "small", "--json")[0] for _ in range(5)]
    by_itself = [command("--db", str(alone), "gate", "small", "--json")[0] for _ in range(5)]
    return [
        Figure("gate of 100,000 rows", median([wall for wall, _ in runs]), "s", 5.0),
        Figure("  most memory", median([memory for _, memory in runs]), "MB", 200.0),
        Figure("gate of 1,000 rows among 1,000,000: work", median(small) - median(empty), "s", None),
        Figure("  more than in a file of its own", median(small) - median(by_itself), "s", 0.1),
    ]
