"""Judges over the experiments of a real file: what they did, and what is pointed out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from bothways.engine.analysis.gather import gather
from bothways.engine.analysis.judges import JudgeHistory, judge_history
from bothways.engine.analysis.stats import fisher_greater
from bothways.engine.exchange.pairs import read_pairs
from bothways.engine.gate.gate import evaluate
from bothways.engine.review import Act, Said, act
from bothways.store import Store, open_store

AT = "2026-08-20T10:00:00.000Z"
Import = Callable[..., None]
KINDS = {"B": ("B", "B"), "A": ("A", "A"), "t": ("tie", "tie"), "f": ("A", "B"), "u": ("B", None)}
"""What the passes say that show A, and B, first: f is a flip, u cannot be read the second time."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "facts.db") as store:
        yield store


@pytest.fixture
def took(store: Store, tmp_path: Path) -> Import:
    """Import an experiment: so many rows of each kind, on a day, with a label for each row where given."""

    def take(name: str, day: int, model: str = "m-1", label: str | None = None, **kinds: int) -> None:
        lines = [
            {
                "pair_id": f"{kind}{number}",
                "a": {"model": "v4", "text": f"old {kind} {number}"},
                "b": {"model": "v5", "text": f"new {kind} {number}"},
                "judgements": [
                    {"judge": "j", "shown_first": shown, "verdict": said, "model": model}
                    for shown, said in zip("AB", KINDS[kind], strict=True)
                ],
                "humans": [{"annotator": "kim", "verdict": label}] if label else [],
            }
            for kind, count in kinds.items()
            for number in range(count)
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        store.take(*read_pairs(path, name=name), f"2026-08-{day:02}T10:00:00.000Z")

    return take


def only(store: Store) -> JudgeHistory:
    (history,) = judge_history(store)
    return history


def test_an_empty_file_has_no_judges(store: Store) -> None:
    assert judge_history(store) == ()


def test_each_experiment_is_tallied(store: Store, took: Import) -> None:
    took("shop", 1, label="B", B=5, A=2, t=1, f=3, u=1)
    (one,) = only(store).judgings
    assert (one.rows, one.flips, one.passes, one.unreadable) == (11, 3, 24, 1)
    # named first: of each win one of its two passes; f both times; u the one that can be read was second
    assert (one.first_shown.named, one.first_shown.of) == (13, 21)
    assert (one.people.n, one.people.agree) == (8, 5)
    assert (one.models, one.since) == (("m-1",), "2026-08-01T10:00:00.000Z")


@pytest.mark.parametrize(("label", "told"), [(None, (2, 2, 3)), ("A", (5, 2, 0))])
def test_what_was_confirmed_unread_is_no_agreement_of_people(
    store: Store, took: Import, label: str | None, told: tuple[int, int, int]
) -> None:
    took("shop", 1, label=label, B=5)
    evidence = gather(store, "shop", today=AT)
    result = evaluate(evidence)
    for number, row in enumerate(evidence.rows):
        said = Said("kim", AT, bulk="" if number < 2 else "confirm at once")
        store.append("review", act(store, evidence, result, row, Act.CONFIRM, said), AT)
    (one,) = only(store).judgings
    assert (one.people.n, one.people.agree, one.unread) == told


def test_experiments_stand_in_the_order_of_their_passes(store: Store, took: Import) -> None:
    took("later", 9, B=1)
    took("earlier", 2, B=1)
    assert [one.experiment for one in only(store).judgings] == ["earlier", "later"]


def test_a_flip_rate_that_creeps_up_is_pointed_out(store: Store, took: Import) -> None:
    took("one", 1, B=38, f=2)
    took("two", 2, B=34, f=6)
    assert only(store).remarks == ()
    took("three", 3, B=30, f=10)
    history = only(store)
    # 10 of 40 against 8 of 80, by the hypergeometric tail in whole numbers
    tail = sum(Fraction(comb(40, k) * comb(80, 18 - k), comb(120, 18)) for k in range(10, 19))
    assert history.flips_more_p == pytest.approx(float(tail))
    assert history.flips_more
    (said,) = history.remarks
    assert "25.0 % of 40 rows in three, 10.0 % of 80 earlier ones" in said


def test_few_rows_prove_nothing(store: Store, took: Import) -> None:
    took("one", 1, B=60)
    took("two", 2, B=9, f=10)
    assert only(store).flips_more_p is None
    assert not only(store).flips_more


def test_another_model_under_the_same_name_is_pointed_out(store: Store, took: Import) -> None:
    took("one", 1, B=1)
    took("two", 2, model="m-2", B=1)
    assert only(store).remarks == ("answered by another model: m-2 in two, m-1 before",)


def test_fishers_tea_tasting() -> None:
    """Fisher (1935), The Design of Experiments: four cups right by chance, 1 in 70; three or four, 17."""
    assert fisher_greater(4, 4, 0, 4) == pytest.approx(1 / 70)
    assert fisher_greater(3, 4, 1, 4) == pytest.approx(17 / 70)
    assert fisher_greater(0, 4, 4, 4) == pytest.approx(1)
