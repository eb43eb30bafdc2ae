"""Decide whether a changed prompt may ship: both orders, hard gate, signed decision."""

from __future__ import annotations

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    """Look the version up when somebody asks: importlib.metadata is a third of a start's imports."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("bothways")
    except PackageNotFoundError:  # a source tree that nobody installed
        return "0.0.0+source"
