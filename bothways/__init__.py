"""Decide whether a changed prompt may ship: both orders, hard gate, signed decision."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("bothways")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0.0.0+source"

__all__ = ["__version__"]
