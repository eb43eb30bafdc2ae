"""How a verdict's form is asked for: a schema, JSON mode, or words alone; down by itself, and remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bothways.engine.errors import CallFailed
from bothways.engine.facts import FailureKind, Reply
from bothways.engine.models.base import Model, ModelRequest, Shape

__all__ = ["ShapeLadder"]

_DOWN: dict[Shape, Shape] = {"schema": "json", "json": "text"}
_HEIGHT: dict[Shape, int] = {"text": 0, "json": 1, "schema": 2}
_PROOF = 2
_WEIGHT = {FailureKind.BAD_REQUEST: _PROOF, FailureKind.NOT_FOUND: _PROOF, FailureKind.SERVER: 1}
"""How much a failure says against a shape: a refusal is proof, a server's error may be an accident."""
_TOLD: dict[Shape, tuple[str, ...]] = {
    "schema": (),
    "json": ("asked in JSON mode: the provider did not take the schema",),
    "text": ("asked in words: the provider did not take JSON mode",),
}


@dataclass(slots=True)
class _Call:
    """Where one call stands. `fresh`: nothing failed at this shape; `weight` of what failed above it."""

    shape: Shape
    fresh: bool = True
    weight: int = 0


class ShapeLadder:
    """The shapes of one model, for one run.

    A provider that cannot do a shape answers 400, 404, 422 or 500, as it does for a hundred other reasons.
    So a call that fails like that goes again at once one shape lower, unless the higher shape has worked
    before. Where the lower one works at its first try that is held against the higher; a refusal, or two
    server errors, are enough to leave it for the rest of the run. Where the lower fails too, down to plain
    text, the cause lies elsewhere: that failure counts, is retried as usual, and nothing is remembered.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._top: Shape = "schema"
        self._works: set[Shape] = set()
        self._against = 0

    def attempts(self, request: ModelRequest) -> Callable[[], Awaitable[Reply]]:
        """Return the attempt that `Calls.send` makes, again and again, for one call."""
        call = _Call(self._top)

        async def attempt() -> Reply:
            return await self._try(request, call)

        return attempt

    async def _try(self, request: ModelRequest, call: _Call) -> Reply:
        shape = call.shape = min(call.shape, self._top, key=_HEIGHT.__getitem__)
        schema = request.schema if shape == "schema" else None
        try:
            reply = await self._model.complete(replace(request, shape=shape, schema=schema))
        except CallFailed as failed:
            if not self._suspects(failed, shape):
                call.fresh = False
                raise
            call.shape, call.fresh = _DOWN[shape], True
            call.weight = max(call.weight, _WEIGHT[failed.failure.kind])
            raise _again(failed) from failed
        self._learn(call)
        return replace(reply, notes=(*reply.notes, *_TOLD[shape]))

    def _suspects(self, failed: CallFailed, shape: Shape) -> bool:
        """Whether the shape may be why a call failed. A retry at once means the client below has an idea."""
        return (
            failed.failure.kind in _WEIGHT
            and failed.action != "retry_now"
            and shape in _DOWN
            and shape not in self._works
        )

    def _learn(self, call: _Call) -> None:
        self._works.add(call.shape)
        if call.fresh and call.shape != self._top and self._top not in self._works:
            self._against += call.weight
            if self._against >= _PROOF:
                self._top = call.shape


def _again(failed: CallFailed) -> CallFailed:
    return CallFailed(
        failed.failure, "retry_now", usage=failed.usage, cost_usd=failed.cost_usd, next_step=failed.next_step
    )
