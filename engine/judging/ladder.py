"""How a verdict's form is asked for: a schema, JSON mode, or words alone; down by itself, and remembered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bothways.engine.errors import CallFailed
from bothways.engine.facts import FailureKind, Reply
from bothways.engine.models.base import Model, ModelRequest, Shape

__all__ = ["ShapeLadder"]

_DOWN: dict[Shape, Shape] = {"schema": "json", "json": "text"}
_HEIGHT: dict[Shape, int] = {"text": 0, "json": 1, "schema": 2}
_SUSPECT = frozenset({FailureKind.BAD_REQUEST, FailureKind.SERVER, FailureKind.NOT_FOUND})
_TOLD: dict[Shape, tuple[str, ...]] = {
    "schema": (),
    "json": ("asked in JSON mode: the provider refused the schema",),
    "text": ("asked in words: the provider refused JSON mode",),
}


class ShapeLadder:
    """The shapes of one model, for one run.

    A provider that cannot do a shape answers 400, 404, 422 or 500, as it does for a hundred other reasons.
    So a call that fails like that goes again at once one shape lower, unless the higher shape has worked
    before. When the lower one then works at the first try the model is remembered to need it; when it fails
    too, down to plain text, the cause lies elsewhere: that failure counts and nothing is remembered.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._top: Shape = "schema"
        self._works: Shape | None = None

    def attempts(self, request: ModelRequest) -> Callable[[], Awaitable[Reply]]:
        """Return what makes one try after the other of one call: `Calls.send` calls it until it is content."""
        call = _Call(self._top)

        async def attempt() -> Reply:
            return await self._try(request, call)

        return attempt

    async def _try(self, request: ModelRequest, call: _Call) -> Reply:
        call.shape = min(call.shape, self._top, key=_HEIGHT.__getitem__)
        shape = call.shape
        try:
            reply = await self._model.complete(
                replace(request, shape=shape, schema=request.schema if shape == "schema" else None)
            )
        except CallFailed as failed:
            call.fresh = False
            if not self._suspects(failed, shape):
                raise
            call.shape, call.fresh = _DOWN[shape], True
            raise _again(failed) from failed
        if call.fresh:
            self._top = min(shape, self._top, key=_HEIGHT.__getitem__)
        self._works = shape
        return replace(reply, notes=(*reply.notes, *_TOLD[shape]))

    def _suspects(self, failed: CallFailed, shape: Shape) -> bool:
        """Whether the shape may be why a call failed. A retry at once means the client below has an idea."""
        return (
            failed.failure.kind in _SUSPECT
            and failed.action in ("retry", "give_up")
            and shape in _DOWN
            and shape != self._works
        )


class _Call:
    """Where one call stands. `fresh`: no try failed at this shape since it stepped down."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.fresh = True


def _again(failed: CallFailed) -> CallFailed:
    return CallFailed(
        failed.failure, "retry_now", usage=failed.usage, cost_usd=failed.cost_usd, next_step=failed.next_step
    )
