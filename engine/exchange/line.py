"""One line of a file of pairs, as it is written: checked, with every unknown field kept."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from bothways.engine.exchange.fields import (
    Amount,
    Arguments,
    Content,
    Count,
    Letter,
    MaybeName,
    MaybeText,
    Name,
    Notes,
    Objects,
    Tags,
    Text,
    Vote,
    as_calls,
    as_failure,
    as_list,
    as_messages,
)  # fmt: skip
from bothways.engine.facts import JsonObject, Role

__all__ = [
    "FailureLine", "HumanLine", "JudgementLine", "MessageLine", "PairLine", "SideLine", "ToolCallLine",
    "UsageLine",
]  # fmt: skip


class Line(BaseModel):
    """Base of all parts: what nobody knows is kept in `model_extra`."""

    model_config = ConfigDict(frozen=True, extra="allow", protected_namespaces=())

    @property
    def unknown(self) -> JsonObject:
        """The fields that have no meaning here and are written again on export."""
        return dict(self.model_extra or {})


class UsageLine(Line):
    """Tokens as counted by the server."""

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    cached_tokens: Count | None = None


class ToolCallLine(Line):
    """One tool call; the way OpenAI writes it is made flat before."""

    name: Name
    arguments: Arguments = Field(default_factory=dict)
    id: Text = ""
    result: JsonValue = None
    turn: Count = 0


ToolCalls: TypeAlias = Annotated[tuple[ToolCallLine, ...], BeforeValidator(as_calls)]


class MessageLine(Line):
    """One turn of a conversation; `usage` and `cost` are those of the call that made it."""

    role: Role
    content: Content = ""
    tool_calls: ToolCalls = ()
    tool_call_id: MaybeText = None
    usage: UsageLine | None = None
    cost: Amount | None = None


Messages: TypeAlias = Annotated[tuple[MessageLine, ...], BeforeValidator(as_messages)]


class EvalLine(Line):
    """What a benchmark noted beside an answer; only its cost and duration mean something here."""

    agent_cost_usd: Amount | None = None
    duration_s: Amount | None = None


class FailureLine(Line):
    """Why there is no answer, in two fields."""

    kind: str = ""
    message: str = ""


Error: TypeAlias = Annotated[FailureLine | None, BeforeValidator(as_failure)]


class SideLine(Line):
    """What one variant answered."""

    model: MaybeName = None
    text: MaybeText = None
    messages: Messages = ()
    tool_calls: ToolCalls = ()
    cost_usd: Amount | None = None
    duration_s: Amount | None = None
    usage: UsageLine | None = None
    error: Error = None
    returned_model: str | None = None
    notes: Notes = ()
    eval: EvalLine | None = None


class JudgementLine(Line):
    """What one pass said; `verdict` is already mapped to a and b."""

    judge: Name
    shown_first: Letter
    verdict: Vote
    rationale: Text = ""
    raw: Text = ""
    reading: Literal["", "json", "repaired", "text", "function", "recorded"] = "recorded"
    model: str | None = None
    usage: UsageLine | None = None
    cost_usd: Amount | None = None
    duration_s: Amount | None = None
    error: Error = None
    notes: Notes = ()


class HumanLine(Line):
    """One person's vote."""

    annotator: Name
    verdict: Vote
    note: Text = ""


class PairLine(Line):
    """A whole line."""

    pair_id: Name
    prompt: Messages = ()
    context: Text = ""
    reference: Text = ""
    a: SideLine
    b: SideLine
    judgements: Annotated[tuple[JudgementLine, ...], BeforeValidator(as_list)] = ()
    humans: Annotated[tuple[HumanLine, ...], BeforeValidator(as_list)] = ()
    reviews: Objects = ()
    gold: Vote = None
    tags: Tags = Field(default_factory=dict)
    high_stakes: bool | None = None
    tool_rules: Objects = ()
    checks: Objects = ()
    baseline: str | None = None

    @property
    def variants(self) -> tuple[str, str]:
        """The names of a and b; A and B where the file gives none."""
        return (self.a.model or "A", self.b.model or "B")
