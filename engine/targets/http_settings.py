"""What a spec says of an agent behind HTTP. Apart from the agent, so that checking a spec needs no client."""

from __future__ import annotations

from typing import Literal

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Variant
from bothways.engine.targets.template import unknown_placeholders

__all__ = ["HttpSettings", "read_settings"]

_PLACEHOLDERS = ("input", "messages", "context", "session", "prompt", "model", "params", "tools")
"""What `seen` gives to fill in."""


def _all(*names: str) -> JsonValue:
    return {name: f"{{{{{name}}}}}" for name in names}


class HttpSettings(BaseModel):
    """What a spec says under `http:`.

    `url`, `headers` and `reset` may hold `${NAME}` from the environment, `url`, `body` and `reset` the
    placeholders. `text` and the fields after it are jmespath expressions over the reply; `text` must find
    something, `error` must find nothing. A reply that is a stream of events is the list of their data, e.g.
    `text: join('', [].delta)`. `reset` is an address that is posted `{"session": …}` before each
    case.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    method: Literal["GET", "POST", "PUT", "PATCH"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    body: JsonValue = Field(default_factory=lambda: _all("input", "session"))
    text: str = "text"
    tool_calls: str | None = None
    context: str | None = None
    usage: str | None = None
    cost: str | None = None
    model: str | None = None
    error: str = "error"
    reset: str | None = None

    def paths(self) -> dict[str, ParsedResult]:
        """Return the expressions by name, compiled; UsageError names one that is none."""
        given = self.model_dump(include={"text", "tool_calls", "context", "usage", "cost", "model", "error"})
        return {name: _compiled(name, path) for name, path in given.items() if path is not None}


def _compiled(name: str, path: str) -> ParsedResult:
    try:
        return jmespath.compile(path)
    except JMESPathError as error:
        raise UsageError(f"http.{name} is no jmespath expression", f"{path}: {error}") from error


def read_settings(variant: Variant) -> HttpSettings:
    """Return a variant's settings; UsageError names what cannot be meant."""
    try:
        settings = HttpSettings.model_validate(variant.http)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(("http", *(str(part) for part in first["loc"])))
        raise UsageError(f"{variant.name}: {place}", first["msg"]) from error
    unknown = unknown_placeholders([settings.url, settings.body, settings.reset], _PLACEHOLDERS)
    if unknown:
        known = ", ".join(_PLACEHOLDERS)
        raise UsageError(
            f"{variant.name}: http: nothing is called {{{{{unknown[0]}}}}}", f"there are {known}"
        )
    settings.paths()
    return settings
