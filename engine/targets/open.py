"""The one place that chooses a source of answers; each is imported when it is chosen."""

from __future__ import annotations

from bothways.engine.errors import UsageError
from bothways.engine.experiment import RunSettings, Variant
from bothways.engine.targets.base import Target

__all__ = ["open_target"]


def open_target(variant: Variant, settings: RunSettings) -> Target:
    """Return the source that the variant names; UsageError where it cannot be used or there is none."""
    match variant.kind:
        case "model":
            return _open_model(variant, settings)
        case "http":
            from bothways.engine.targets.http import HttpTarget

            return HttpTarget(variant, settings)
        case "function":
            from bothways.engine.targets.function import FunctionTarget

            return FunctionTarget(variant, settings)
        case "command":
            from bothways.engine.targets.command import CommandTarget

            return CommandTarget(variant, settings)
        case "replay":
            from bothways.engine.targets.replay import ReplayTarget

            return ReplayTarget(variant)
        case "none":
            raise UsageError(
                f"nothing answers for {variant.name}",
                "it was imported, and its answers are all there is",
                "name a model, http, function, command or replay in the spec",
            )


def _open_model(variant: Variant, settings: RunSettings) -> Target:
    from bothways.engine.models.open import open_model
    from bothways.engine.targets.code import find_module
    from bothways.engine.targets.model import ModelTarget

    assert variant.model is not None
    tools = find_module(variant.tool_module, variant.folder) if variant.tool_module else None
    model = open_model(
        variant.model, variant.endpoint, timeout_s=settings.timeout_s, concurrency=settings.concurrency
    )
    return ModelTarget(model, variant, tools)
