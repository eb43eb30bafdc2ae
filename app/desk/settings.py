"""What people set for themselves: one YAML file, read when the desk opens. Knows no Textual.

A mistake costs the setting that it stands in and no other: the desk opens with the default for that one,
and says what is wrong, and where.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from bothways.app.desk.keys import SHIPPED, clashes, pressed, shown

if TYPE_CHECKING:
    from bothways.engine.errors import DataError
    from bothways.engine.files.fields import Fields

__all__ = ["CopyTo", "Notice", "Settings", "ThemeName", "keep_theme", "read_settings", "settings_path"]

ThemeName: TypeAlias = Literal[
    "desk", "desk-paper", "desk-blue-orange", "desk-blue-orange-paper", "desk-contrast",
    "desk-contrast-paper", "ansi-dark", "ansi-light",
]  # fmt: skip
CopyTo: TypeAlias = Literal["terminal", "file"]
Notice: TypeAlias = Literal["bell", "title"]
_THEMES: tuple[ThemeName, ...] = get_args(ThemeName)
_COPY: tuple[CopyTo, ...] = get_args(CopyTo)
_NOTICES: tuple[Notice, ...] = get_args(Notice)


_MOST = 1_000_000
"""Bytes of a file of settings: every key there is, remapped, takes a few thousand."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force. `keys` holds, by id, the names that Textual gives the keys, with commas between.

    `editor` "" is $VISUAL or $EDITOR. With `repeat_guard` a verdict key that is held down acts once.
    """

    reviewer: str = ""
    theme: ThemeName = "desk"
    editor: str = ""
    copy: CopyTo = "terminal"
    notify: tuple[Notice, ...] = _NOTICES
    repeat_guard: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)


def settings_path() -> Path:
    """Return where the settings are: BOTHWAYS_SETTINGS, or the folder that this system has for such files."""
    if named := os.environ.get("BOTHWAYS_SETTINGS"):
        return Path(named)
    import platformdirs

    return platformdirs.user_config_path("bothways") / "settings.yaml"


def read_settings(path: Path) -> tuple[Settings, DataError | None]:
    """Return the settings, and everything that is wrong with the file: those have their defaults.

    What is no ordinary file, or far too large for one of settings, is wrong as a whole, and not waited for.
    """
    if _is_none(path):
        return Settings(), None
    # Imported here: most people have no such file, and the first paint does not wait for what reads it.
    from bothways.engine.errors import DataError, Place
    from bothways.engine.files.fields import Fields, Problems
    from bothways.engine.files.text import read_text
    from bothways.engine.files.yaml import read_yaml

    problems = Problems()
    found = Settings()
    try:
        node = read_yaml(read_text(path, _MOST), str(path))
        if node.value is None:
            return found, None
        found = _settings(Fields(node, Place(str(path), node.line), problems))
        problems.raise_any()
    except DataError as error:
        return found, error
    return found, None


def _is_none(path: Path) -> bool:
    """Tell whether there are no settings: the null device stands for that too."""
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):  # whoever reads it says what is the matter
        return False
    return path == Path(os.devnull)


def _settings(fields: Fields) -> Settings:
    usual = Settings()
    found = Settings(
        reviewer=fields.text("reviewer").strip(),
        theme=fields.choice("theme", _THEMES, usual.theme),
        editor=fields.text("editor").strip(),
        copy=fields.choice("copy", _COPY, usual.copy),
        notify=_notices(fields),
        repeat_guard=fields.flag("repeat_guard", usual.repeat_guard),
        keys=_keys(fields.child("keys")),
    )
    fields.finish()
    return found


def _notices(fields: Fields) -> tuple[Notice, ...]:
    from bothways.engine.files.fields import nearest

    if "notify" not in fields:
        return _NOTICES
    said = fields.texts("notify")
    unknown = sorted(set(said) - set(_NOTICES))
    for one in unknown:
        fields.wrong("notify", one, nearest(one, _NOTICES))
    return _NOTICES if unknown else tuple(notice for notice in _NOTICES if notice in said)


def _keys(fields: Fields | None) -> Mapping[str, str]:
    """Read the remapped keys; what is no id, no key, or means two things in one place stays as it came."""
    if fields is None:
        return {}
    from bothways.engine.text import excerpt

    own: dict[str, str] = {}
    for id in (key.id for keys in SHIPPED.values() for key in keys):
        written = fields.texts(id)
        names = [pressed(one) for one in written]
        for one, name in zip(written, names, strict=True):
            if name is None:
                fields.wrong(id, f"no key is called {excerpt(one, 40)}", "e.g. c, ?, enter, f5 or ctrl+r")
        if known := [name for name in names if name is not None]:
            own[id] = ",".join(known)
    fields.finish()
    while clash := next(clashes(own), None):  # one that goes may have made room for another, or taken it
        id, other, key = clash
        fields.wrong(id, f"{shown(key)} is the key of {other} already", "a key that is free there")
        del own[id]
    return own


_THEME_LINE = re.compile(r"^theme[ \t]*:.*$", re.MULTILINE)


def keep_theme(path: Path, theme: ThemeName) -> None:
    """Write a theme that was chosen at the desk into the settings, and leave every other line as it is.

    Raises OSError where the file cannot be written, and BothwaysError where it is broken or laid out so that
    no line can be changed by itself: then it stays as it is.
    """
    from bothways.engine.errors import UsageError

    _, problem = read_settings(path)
    if problem is not None:
        raise problem
    target = path.resolve()  # a link into somebody's dotfiles stays a link
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} cannot be changed", "it is no ordinary file", "Name a file for settings.")
    text = target.read_text(encoding="utf-8") if target.exists() else ""
    changed, found = _THEME_LINE.subn(f"theme: {theme}", text, count=1)
    if not found:
        changed = f"{text.rstrip()}\ntheme: {theme}\n".lstrip()
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}")
    part.write_text(changed, encoding="utf-8")
    if read_settings(part)[0].theme == theme:
        part.replace(target)
    else:
        part.unlink()
        raise UsageError(f"{path} could not be changed", "", f"Write a line into it: theme: {theme}")
