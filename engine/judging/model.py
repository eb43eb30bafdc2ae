"""A judge that is a chat model: asked once, and once more where its verdict could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import Judge
from bothways.engine.facts import Failure, FailureKind, JsonObject, Message, PassResult, Reply, total
from bothways.engine.judging.base import JudgeAsk
from bothways.engine.judging.labels import slot_labels
from bothways.engine.judging.ladder import ShapeLadder
from bothways.engine.judging.prompt import judge_prompt_digest, render, verdict_schema
from bothways.engine.judging.reading import (
    Reading,
    holds_verdict,
    is_cut_off,
    is_filtered,
    raw_text,
    read_verdict,
)
from bothways.engine.models.base import Model, ModelRequest
from bothways.engine.targets.base import Calls

__all__ = ["ModelJudging"]

_CAPS = ("max_tokens", "max_completion_tokens")
_LARGER = 4
_USUAL_CAP = 1024
_ENDED = {FailureKind.CUT_OFF: "length", FailureKind.CONTENT_FILTER: "content_filter"}
"""Failures of a call that did bring back something: a reply that was ended before its first word."""


class ModelJudging:
    """One judge model, with a client and a ladder of its own."""

    def __init__(self, judge: Judge, model: Model) -> None:
        self._judge = judge
        self._model = model
        self._ladder = ShapeLadder(model)
        self._prompt = judge_prompt_digest(judge)

    async def judge(self, ask: JudgeAsk, calls: Calls) -> PassResult:
        """Ask; where nothing can be read ask once more, saying what was wrong; then it is unanswered."""
        params = self._params()
        replies = [await self._send(ask, calls, params)]
        reading = self._read(replies[0], ask)
        if reading.choice is None and not is_filtered(replies[0]):
            if is_cut_off(replies[0]):
                params = _with_larger_cap(params, replies[0])
            replies.append(await self._send(ask, calls, params, reading.problem))
            reading = self._read(replies[1], ask)
        return self._result(ask, reading, replies, params)

    async def close(self) -> None:
        """Give the model's connections back."""
        await self._model.close()

    async def _send(self, ask: JudgeAsk, calls: Calls, params: JsonObject, problem: str = "") -> Reply:
        request = self._request(ask, params, problem)
        # A stored reply answers the same question whatever the word was that fenced its answers.
        same = self._request(replace(ask, marker=""), params, problem).digest
        try:
            return await calls.send(self._model.lane, same, self._ladder.attempts(request))
        except CallFailed as failed:
            ended = _ENDED.get(failed.failure.kind)
            if ended is None:
                raise
            said = failed.failure.message
            return Reply(
                finish_reason=ended,
                refusal=said if ended == "content_filter" else None,
                usage=failed.usage,
                cost_usd=failed.cost_usd,
                notes=(said,),
            )

    def _request(self, ask: JudgeAsk, params: JsonObject, problem: str) -> ModelRequest:
        messages = render(ask, self._judge)
        if problem:
            messages = (*messages[:-1], _reminded(messages[-1], problem))
        schema = verdict_schema(slot_labels(len(ask.answers)), self._judge.allow_tie)
        return ModelRequest(messages, params=params, schema=schema)

    def _params(self) -> JsonObject:
        judge = self._judge
        params: JsonObject = {} if judge.temperature is None else {"temperature": judge.temperature}
        params.update(judge.params)
        if judge.max_tokens is not None:
            params["max_tokens"] = judge.max_tokens
        return params

    def _read(self, reply: Reply, ask: JudgeAsk) -> Reading:
        return read_verdict(reply, slot_labels(len(ask.answers)), self._judge.allow_tie)

    def _result(
        self, ask: JudgeAsk, reading: Reading, replies: Sequence[Reply], params: JsonObject
    ) -> PassResult:
        last = replies[-1]
        problem = reading.problem
        if problem and is_cut_off(last) and not is_filtered(last):
            problem += f" ({_cap(params)})"
        kind = FailureKind.CONTENT_FILTER if is_filtered(last) else FailureKind.UNREADABLE
        doubt = (problem,) if problem and reading.choice is not None else ()
        told = (note for reply in replies for note in reply.notes)
        unread = {"unread": raw_text(replies[0])} if len(replies) > 1 else {}
        return PassResult(
            choice=reading.choice,
            rationale=reading.rationale,
            raw=raw_text(last),
            reading=reading.reading,
            usage=last.usage if len(replies) == 1 else replies[0].usage + last.usage,
            cost_usd=total([reply.cost_usd for reply in replies]),
            duration_s=total([reply.duration_s for reply in replies]),
            model=last.model or replies[0].model,
            failure=Failure(kind, problem) if reading.choice is None else None,
            notes=tuple(dict.fromkeys((*told, *doubt, *_tempting(ask)))),
            extra={"prompt": self._prompt, **unread},
        )


def _tempting(ask: JudgeAsk) -> Iterator[str]:
    """Point out answers that may have been written to be taken for a verdict."""
    labels = slot_labels(len(ask.answers))
    for label, answer in zip(labels, ask.answers, strict=True):
        if holds_verdict(answer.shown, labels):
            yield f"answer {label} holds text that looks like a verdict"


def _reminded(message: Message, problem: str) -> Message:
    """Say what was wrong below the same question; the broken reply itself is not sent back."""
    words = f"A first reply to this could not be used: {problem}. Reply with the JSON object alone."
    return replace(message, content=f"{message.content}\n\n{words}")


def _cap(params: JsonObject) -> str:
    """Say which limit cut a reply off."""
    name = next((name for name in _CAPS if name in params), None)
    return f"{name} {params[name]}" if name else "by the provider's own limit, no max_tokens is set"


def _with_larger_cap(params: JsonObject, reply: Reply) -> JsonObject:
    """Allow four times what was not enough."""
    name = next((name for name in _CAPS if name in params), "max_tokens")
    cap = params.get(name)
    if not isinstance(cap, int):
        cap = reply.usage.completion_tokens or _USUAL_CAP
    return {**params, name: cap * _LARGER}
