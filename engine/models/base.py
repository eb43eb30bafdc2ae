"""What every chat model is to the engine: one request, one attempt, one reply."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

from bothways.engine.experiment import Tool
from bothways.engine.facts import JsonObject, Message, Reply
from bothways.engine.keys import digest

__all__ = ["Model", "ModelRequest", "Shape"]

Shape: TypeAlias = Literal["schema", "json", "text"]
"""How a reply's form is asked for: an enforced JSON schema, JSON mode, or words in the prompt alone."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to a chat model, in nobody's wire format.

    `params` are the provider's own parameters (temperature, max_tokens, …). `schema` is a JSON Schema,
    sent only where `shape` is "schema".
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    params: JsonObject = field(default_factory=dict)
    schema: JsonObject | None = None
    shape: Shape = "text"

    @property
    def digest(self) -> str:
        """Hash of what is asked, so that a stored reply is replayed only to the same question.

        The shape is not in it: a ladder that stepped down still asks the same.
        """
        from bothways.engine.facts import dump

        return digest("request", dump(replace(self, shape="text")))


class Model(Protocol):
    """A chat model behind some wire."""

    @property
    def name(self) -> str:
        """The name in the spec, e.g. `openai/gpt-4o-mini`."""
        ...

    @property
    def lane(self) -> str:
        """Whose limits it shares: the provider or host. One 429 slows the whole lane."""
        ...

    async def complete(self, request: ModelRequest) -> Reply:
        """Make one attempt, without any retry; raise CallFailed with what should follow."""
        ...

    async def close(self) -> None:
        """Give connections back."""
        ...
