"""Other people's Python: found by name, called whether it is sync or async, its exceptions put into words."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.util import module_from_spec
from types import ModuleType

from bothways.engine.errors import UsageError
from bothways.engine.targets.threads import in_thread

__all__ = ["call", "explain", "find_function", "find_module", "fresh"]


def find_module(name: str, folder: str | None = None) -> ModuleType:
    """Import a module by name, looking in `folder` first; UsageError where that fails."""
    if folder is not None and folder not in sys.path:
        sys.path.insert(0, folder)  # for good: the module may import its neighbours whenever it is called
    try:
        return importlib.import_module(name)
    except Exception as error:  # somebody else's module may raise anything
        raise UsageError(f"the module {name} cannot be imported", explain(error)) from error


def find_function(name: str, folder: str | None = None) -> Callable[..., object]:
    """Return the function called `module:name`, from `folder` first; UsageError where there is none."""
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


def explain(error: BaseException) -> str:
    """Return an exception as one sentence with the place it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    inner = [frame for frame in frames if "importlib" not in frame.filename]
    place = f" ({inner[-1].filename}:{inner[-1].lineno})" if inner else ""
    return f"{type(error).__name__}: {error}{place}"
