"""YAML without the guesses of YAML 1.1, with a line for every value.

`no`, `1:30`, `007` and dates are text. true, false, null, integers and decimals are read as in the core
schema of YAML 1.2; what JSON cannot hold (`.nan`) is text as it is typed, and so is every key: `1:` and
`"1":` are the same. A key that stands twice is an error, and so are tags other than `!!str`.
"""

from __future__ import annotations

import math
import re

import yaml

from bothways.engine.errors import DataError, Place
from bothways.engine.files.json import DEEPEST
from bothways.engine.files.node import Node, Scalar

__all__ = ["read_yaml"]

# libyaml is ten times faster and refuses absurd nesting; some builds of PyYAML lack it.
_Loader: type[yaml.CSafeLoader] | type[yaml.SafeLoader] = (
    yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
)
_PLAIN = "plain"
_STR = "tag:yaml.org,2002:str"
_WORDS: dict[str, Scalar] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_DECIMAL = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*|(?=[eE]))|\.[0-9]+)([eE][-+]?[0-9]+)?")
# Without aliases a value takes a character at least.
_VALUES_PER_CHARACTER = 10


def read_yaml(text: str, file: str) -> Node:
    """Read one document; raises DataError."""
    loader = _Loader(text)
    # Marks every unquoted scalar, so that the words of YAML 1.2 can be told from quoted ones below.
    loader.yaml_implicit_resolvers = {None: [(_PLAIN, re.compile(""))]}
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise DataError(Place(file, line), f"not YAML ({error.problem})", "one YAML document") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DataError(Place(file, line), "a control character", "printable text", _ESCAPE) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise DataError(Place(file), f"not YAML ({type(error).__name__})", "one YAML document") from error
    finally:
        loader.dispose()
    return (
        Node(None, 1) if root is None else _Reader(file, 1 + _VALUES_PER_CHARACTER * len(text)).read(root, 0)
    )


_ESCAPE = 'Write it as an escape in double quotes, e.g. "\\x1b".'


class _Reader:
    """Turns PyYAML's graph into nodes; counts, so that aliases of aliases cannot fill the memory."""

    def __init__(self, file: str, most: int) -> None:
        self._file = file
        self._left = most

    def read(self, node: yaml.Node, depth: int) -> Node:
        """Read one value with all that is in it."""
        self._left -= 1
        line = node.start_mark.line + 1
        if self._left < 0:
            raise DataError(Place(self._file, line), "aliases of aliases", "values that are written out")
        if depth > DEEPEST:
            raise DataError(Place(self._file, line), "nested too deeply", f"at most {DEEPEST} levels")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, line)
        if isinstance(node, yaml.SequenceNode):
            self._no_tag(node, "tag:yaml.org,2002:seq")
            return Node([self.read(item, depth + 1) for item in node.value], line)
        self._no_tag(node, "tag:yaml.org,2002:map")
        return self._mapping(node, line, depth)

    def _scalar(self, node: yaml.ScalarNode, line: int) -> Node:
        typed: str = node.value
        if node.tag == _PLAIN:
            return Node(_core(typed), line, typed)
        self._no_tag(node, _STR)
        return Node(typed, line, typed)

    def _mapping(self, node: yaml.Node, line: int, depth: int) -> Node:
        found: dict[str, Node] = {}
        for key_node, value_node in node.value:
            key_line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise DataError(Place(self._file, key_line), "a list or mapping as a key", "text as a key")
            key = key_node.value
            if key in found:
                raise DataError(
                    Place(self._file, key_line, key),
                    "stands twice",
                    f"each key once (first on line {found[key].line})",
                )
            found[key] = self.read(value_node, depth + 1)
        return Node(found, line)

    def _no_tag(self, node: yaml.Node, expected: str) -> None:
        if node.tag != expected:
            place = Place(self._file, node.start_mark.line + 1)
            raise DataError(place, f"the tag {node.tag}", "plain values, without tags")


def _core(typed: str) -> Scalar:
    """Resolve an unquoted scalar; what JSON cannot hold, and numbers with leading zeros, stay text."""
    if typed in _WORDS:
        return _WORDS[typed]
    if _INTEGER.fullmatch(typed):
        return int(typed)
    if _DECIMAL.fullmatch(typed) and math.isfinite(number := float(typed)):
        return number
    return typed
