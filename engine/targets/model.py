"""A chat model as the assistant: prompt, case, and a bounded loop of tool calls."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add
from types import ModuleType

from bothways.engine.errors import CallFailed
from bothways.engine.experiment import Variant
from bothways.engine.facts import Answer, Failure, FailureKind, Message, Reply, total
from bothways.engine.models.base import Model, ModelRequest
from bothways.engine.targets.base import Ask, Calls
from bothways.engine.targets.tools import ToolBox

__all__ = ["ModelTarget"]


class ModelTarget:
    """One variant answered by a chat model; `tool_module` executes its tools."""

    def __init__(self, model: Model, variant: Variant, tool_module: ModuleType | None = None) -> None:
        self._model = model
        self._variant = variant
        self._tool_module = tool_module

    async def answer(self, ask: Ask, calls: Calls) -> Answer:
        """Answer one case in a fresh conversation, running the tools that the model asks for.

        The answer's `messages` are the turns made here (none where it is one plain text); the case's own
        stand before them. Raises CallFailed where the model asks for more rounds of tools than allowed.
        """
        opening = _opening(self._variant.prompt, ask)
        tools = await ToolBox.open(self._variant.tools, self._tool_module)
        turns: list[Message] = []
        replies: list[Reply] = []
        for turn in range(self._variant.max_tool_rounds + 1):
            reply = await self._ask((*opening, *turns), calls)
            replies.append(reply)
            if not reply.tool_calls:
                return _answer(turns, replies)
            wanted = [replace(call, turn=turn) for call in reply.tool_calls]
            done = [replace(call, result=await tools.use(call, calls)) for call in wanted]
            turns.append(Message("assistant", reply.content or "", tuple(done)))
            turns.extend(Message("tool", call.result or "", tool_call_id=call.id) for call in done)
        limit = self._variant.max_tool_rounds
        raise CallFailed(
            Failure(FailureKind.TOOL, f"still asking for tools after {limit} rounds of them"),
            "give_up",
            next_step="raise max_tool_rounds, or look at what the tools return",
        )

    async def close(self) -> None:
        """Give the model's connections back."""
        await self._model.close()

    async def _ask(self, messages: tuple[Message, ...], calls: Calls) -> Reply:
        request = ModelRequest(messages, self._variant.tools, self._variant.params)
        return await calls.send(self._model.lane, request.digest, lambda: self._model.complete(request))


def _opening(prompt: str, ask: Ask) -> tuple[Message, ...]:
    """Return what the conversation begins with: prompt and context as one system message, then the case."""
    parts = [prompt, _fenced(ask.case.context)]
    system = "\n\n".join(part for part in parts if part)
    return (*((Message("system", system),) if system else ()), *ask.case.messages)


def _fenced(context: str) -> str:
    """Return the context between two marks that do not occur in it."""
    mark = "context"
    while f"{mark}>" in context:
        mark += "_"
    return f"<{mark}>\n{context}\n</{mark}>" if context else ""


def _answer(turns: list[Message], replies: list[Reply]) -> Answer:
    last = replies[-1]
    text = last.content or last.refusal or ""
    notes = [note for reply in replies for note in reply.notes]
    if last.refusal:
        notes.append("refused")
    if last.finish_reason == "length":
        notes.append("cut off at the limit of tokens")
    return Answer(
        text=text,
        messages=(*turns, Message("assistant", text)) if turns else (),
        tool_calls=tuple(call for message in turns for call in message.tool_calls),
        usage=reduce(add, (reply.usage for reply in replies)),
        cost_usd=total([reply.cost_usd for reply in replies]),
        duration_s=total([reply.duration_s for reply in replies]),
        model=last.model,
        notes=tuple(dict.fromkeys(notes)),
    )
