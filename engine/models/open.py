"""The one place that chooses between the two models; the spec says which."""

from __future__ import annotations

from bothways.engine.models.base import Model

__all__ = ["open_model"]


def open_model(model: str, endpoint: str | None, *, timeout_s: float, concurrency: int) -> Model:
    """Return the model behind `endpoint`, or litellm's where there is none. Each is imported when used."""
    if endpoint is not None:
        from bothways.engine.models.endpoint import EndpointModel

        return EndpointModel(model, endpoint, timeout_s=timeout_s, concurrency=concurrency)
    from bothways.engine.models.litellm import LitellmModel

    return LitellmModel(model, timeout_s=timeout_s)
