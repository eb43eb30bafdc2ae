from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from bothways.app.desk.editor import command, edit
from bothways.engine.errors import RefusedError


def script(tmp_path: Path, code: str) -> str:
    path = tmp_path / "editor.py"
    path.write_text(f"import pathlib, sys; path = pathlib.Path(sys.argv[1]); {code}")
    return shlex.join([sys.executable, str(path)])


def test_what_the_editor_saved_comes_back_in_all_its_lines(tmp_path: Path) -> None:
    code = "path.write_text(path.read_text() + '\\nand more\\n\\n')"
    assert edit("a note", asked=script(tmp_path, code)) == "a note\nand more"


def test_an_editor_that_fails_is_said_to_and_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="The editor failed"):
        edit("a note", asked=script(tmp_path, "path.write_text('half'); sys.exit(3)"))


def test_an_editor_that_is_missing_is_said_to_be() -> None:
    with pytest.raises(RefusedError, match="cannot be started"):
        edit("a note", asked="no-such-editor-anywhere")


@pytest.mark.parametrize(
    ("asked", "environment", "words"),
    [
        ("code --wait", {"VISUAL": "vim", "EDITOR": "ed"}, ["code", "--wait"]),
        ("", {"VISUAL": "vim -n", "EDITOR": "ed"}, ["vim", "-n"]),
        ("", {"VISUAL": " ", "EDITOR": "'my ed' -x"}, ["my ed", "-x"]),
    ],
)
def test_the_persons_setting_goes_before_visual_and_editor(
    asked: str, environment: dict[str, str], words: list[str]
) -> None:
    assert command(asked, environment) == words


def test_a_command_that_cannot_be_read_is_said_to_be() -> None:
    with pytest.raises(RefusedError, match="cannot be started"):
        command("vim 'half")
