"""The resolved spec: an experiment with every file read in, so that it means the same tomorrow.

`load.py` makes one from YAML; the store keeps it; everything after that works from it alone. Frozen
pydantic models, since it is read from files and from the database.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.main import IncEx

from bothways.engine.facts import JsonObject
from bothways.engine.keys import digest

__all__ = [
    "Attest",
    "Experiment",
    "GateSettings",
    "Judge",
    "Policy",
    "Resolved",
    "ReviewSettings",
    "RunSettings",
    "Tool",
    "Variant",
]  # fmt: skip

Policy: TypeAlias = Literal["latest", "majority", "adjudicator"]
_CAME_LATER = ("policy", "adjudicator", "second_look")
"""Settings of reviews that stand in a hash only where they are used, so that no older hash changes."""


class Resolved(BaseModel):
    """Base of all parts: immutable, and nothing unknown gets in."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Tool(Resolved):
    """One tool an assistant may call. `writes` marks those that change the world (a refund, an order).

    `result` is the canned result, if any; `parameters` is a JSON Schema.
    """

    name: str
    description: str = ""
    parameters: JsonObject = Field(default_factory=dict)
    writes: bool = False
    result: JsonValue = None


class Variant(Resolved):
    """One version of the assistant, resolved. Exactly one of the five sources answers.

    Where `replay` is given it answers, and `model` and the rest say what made the recording. `prompt` is
    the text of the system prompt. `version` is what is known of an opaque source: a hash of the
    function's module or of the recording's content, or what the spec declares; None is unknown.
    `tool_module_version` is the hash of the tools' module, None where it has no source. `folder` is where
    the spec lies: modules are looked for there first, and commands are run there.
    """

    name: str
    model: str | None = None
    endpoint: str | None = None
    http: JsonObject | None = None
    function: str | None = None
    command: tuple[str, ...] | None = None
    replay: str | None = None
    version: str | None = None
    prompt: str = ""
    tools: tuple[Tool, ...] = ()
    tool_module: str | None = None
    tool_module_version: str | None = None
    max_tool_rounds: int = Field(default=8, ge=0)
    params: JsonObject = Field(default_factory=dict)
    folder: str | None = None

    @property
    def kind(self) -> Literal["model", "http", "function", "command", "replay", "none"]:
        """Which source answers; `none` is an imported variant, whose answers are all there is."""
        if self.replay is not None:
            return "replay"
        if self.http is not None:
            return "http"
        if self.function is not None:
            return "function"
        if self.command is not None:
            return "command"
        return "model" if self.model is not None else "none"

    @property
    def digest(self) -> str:
        """Hash of everything that shapes an answer: not the name, not where files lie."""
        return digest("variant", self.model_dump(mode="json", exclude={"name", "replay", "folder"}))


class Judge(Resolved):
    """Who compares, and how. One of `model`, `replay`, `function`; `name` is how people call it.

    Where `replay` is given it judges, and `model` says what made the recording. `shuffle` is about more than
    two answers: None where the spec does not say.
    """

    name: str
    model: str | None = None
    endpoint: str | None = None
    function: str | None = None
    replay: str | None = None
    version: str | None = None
    prompt: str = ""
    criteria: tuple[str, ...] = ()
    temperature: float | None = 0.0
    max_tokens: int | None = None
    params: JsonObject = Field(default_factory=dict)
    swap: bool = True
    shuffle: bool | None = None
    allow_tie: bool = True
    golden: Literal["reference", "none"] = "reference"
    show: tuple[Literal["cost", "duration"], ...] = ()
    folder: str | None = None

    @property
    def digest(self) -> str:
        """Hash of what shapes a verdict besides what is shown: not the name, not where files lie.

        How many passes there are, and what they show of an answer or a reference, stands in their own keys.
        """
        elsewhere = {"name", "replay", "folder", "swap", "shuffle", "golden", "show"}
        return digest("judge", self.model_dump(mode="json", exclude=elsewhere))


class ReviewSettings(Resolved):
    """Which rows a person must read, how, and what counts where several people read one.

    `audit` is the share of the agreed rows that is drawn for reading, `second_look` the share of a
    reviewer's own rows that come back to them, blind. `policy` says whose verdict counts where reviewers
    differ; only `adjudicator` has somebody of that name.
    """

    require: Literal["always", "when_close", "never"] = "always"
    high_stakes_tags: tuple[str, ...] = ()
    blind: bool = False
    audit: float = Field(default=0.0, ge=0.0, le=1.0)
    policy: Policy = "latest"
    adjudicator: str | None = None
    second_look: float = Field(default=0.0, ge=0.0, le=1.0)

    def marks(self, tag: tuple[str, str]) -> bool:
        """Tell whether a tag makes a row high stakes: tags count by their name or their value."""
        marked = {mark.casefold() for mark in self.high_stakes_tags}
        return not marked.isdisjoint(part.casefold() for part in tag)


class GateSettings(Resolved):
    """The thresholds of the gate. `threshold` is kept as a decimal text so that it compares in integers."""

    threshold: str = "0.60"
    ties: Literal["count", "exclude"] = "count"
    rerun_margin: int = Field(default=1, ge=0)
    max_flip_rate: str = "0.30"
    min_answered: str = "0.90"
    max_errors: int = Field(default=0, ge=0)
    min_decided: int = Field(default=10, ge=0)


class RunSettings(Resolved):
    """How a run behaves: calls in flight, money, retries, seconds a call may take."""

    concurrency: int = Field(default=20, ge=1)
    budget_usd: float | None = Field(default=None, ge=0)
    retries: int = Field(default=4, ge=0)
    timeout_s: float = Field(default=120, gt=0)


class Attest(Resolved):
    """What a person answers for, because it cannot be checked; the reason stands in the record."""

    one_change: str | None = None


class Experiment(Resolved):
    """Everything an experiment asks for, but its cases, which are stored one by one beside it."""

    name: str
    baseline: Variant
    candidates: tuple[Variant, ...]
    judge: Judge | None = None
    hypothesis: str = ""
    follows: str | None = None
    review: ReviewSettings = ReviewSettings()
    gate: GateSettings = GateSettings()
    run: RunSettings = RunSettings()
    attest: Attest = Attest()
    imported: bool = False

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The baseline first, then the candidates."""
        return (self.baseline, *self.candidates)

    @property
    def digest(self) -> str:
        """Hash of everything that it asks for: not where files lie, nor how fast it may run."""
        places: IncEx = {"replay", "folder"}
        left_out: IncEx = {
            "baseline": places, "candidates": {"__all__": places}, "judge": places, "run": True,
        }  # fmt: skip
        asked = self.model_dump(mode="json", exclude=left_out)
        usual = ReviewSettings().model_dump(mode="json")
        for name in _CAME_LATER:
            if asked["review"][name] == usual[name]:
                del asked["review"][name]
        return digest("experiment", asked)

    def writes(self, tool: str) -> bool:
        """Say whether a tool may change the world; one that nobody declared may.

        Who names the writing tools of an import has looked at all of them: the others read.
        """
        declared = [one for variant in self.variants for one in variant.tools]
        same = [one.writes for one in declared if one.name == tool]
        if not same and self.imported:
            return not any(one.writes for one in declared)
        return any(same) or not same

    def variant(self, name: str) -> Variant:
        """Return the variant called `name`; KeyError where there is none."""
        return {v.name: v for v in self.variants}[name]
