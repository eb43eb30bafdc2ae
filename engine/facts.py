"""The facts: what was asked, answered, judged and paid. Nothing here is a conclusion.

Frozen dataclasses of plain data. The ones that are stored or sent are JSON through `dump` and `load`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, TypeAlias, TypeVar

from pydantic import JsonValue, TypeAdapter

from bothways.engine.keys import digest

__all__ = [
    "NO_TOOLS", "TIE", "Answer", "Case", "Failure", "FailureKind", "JsonObject", "JsonValue", "Message",
    "PassResult", "Reading", "Reply", "Role", "ToolCall", "Usage", "answered", "dump", "load",
    "total",
]  # fmt: skip

JsonObject: TypeAlias = dict[str, JsonValue]
Role = Literal["system", "user", "assistant", "tool"]
Reading = Literal["", "json", "repaired", "text", "function", "recorded"]
T = TypeVar("T")
N = TypeVar("N", int, float)

TIE = -1
"""The choice of a pass that found its answers equally good, or all unacceptable."""


class FailureKind(StrEnum):
    """Why a call or a unit of work gave nothing."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    RATE_LIMIT = "rate limit"
    SERVER = "server error"
    NO_KEY = "no key"
    AUTH = "wrong key"
    NOT_FOUND = "unknown model"
    BAD_REQUEST = "bad request"
    TOO_LONG = "too long"
    CONTENT_FILTER = "content filter"
    CUT_OFF = "cut off"
    EXTRACTION = "no answer in the reply"
    TOOL = "tool loop"
    MISSING = "not in the recording"
    UNREADABLE = "unreadable"
    BUDGET = "budget"
    LOST = "lost in flight"
    CODE = "error in the code called"

    @property
    def turned_away(self) -> bool:
        """Whether the call was refused at the door, before any work that could cost something."""
        kinds = FailureKind
        return self in (
            kinds.RATE_LIMIT, kinds.NO_KEY, kinds.AUTH, kinds.NOT_FOUND, kinds.BAD_REQUEST, kinds.TOO_LONG,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is nothing, in the words of whoever said so."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: which, with what, and what came back. `turn` counts assistant turns from 0."""

    name: str
    arguments: JsonObject = field(default_factory=dict)
    id: str = ""
    result: str | None = None
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the server counted them; None is unknown, never zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """Add up; an unknown part makes the sum unknown."""
        return Usage(
            total([self.prompt_tokens, other.prompt_tokens]),
            total([self.completion_tokens, other.completion_tokens]),
            total([self.cached_tokens, other.cached_tokens]),
        )


def total(parts: Sequence[N | None]) -> N | None:
    """Add up; an unknown part makes the sum unknown."""
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


@dataclass(frozen=True, slots=True)
class Case:
    """One input of the data set.

    `messages` is the conversation up to the answer that is wanted (a plain `input` becomes one user
    message). `tool_rules` and `checks` are data, read by `engine.rules`. `high_stakes` is None
    where the case does not say, and the experiment's tags decide. `extra` keeps fields nobody knows.
    """

    id: str
    messages: tuple[Message, ...]
    context: str = ""
    reference: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    high_stakes: bool | None = None
    tool_rules: tuple[JsonObject, ...] = ()
    checks: tuple[JsonObject, ...] = ()
    extra: JsonObject = field(default_factory=dict)

    @property
    def input(self) -> str:
        """The last user message: what a list shows for this case."""
        return next((m.content for m in reversed(self.messages) if m.role == "user"), "")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one variant said for one case: its final text, or the failure that stands in its place.

    `messages` is the whole conversation that the target had (empty for a plain text answer). `cost_usd`
    and `duration_s` are None where unknown. `model` is the name that the provider returned.
    """

    text: str = ""
    messages: tuple[Message, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    cost_usd: float | None = None
    duration_s: float | None = None
    model: str | None = None
    failure: Failure | None = None
    notes: tuple[str, ...] = ()
    extra: JsonObject = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The text that a judge is shown: the final text, or the conversation without any tool log."""
        spoken = [m for m in self.messages if m.role in ("user", "assistant") and m.content]
        if len([m for m in spoken if m.role == "assistant"]) < 2:
            return self.text
        return "\n\n".join(f"{m.role.capitalize()}: {m.content}" for m in spoken)

    @property
    def digest(self) -> str:
        """Hash of what a judge can see of this answer."""
        return digest("answer", self.shown)

    @property
    def tools_digest(self) -> str:
        """Hash of the tool calls: what a signature under a tool diff stands on."""
        if not self.tool_calls:
            return NO_TOOLS
        return digest("tools", [[c.turn, c.name, c.arguments] for c in self.tool_calls])


NO_TOOLS = digest("tools", [])
"""The `tools_digest` of an answer that called nothing."""


def answered(answer: Answer) -> Answer:
    """Return the answer, with a failure in its place where it ends without a word: a customer got none.

    Whoever takes an answer in, from a target or a file, asks this.
    """
    if answer.failure is not None or (answer.text and not answer.text.isspace()):
        return answer
    said = "it ends in tool calls, without a text" if answer.tool_calls else "the text is empty"
    return replace(answer, failure=Failure(FailureKind.EXTRACTION, said))


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call brought back, whoever was called.

    `content` is the text (None where the reply had none), `body` the whole JSON of an agent that is no
    chat model. `cost_usd` None is unknown. `notes` say what was dropped or changed to get through.
    """

    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    refusal: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None
    duration_s: float | None = None
    model: str | None = None
    body: JsonValue = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassResult:
    """What one judge call said about an ordered list of answers.

    `choice` is the place in that list (0 = shown first), `TIE`, or None where no verdict could be read.
    It is *not* mapped to variants: `engine.analysis.outcomes` does that, once, with the order shown.
    `raw` is the judge's own text; `reading` names the rung of the reading ladder that found the verdict.
    """

    choice: int | None = None
    rationale: str = ""
    raw: str = ""
    reading: Reading = ""
    usage: Usage = Usage()
    cost_usd: float | None = None
    duration_s: float | None = None
    model: str | None = None
    failure: Failure | None = None
    notes: tuple[str, ...] = ()
    extra: JsonObject = field(default_factory=dict)


_ADAPTERS: dict[type, TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Build each codec once: building costs a hundred times more than using it."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def dump(value: object) -> str:
    """Return a fact as JSON text."""
    return _adapter(type(value)).dump_json(value, exclude_defaults=True).decode()


def load(kind: type[T], text: str) -> T:
    """Read a fact back from the JSON text that `dump` made."""
    return _adapter(kind).validate_json(text)
