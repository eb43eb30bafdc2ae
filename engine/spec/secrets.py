"""Keys and passwords have no place in a spec: it is committed, stored, and shown."""

from __future__ import annotations

import re

from bothways.engine.errors import Place
from bothways.engine.files.fields import Problems
from bothways.engine.files.node import Node

__all__ = ["refuse_secrets"]

_NAME = re.compile(
    r"(^|[-_. ])(api[-_ ]?key|key|pass(word|wd|phrase)?|secret|credentials?|authorization|cookie"
    r"|(access|auth|bearer|api|id|session|refresh)[-_ ]?token|token)$",
    re.IGNORECASE,
)
_FROM_ENVIRONMENT = re.compile(r"\$\{?[A-Za-z_]")
_IN_ADDRESS = re.compile(
    r"^[a-z][a-z0-9+.-]*://([^/?#\s]*:[^/?#\s]*@|\S*[?&][^=&\s]*(key|token|secret|password)=)", re.IGNORECASE
)
_ADVICE = "Put it into the environment; where a header needs it, write ${NAME}."
# Schemas of tools may well describe a password; they hold none.
_DESCRIPTIONS = frozenset({"tools", "parameters", "criteria"})


def refuse_secrets(node: Node, place: Place, problems: Problems) -> None:
    """Note every field that is called like a secret, and every address that holds one."""
    if isinstance(node.value, list):
        for item in node.value:
            refuse_secrets(item, place, problems)
    elif isinstance(node.value, dict):
        for name, item in node.value.items():
            field = Place(place.file, item.line, f"{place.field}.{name}" if place.field else name)
            if name in _DESCRIPTIONS:
                continue
            if (
                _NAME.search(name)
                and isinstance(item.value, str)
                and not _FROM_ENVIRONMENT.search(item.typed)
            ):
                problems.add(field, "a secret", "no keys and no passwords in a spec", _ADVICE)
            else:
                refuse_secrets(item, field, problems)
    elif _IN_ADDRESS.search(node.typed) and not _FROM_ENVIRONMENT.search(node.typed):
        problems.add(place, "an address with a secret in it", "an address without one", _ADVICE)
