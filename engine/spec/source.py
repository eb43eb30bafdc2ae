"""What a Python module defines, read from its source: nothing is imported, so nothing runs."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

__all__ = ["defined"]

_HIDDEN = frozenset({"globals", "vars", "locals", "setattr", "exec", "eval", "__getattr__"})
"""Who uses one of these may define names that no reader sees."""


def defined(source: bytes) -> frozenset[str] | None:
    """Return the names that a module gives, None where only running it would tell.

    Raises SyntaxError where it is no Python.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL in it; nested too deeply
        raise SyntaxError(str(error) or "it cannot be read") from error
    names = {name for node in ast.walk(tree) for name in _bound(node)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return None if "*" in names or _HIDDEN & (names | used) else frozenset(names)


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement binds; those inside functions are among them, which harms nobody."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case _:
            return
