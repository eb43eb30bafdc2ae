"""Rows to be read: answers as long as one asks for, each candidate's a baseline's with some words changed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tests.bench.large import NOW, VARIANTS

from bothways.engine.experiment import Attest, Experiment, Variant
from bothways.engine.facts import TIE, Answer, Case, Message, PassResult
from bothways.engine.ledger import ImportedAnswer, ImportedPass, ImportedRow
from bothways.store import open_store

__all__ = ["Stretch", "build_stretches"]

Stretch: TypeAlias = tuple[int, int]
"""So many rows, whose answers have so many words."""
_WORDS = re.findall(
    r"\w+",
    "the parcel left our house on Tuesday and the courier has your address receipt refund order kettle is a "
    "it you we will send again within three working days please reply if anything is missing",
)
_CHANGED = 6
"""One word in so many is another in the candidate's answer; every thirtieth ends a paragraph."""


def build_stretches(path: Path, name: str, stretches: tuple[Stretch, ...]) -> None:
    """Add an experiment whose rows stand in the queue in this order: the first are flips, the last agreed."""
    variants = [Variant(name=variant) for variant in VARIANTS]
    experiment = Experiment(
        name=name,
        baseline=variants[0],
        candidates=(variants[1],),
        attest=Attest(one_change="made for measuring"),
        imported=True,
    )
    with open_store(path) as store:
        store.take(experiment, _rows(stretches), NOW)


def _rows(stretches: tuple[Stretch, ...]) -> Iterator[ImportedRow]:
    chance = random.Random(11)
    number = 0
    for place, (count, words) in enumerate(stretches):
        for _ in range(count):
            texts = list(_texts(chance, number, words))
            yield _row(number, texts, agreed=place == len(stretches) - 1)
            number += 1


def _texts(chance: random.Random, number: int, length: int) -> Iterator[str]:
    words = [*chance.choices(_WORDS, k=length)]
    words[30::30] = [f"{word}.\n" for word in words[30::30]]
    yield f"Row {number} says: {' '.join(words)}"
    for at in chance.sample(range(length), length // _CHANGED):
        words[at] = chance.choice(_WORDS)
    yield f"Row {number} says: {' '.join(words)}"


def _row(number: int, texts: list[str], *, agreed: bool) -> ImportedRow:
    case = Case(f"case-{number}", (Message("user", f"Where is order {number}?"),), tags={"path": "orders"})
    answers = tuple(ImportedAnswer(name, Answer(text)) for name, text in zip(VARIANTS, texts, strict=True))
    orders = (VARIANTS, VARIANTS[::-1])
    passes = tuple(
        ImportedPass("judge", shown, PassResult(choice, "Clearer.", raw="{}"))
        for shown, choice in zip(orders, (0, 1 if agreed else TIE), strict=True)
    )
    return ImportedRow(case, answers, passes)
