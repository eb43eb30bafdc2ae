"""What a run will take, before it is paid for: calls, money, minutes, and what its cases can show.

Everything here is an estimate from stated assumptions; nothing is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bothways.engine.analysis.stats import detectable_rate
from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Case, Usage, dump

__all__ = ["Assumptions", "Estimate", "estimate"]

Price = Callable[[str, Usage], float | None]
"""Returns the price in USD of a usage on a model, None where it is not known."""

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What nobody knows before the run: lengths in tokens, seconds a call takes."""

    answer_tokens: int = 300
    verdict_tokens: int = 150
    judge_prompt_tokens: int = 400
    latency_s: float = 3.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate. `answers` is a lower bound where `at_least`: an answer with tools takes several calls.

    `cost_usd` is of what has a price, None where nothing that is paid for has one; `unpriced` are the models
    and agents that have none. `detectable` is the smallest true win rate that the cases, were they all
    decided, would show four times in five; None where not even winning all of them would show anything.
    """

    answers: int
    passes: int
    at_least: bool
    cost_usd: float | None
    unpriced: tuple[str, ...]
    seconds: float
    detectable: float | None

    @property
    def calls(self) -> int:
        """All calls, answers and passes."""
        return self.answers + self.passes


def estimate(
    experiment: Experiment,
    cases: Sequence[Case],
    price: Price,
    assume: Assumptions | None = None,
) -> Estimate:
    """Estimate a run of the whole experiment; recordings take no call and cost nothing."""
    assume = assume or Assumptions()
    live = [variant for variant in experiment.variants if variant.kind not in ("replay", "none")]
    judge = experiment.judge if experiment.judge and experiment.judge.replay is None else None
    orders = 2 if judge and judge.swap else 1
    answers = len(cases) * len(live)
    passes = len(cases) * len(experiment.candidates) * orders if judge else 0
    costs = {variant.name: _answers_cost(variant, cases, price, assume) for variant in live}
    if judge and passes:
        rounds = orders * len(experiment.candidates)
        costs[judge.name] = _passes_cost(judge, cases, rounds, price, assume)
    known = [cost for cost in costs.values() if cost is not None]
    return Estimate(
        answers=answers,
        passes=passes,
        at_least=any(variant.tools for variant in live),
        cost_usd=sum(known) if known or not costs else None,
        unpriced=tuple(name for name, cost in costs.items() if cost is None),
        seconds=(answers + passes) * assume.latency_s / experiment.run.concurrency,
        detectable=detectable_rate(len(cases)),
    )


def _answers_cost(variant: Variant, cases: Sequence[Case], price: Price, assume: Assumptions) -> float | None:
    if variant.model is None:
        return None
    fixed = _tokens(
        variant.prompt, *(tool.model_dump_json(exclude={"result", "writes"}) for tool in variant.tools)
    )
    asked = sum(
        fixed + _tokens(case.context, *(dump(message) for message in case.messages)) for case in cases
    )
    return price(variant.model, Usage(asked, assume.answer_tokens * len(cases)))


def _passes_cost(
    judge: Judge, cases: Sequence[Case], rounds: int, price: Price, assume: Assumptions
) -> float | None:
    if judge.model is None:
        return None
    fixed = assume.judge_prompt_tokens + _tokens(judge.prompt, *judge.criteria) + 2 * assume.answer_tokens
    shown = sum(
        fixed + _tokens(case.context, case.reference, *(message.content for message in case.messages))
        for case in cases
    )
    return price(judge.model, Usage(shown * rounds, assume.verdict_tokens * len(cases) * rounds))


def _tokens(*texts: str) -> int:
    return sum(len(text) for text in texts) // _CHARACTERS_PER_TOKEN
