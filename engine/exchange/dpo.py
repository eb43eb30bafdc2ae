"""Preference pairs out, for training: the conversational preference format of TRL, one JSON object a line.

`prompt`, `chosen` and `rejected` are lists of messages, tool calls in them as TRL documents them. Only rows
with a winner and two different answers make a pair: a tie, a row where both are bad and an undecided one
prefer nothing. The variants' own prompts stand in no line, since the two sides differ there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, NamedTuple

from bothways.engine.analysis.model import Evidence, RowEvidence
from bothways.engine.facts import Answer, Case, JsonObject, JsonValue, Message, ToolCall
from bothways.engine.keys import canonical
from bothways.engine.ledger import Facts

__all__ = ["Preferences", "write_dpo"]


class Preferences(NamedTuple):
    """How many pairs were written, and how many rows were left out for which reason."""

    written: int
    left_out: Mapping[str, int]


def write_dpo(facts: Facts, evidence: Evidence, out: IO[str]) -> Preferences:
    """Write a line for each row of one comparison that prefers an answer."""
    written = 0
    left_out: Counter[str] = Counter()
    for row in evidence.rows:
        line = _line(row, facts, evidence)
        if isinstance(line, str):
            left_out[line] += 1
        else:
            out.write(canonical(line) + "\n")
            written += 1
    return Preferences(written, left_out)


def _line(row: RowEvidence, facts: Facts, evidence: Evidence) -> JsonObject | str:
    """Return the line of one row, or why it has none."""
    standing = row.standing
    if standing is not None and standing.both_bad:
        return "both bad"
    if row.final not in ("baseline", "candidate"):
        return "tie" if row.final == "tie" else "undecided"
    names = (evidence.experiment.baseline.name, evidence.candidate)
    won, lost = names if row.final == "baseline" else names[::-1]
    detail = facts.row(row.row_id)
    better, worse = detail.newest(won), detail.newest(lost)
    if better is None or worse is None or better.failure or worse.failure:
        return "an answer is missing"
    sides = (_conversation(detail.case, better), _conversation(detail.case, worse))
    if sides[0] == sides[1]:
        return "both answers are the same"
    parts = _parted(*_without_own_prompts(*sides))
    if parts is None:
        return "the two conversations have no beginning in common"
    human = standing is not None and standing.verdict is not None
    return {
        **{name: _messages(part) for name, part in zip(("prompt", "chosen", "rejected"), parts, strict=True)},
        **_tools(evidence),
        "case": row.case_id,
        "source": "human" if human else "judge",
        "by": standing.reviewer if human and standing is not None else evidence.judge,
        "chosen_variant": won,
        "rejected_variant": lost,
    }


def _conversation(case: Case, answer: Answer) -> tuple[Message, ...]:
    """Return the whole conversation that ends in an answer; the case stands first where it is not in it.

    Turns that were made on the way hold no user message of their own, a recorded conversation does. Where a
    text alone is known, the tools that it called are laid before it.
    """
    turns = answer.messages or (*_called(answer.tool_calls), Message("assistant", answer.text))
    if any(message.role == "user" for message in turns):
        return turns
    return (*_asked(case), *turns)


def _asked(case: Case) -> tuple[Message, ...]:
    """Return the case's messages, its context as a system message before them."""
    if not case.context:
        return case.messages
    first, *others = case.messages or (Message("user"),)
    if first.role == "system":
        return (replace(first, content=f"{first.content}\n\n{case.context}"), *others)
    return (Message("system", case.context), *case.messages)


def _called(calls: Sequence[ToolCall]) -> list[Message]:
    turns: list[Message] = []
    for turn in dict.fromkeys(call.turn for call in calls):
        made = tuple(call for call in calls if call.turn == turn)
        turns.append(Message("assistant", tool_calls=made))
        turns += [
            Message("tool", call.result, tool_call_id=call.id) for call in made if call.result is not None
        ]
    return turns


def _without_own_prompts(
    left: Sequence[Message], right: Sequence[Message]
) -> tuple[Sequence[Message], Sequence[Message]]:
    """Drop the system messages in front where the two sides differ in them."""
    fronts = [[m for m in side[:1] if m.role == "system"] for side in (left, right)]
    if fronts[0] == fronts[1]:
        return left, right
    return left[len(fronts[0]) :], right[len(fronts[1]) :]


def _parted(
    left: Sequence[Message], right: Sequence[Message]
) -> tuple[Sequence[Message], Sequence[Message], Sequence[Message]] | None:
    """Split off what both begin with, so that an assistant speaks next; None where nobody asked in it."""
    same = next(
        (n for n, pair in enumerate(zip(left, right, strict=False)) if _said(pair[0]) != _said(pair[1])),
        min(len(left), len(right)),
    )
    while same and not all(side[same:] and side[same].role == "assistant" for side in (left, right)):
        same -= 1
    asked = any(message.role == "user" for message in left[:same])
    return (left[:same], left[same:], right[same:]) if asked else None


def _said(message: Message) -> JsonObject:
    """Return what counts of a message: the ids of its calls are another provider's every time."""
    calls: list[JsonValue] = [[call.name, call.arguments] for call in message.tool_calls]
    return {"role": message.role, "content": message.content, "calls": calls}


def _messages(turns: Sequence[Message]) -> list[JsonValue]:
    names = {call.id: call.name for turn in turns for call in turn.tool_calls if call.id}
    return [_message(turn, names) for turn in turns]


def _message(turn: Message, names: Mapping[str, str]) -> JsonObject:
    line: JsonObject = {"role": turn.role, "content": turn.content}
    if turn.tool_calls:
        line["tool_calls"] = [_call(call) for call in turn.tool_calls]
    if turn.role == "tool" and (name := names.get(turn.tool_call_id or "")):
        line["name"] = name
    return line


def _call(call: ToolCall) -> JsonObject:
    return {"type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _tools(evidence: Evidence) -> JsonObject:
    """Return the tools, as JSON schemas of functions, where both variants have the same ones."""
    spec = evidence.experiment
    ours, theirs = spec.baseline.tools, spec.variant(evidence.candidate).tools
    if ours != theirs or not any(tool.parameters for tool in ours):
        return {}
    functions: list[JsonValue] = [
        {"type": "function",
         "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in ours
    ]  # fmt: skip
    return {"tools": functions}
