"""What people read of amounts and tags: one way for each."""

from __future__ import annotations

import pytest

from bothways.engine.text import tag_words, usd


@pytest.mark.parametrize(
    ("amount", "decimals", "said"),
    [
        (5, 2, "5.00 USD"), (0.016, 2, "0.02 USD"), (0.0, 2, "0.00 USD"), (0.002, 2, "0.0020 USD"),
        (0.5, 4, "0.5000 USD"), (0.0, 4, "0.0000 USD"), (0.000034, 4, "0.000034 USD"),
    ],
)  # fmt: skip
def test_what_costs_is_never_shown_as_nothing(amount: float, decimals: int, said: str) -> None:
    assert usd(amount, decimals) == said


@pytest.mark.parametrize(
    ("tag", "said"),
    [(("path", "refund"), "path: refund"), (("refund", ""), "refund"), (("vip", "vip"), "vip")],
)
def test_a_tag_of_one_word_is_that_word(tag: tuple[str, str], said: str) -> None:
    assert tag_words(*tag) == said
