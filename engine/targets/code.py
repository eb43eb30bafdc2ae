"""Other people's Python: found by name, called whether it is sync or async, its exceptions put into words."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType

from bothways.engine.errors import CallFailed, UsageError
from bothways.engine.facts import Failure, FailureKind
from bothways.engine.models.faults import from_silence
from bothways.engine.models.scrub import scrub
from bothways.engine.targets.threads import in_thread
from bothways.engine.text import excerpt

__all__ = ["call", "call_within", "explain", "find_function", "find_module", "fresh"]


def find_module(name: str, folder: str | None = None) -> ModuleType:
    """Import a module by name, looking in the spec's folder first; UsageError where that fails."""
    if folder is not None:
        _look_first_in(folder, name)
    try:
        return importlib.import_module(name)
    except Exception as error:  # somebody else's module may raise anything
        raise UsageError(f"the module {name} cannot be imported", explain(error)) from error


def _look_first_in(folder: str, name: str) -> None:
    """Put a folder first, and forget a module of the same name that another spec brought along."""
    if folder in sys.path:
        sys.path.remove(folder)
    sys.path.insert(0, folder)
    top = name.partition(".")[0]
    ours, loaded = PathFinder.find_spec(top, [folder]), sys.modules.get(top)
    if ours is not None and loaded is not None and getattr(loaded, "__file__", None) != ours.origin:
        for other in [one for one in sys.modules if one == top or one.startswith(f"{top}.")]:
            del sys.modules[other]


def find_function(name: str, folder: str | None = None) -> Callable[..., object]:
    """Return the function called `module:name`, as `find_module` finds it; UsageError where there is none."""
    module_name, _, function_name = name.partition(":")
    if not module_name or not function_name:
        raise UsageError("a function that has no name", name, "write it as module:name")
    found: object = find_module(module_name, folder)
    for part in function_name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise UsageError(f"the module {module_name} has no function {function_name}", name)
    return found


def fresh(module: ModuleType) -> ModuleType:
    """Return a new copy of an imported module, run from its start: what it keeps in globals is its own.

    Cases are answered side by side; one copy each, and no case meets what another has written.
    """
    spec = module.__spec__
    if spec is None or spec.loader is None:
        return module
    copy = module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy


async def call(function: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Call a function: an async one here, any other in a thread."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return await function(*args, **kwargs)  # type: ignore[misc]
    result = await in_thread(lambda: function(*args, **kwargs))
    return await result if inspect.isawaitable(result) else result


async def call_within(timeout_s: float, function: Callable[..., object], *args: object) -> object:
    """Call a function; raise CallFailed where it raises anything else, or has not returned after so long."""
    deadline = asyncio.timeout(timeout_s)
    try:
        async with deadline:
            return await call(function, *args)
    except CallFailed:
        raise
    except Exception as error:  # somebody else's code may raise anything, a TimeoutError of its own too
        if isinstance(error, TimeoutError) and deadline.expired():
            raise from_silence(timeout_s) from error
        raise CallFailed(Failure(FailureKind.CODE, explain(error)), "give_up") from error


def explain(error: BaseException) -> str:
    """Return an exception as one sentence with the place it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    inner = [frame for frame in frames if "importlib" not in frame.filename]
    place = f" ({inner[-1].filename}:{inner[-1].lineno})" if inner else ""
    return f"{type(error).__name__}: {excerpt(scrub(str(error)), 300)}{place}"
