"""What a run will take, before it is paid for: calls, money, minutes.

Everything here is an estimate from stated assumptions; nothing is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.facts import Case, Usage, dump

__all__ = ["Assumptions", "Estimate", "Price", "Work", "estimate", "is_live", "whole_work"]

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
    and agents that have none.
    """

    answers: int
    passes: int
    at_least: bool
    cost_usd: float | None
    unpriced: tuple[str, ...]
    seconds: float

    @property
    def calls(self) -> int:
        """All calls, answers and passes."""
        return self.answers + self.passes


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done: the cases that each live variant answers, and a case for each pass of the judge."""

    answers: Mapping[str, Sequence[Case]]
    passes: Sequence[Case]


def is_live(asked: Variant | Judge) -> bool:
    """Tell whether somebody is asked: a recording takes no call, and an imported variant has its answers."""
    return asked.replay is None and not (isinstance(asked, Variant) and asked.kind == "none")


def whole_work(experiment: Experiment, cases: Sequence[Case]) -> Work:
    """Return everything that an experiment asks for, as if nothing were there yet."""
    judge = experiment.judge
    rounds = len(experiment.candidates) * (2 if judge and judge.swap else 1)
    judged = judge is not None and is_live(judge)
    return Work(
        {variant.name: cases for variant in experiment.variants if is_live(variant)},
        [case for case in cases for _ in range(rounds)] if judged else (),
    )


def estimate(experiment: Experiment, work: Work, price: Price, assume: Assumptions | None = None) -> Estimate:
    """Estimate what this work on an experiment takes."""
    assume = assume or Assumptions()
    asked = {name: cases for name, cases in work.answers.items() if cases}
    variants = {variant.name: variant for variant in experiment.variants}
    costs = {name: _answers_cost(variants[name], cases, price, assume) for name, cases in asked.items()}
    if experiment.judge and work.passes:
        costs[experiment.judge.name] = _passes_cost(experiment.judge, work.passes, price, assume)
    known = [cost for cost in costs.values() if cost is not None]
    answers = sum(map(len, asked.values()))
    return Estimate(
        answers=answers,
        passes=len(work.passes),
        at_least=any(variants[name].tools for name in asked),
        cost_usd=sum(known) if known or not costs else None,
        unpriced=tuple(name for name, cost in costs.items() if cost is None),
        seconds=(answers + len(work.passes)) * assume.latency_s / experiment.run.concurrency,
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


def _passes_cost(judge: Judge, passes: Sequence[Case], price: Price, assume: Assumptions) -> float | None:
    if judge.model is None:
        return None
    fixed = assume.judge_prompt_tokens + _tokens(judge.prompt, *judge.criteria) + 2 * assume.answer_tokens
    shown = sum(
        fixed + _tokens(case.context, case.reference, *(message.content for message in case.messages))
        for case in passes
    )
    return price(judge.model, Usage(shown, assume.verdict_tokens * len(passes)))


def _tokens(*texts: str) -> int:
    return sum(len(text) for text in texts) // _CHARACTERS_PER_TOKEN
