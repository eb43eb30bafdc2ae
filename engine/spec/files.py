"""The files that a spec names: found beside it, read in, or known by the hash of their content."""

from __future__ import annotations

import hashlib
import sys
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from bothways.engine.errors import DataError
from bothways.engine.files.fields import Fields
from bothways.engine.files.text import read_bytes, read_text
from bothways.engine.spec.source import defined

__all__ = ["function_version", "module_version", "named_file", "read_prompt", "read_recording"]


def named_file(fields: Fields, name: str) -> Path | None:
    """Return the absolute path of the file that a field names; notes a problem where there is none."""
    if name not in fields:
        return None
    written = fields.text(name)
    path = (Path(fields.place.file).parent / written).absolute()
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):  # a name too long, or a NUL in it
        pass
    fields.wrong(name, f"no file {written!r} beside the spec", "the path of a file, relative to this one")
    return None


def read_prompt(fields: Fields) -> str:
    """Read `prompt` (a file) or `prompt_text` (the text itself).

    Line ends become `\\n` and the last one is left out: they belong to the file, not to the prompt.
    """
    if "prompt_text" in fields:
        if "prompt" in fields:
            fields.wrong("prompt_text", "both prompt and prompt_text", "one of them")
        return _lines(fields.text("prompt_text"))
    path = named_file(fields, "prompt")
    if path is None:
        return ""
    try:
        text = _lines(read_text(path))
    except DataError as error:
        fields.problems.note(error)
        return ""
    if not text.strip():
        fields.wrong("prompt", "an empty file", "a prompt")
    return text


def read_recording(fields: Fields) -> tuple[str | None, str | None]:
    """Return the absolute path of the recording in `replay`, and the hash of its content."""
    path = named_file(fields, "replay")
    return (None, None) if path is None else (str(path), _hash(fields, path))


def function_version(fields: Fields) -> str | None:
    """Return the version of the module in `function: module:name`."""
    written = fields.text("function")
    module, _, function = written.partition(":")
    if not all(part.isidentifier() for part in function.split(".")):
        fields.wrong("function", repr(written), "module:function, e.g. agent:answer")
        return None
    return module_version(fields, "function", module, function.partition(".")[0])


def module_version(fields: Fields, name: str, module: str, function: str = "") -> str | None:
    """Return the hash of the source of the module that a field names, without importing it.

    It is looked for in the spec's folder first; a problem is noted where there is none, where it is no
    Python, and where it has no such `function`. None where it has no source file (a compiled one).
    """
    found = None
    if all(part.isidentifier() for part in module.split(".")):
        found = _find(module, Path(fields.place.file).parent.absolute())
    if found is None:
        fields.wrong(name, f"no module {module!r}", "a module beside the spec, or an installed one")
    if found is None or not found.has_location or found.origin is None:
        return None
    path = Path(found.origin)
    try:
        source = read_bytes(path)
    except DataError as error:
        fields.problems.note(error)
        return None
    if path.suffix == ".py":
        _check_source(fields, name, path, source, function)
    return hashlib.sha256(source).hexdigest()


def _check_source(fields: Fields, name: str, path: Path, source: bytes, function: str) -> None:
    """Note what would end every run: a module that is no Python, a function that it has not got."""
    try:
        names = defined(source)
    except SyntaxError as error:
        where = f"{path.name}:{error.lineno}" if error.lineno else path.name
        fields.wrong(name, f"{where} is no Python ({error.msg})", "a module that can be imported")
        return
    if function and names is not None and function not in names:
        near = get_close_matches(function, names, n=1)
        expected = f"{near[0]} (did you mean that?)" if near else "a function that the module has"
        fields.wrong(name, f"no function {function!r} in {path.name}", expected)


def _find(module: str, folder: Path) -> ModuleSpec | None:
    """Walk from package to module by the finder alone: nothing is imported, so nothing runs."""
    search = [str(folder), *sys.path]
    found = None
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        found = PathFinder.find_spec(".".join(parts[:count]), search)
        if found is None:
            return None
        search = list(found.submodule_search_locations or ())
    return found


def _hash(fields: Fields, path: Path) -> str | None:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except DataError as error:
        fields.problems.note(error)
        return None


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
