"""What is added up of facts that stream by."""

from __future__ import annotations

import pytest

from bothways.engine.analysis.costs import Spending
from bothways.engine.analysis.model import SideCosts
from bothways.engine.ledger import AnswerFact, PassFact


def answer(cost: float | None, *, tokens: int | None = 10, model: str = "small") -> AnswerFact:
    return AnswerFact(1, "old", 0, 1, 1, 7, None, "d", "t", "", cost, 0.5, model, tokens, tokens, tokens)


def total(*facts: AnswerFact) -> SideCosts:
    spending = Spending()
    spending.answers(facts)
    return spending.total()


def test_alike_facts_add_up_the_same_in_whichever_order_they_come() -> None:
    cheap, dear = answer(0.25), answer(1.5)
    found = total(cheap, dear, cheap, dear)
    assert found == total(cheap, cheap, dear, dear)
    assert (found.calls, found.cost_usd, found.prompt_tokens) == (4, 3.5, 40)


def test_one_unknown_count_makes_the_sum_of_tokens_unknown() -> None:
    assert total(answer(0.25), answer(0.25, tokens=None), answer(0.25)).prompt_tokens is None


@pytest.mark.parametrize("price", [None, 0.0])
def test_a_missing_price_is_counted_and_not_a_gift(price: float | None) -> None:
    found = total(answer(1.0), answer(price))
    assert (found.cost_usd, found.unknown) == (1.0, 1)


def test_what_was_not_tried_costs_nothing() -> None:
    assert total(answer(1.0)._replace(answer_id=None)) == SideCosts()
    spending = Spending()
    spending.passes([PassFact(1, "j", ("old", "new"), 1, 1, 1, 1, False, None, None)])
    assert spending.total() == SideCosts()


def test_models_are_named_in_the_order_in_which_they_answered() -> None:
    spending = Spending()
    spending.answers([answer(1.0, model="b"), answer(1.0, model="a"), answer(1.0, model="b")])
    assert spending.models() == ["b", "a"]
