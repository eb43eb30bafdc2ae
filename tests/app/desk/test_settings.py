from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from tests.screens import shown, until

from bothways.app.desk.keys import KEYS, SHIPPED, press, remap
from bothways.app.desk.settings import Settings, keep_theme, read_settings
from bothways.app.desk.sitting import Pairing, Sitting
from bothways.app.desk.state import Memory
from bothways.app.shell.app import Desk
from bothways.engine.errors import BothwaysError

REFERENCE = (Path(__file__).parents[3] / "REFERENCE.md").read_text(encoding="utf-8")
EXAMPLE = REFERENCE[REFERENCE.index("## Settings") :].split("```yaml\n")[1].split("```")[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.yaml"


@pytest.fixture(autouse=True)
def as_it_came() -> Iterator[None]:
    yield
    remap({})


def opened(db: Path, path: Path) -> Desk:
    settings, problem = read_settings(path)
    sitting = Sitting(db, Memory(path.parent / "m.json"), "kim", settings=settings, unsettled=problem)
    return Desk(sitting, screen="review", at=Pairing("plain line"))


def test_without_a_file_the_defaults_count(path: Path) -> None:
    assert read_settings(path) == (Settings(), None)


def test_an_empty_file_is_none(path: Path) -> None:
    path.write_text("# nothing yet\n")
    assert read_settings(path) == (Settings(), None)


def test_the_example_of_the_reference_sets_everything(path: Path) -> None:
    path.write_text(EXAMPLE, encoding="utf-8")
    settings, problem = read_settings(path)
    assert problem is None
    usual = Settings()
    assert [
        one.name for one in fields(Settings) if getattr(settings, one.name) == getattr(usual, one.name)
    ] == []


@pytest.mark.parametrize(
    ("written", "where", "said"),
    [
        ("reviewer: kim\nthme: desk\n", 2, "theme (did you mean that?)"),
        ("theme: desk-papr\n", 1, "desk-paper (did you mean that?)"),
        ("keys:\n  review.confrm: x\n", 2, "review.confirm (did you mean that?)"),
        ("keys:\n  review.confirm: h\n", 2, "h is the key of review.left already"),
        ("keys:\n  review.confirm: hyper\n", 2, "no key is called hyper"),
        ("repeat_guard: maybe\n", 1, "true or false"),
        ("notify: bel\n", 1, "bell (did you mean that?)"),
        ("reviewer: [\n", 2, "not YAML"),
        ("- a\n", 1, "a mapping"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_comes_near(
    path: Path, written: str, where: int, said: str
) -> None:
    path.write_text(written)
    settings, problem = read_settings(path)
    assert replace(settings, reviewer="") == Settings()
    assert f"{path}:{where}" in str(problem)
    assert said in str(problem)


def test_a_mistake_costs_the_setting_that_it_stands_in_and_no_other(path: Path) -> None:
    path.write_text(
        "reviewer: kim\ntheme: desk-papr\nnotify: [bell, horn]\ncopy: file\n"
        "keys: {review.confirm: enter, review.equal: z, review.swap: hyper}\n"
    )
    settings, problem = read_settings(path)
    assert settings == Settings(reviewer="kim", copy="file", keys={"review.equal": "z"})
    assert problem is not None
    assert [one.place.field for one in (problem, *problem.others)] == [
        "theme", "notify", "keys.review.swap", "keys.review.confirm",
    ]  # fmt: skip


async def test_what_does_not_count_stays_in_the_title_and_help_lists_all_of_it(db: Path, path: Path) -> None:
    path.write_text("reviewer: kim\ntheme: desk-papr\nkeys: {review.confirm: enter}\n")
    app = opened(db, path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        title = shown(app).splitlines()[0]
        assert "plain line · ! 2 settings do not count: ? · kim · 0/24 decided" in title
        await pilot.press("question_mark")
        await until(pilot, lambda: "These settings do not count" in shown(app))
        said = " ".join(shown(app).split())
        assert "line 2: theme: text (desk-papr)" in said
        assert "enter is the key of review.onwards" in said


def test_two_keys_can_change_places(path: Path) -> None:
    path.write_text("keys: {review.equal: c, review.confirm: [e, '?']}\nreviewer: kim\n")
    _, problem = read_settings(path)
    assert "? is the key of desk.help already" in str(problem)
    path.write_text("keys: {review.equal: c, review.confirm: [e, esc, f5]}\n")
    assert "esc is the key of desk.back already" in str(read_settings(path)[1])
    path.write_text("keys: {review.equal: c, review.confirm: [e, f5]}\n")
    assert read_settings(path)[0].keys == {"review.equal": "c", "review.confirm": "e,f5"}


def test_a_key_that_works_everywhere_must_be_free_everywhere(path: Path) -> None:
    path.write_text("keys: {desk.copy: h}\n")
    assert "h is the key of review.left already" in str(read_settings(path)[1])


async def test_a_broken_file_does_not_keep_the_desk_from_opening(db: Path, path: Path) -> None:
    path.write_text("thme: [/bold]\n")
    app = opened(db, path)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "settings.yaml:1: thme" in shown(app) and "did you mean" in shown(app))


async def test_a_remapped_key_acts_and_is_called_so_everywhere(db: Path, path: Path) -> None:
    path.write_text("keys: {review.equal: z, desk.help: f1, review.gate: f2, desk.back: f3}\n")
    app = opened(db, path)
    async with app.run_test(size=(120, 50), notifications=True) as pilot:
        await until(pilot, lambda: "win rate" in shown(app))
        assert " z equal " in shown(app)
        assert " f1 help" in shown(app)
        await pilot.press("f1")
        await until(pilot, lambda: "z  They are equally good" in shown(app))
        await pilot.press("escape")
        await pilot.press("e")
        assert "✓" not in shown(app)
        await pilot.press("z")
        await until(pilot, lambda: "✓  r-00009" in shown(app))
        await pilot.press("colon")
        await until(pilot, lambda: "key: f2" in shown(app))


def test_sentences_use_the_keys_in_force() -> None:
    remap({"review.gate": "f2"})
    assert press("review.gate") == "f2"
    remap({})
    assert press("review.gate") == "g"
    assert KEYS == SHIPPED


async def test_a_theme_that_is_chosen_is_kept_and_the_file_stays_as_it_was_otherwise(
    db: Path, path: Path
) -> None:
    path.write_text("# mine\nreviewer: kim  # me\ntheme: desk\nnotify: [bell]\n")
    app = opened(db, path)
    async with app.run_test() as pilot:
        app.theme = "desk-paper"
        await until(pilot, lambda: read_settings(path)[0].theme == "desk-paper")
    assert path.read_text() == "# mine\nreviewer: kim  # me\ntheme: desk-paper\nnotify: [bell]\n"


def test_opening_the_desk_writes_no_settings(path: Path) -> None:
    keep_theme(path, "desk-contrast")
    assert path.read_text() == "theme: desk-contrast\n"


@pytest.mark.parametrize("written", ["thme: desk\n", "{reviewer: kim}\n"])
def test_a_file_in_which_no_line_can_be_changed_is_left_alone(path: Path, written: str) -> None:
    path.write_text(written)
    with pytest.raises(BothwaysError):
        keep_theme(path, "desk-paper")
    assert path.read_text() == written
    assert list(path.parent.iterdir()) == [path]


async def test_only_themes_whose_contrast_is_known_are_offered(db: Path, path: Path) -> None:
    app = opened(db, path)
    async with app.run_test():
        assert {"desk", "desk-contrast", "ansi-dark"} <= set(app.available_themes)
        assert "gruvbox" not in app.available_themes


def test_reading_them_needs_no_screen() -> None:
    code = "import sys, bothways.app.desk.settings; assert 'textual' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3] / "src")


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _huge(path: Path) -> Path:
    with path.open("wb") as out:
        out.truncate(1_000_000_000)
    return path


@pytest.mark.skipif(os.name == "nt", reason="named pipes and devices are POSIX's")
@pytest.mark.parametrize(
    ("made", "found"),
    [
        (_pipe, "a pipe"),
        (_huge, "1,000,000,000 bytes"),
        (lambda path: path.parent, "Is a directory"),
        (lambda path: Path("/dev/zero"), "a device"),
        (lambda path: path / "below-a-file", "Not a directory"),
    ],
)
def test_what_can_be_no_file_of_settings_is_told_and_not_waited_for(
    path: Path, made: Callable[[Path], Path], found: str
) -> None:
    path.parent.mkdir(exist_ok=True)
    if found == "Not a directory":
        path.write_text("")
    named = made(path)
    settings, problem = read_settings(named)
    assert settings == Settings()
    assert found in str(problem)
    with pytest.raises(BothwaysError):
        keep_theme(named, "desk-paper")


@pytest.mark.skipif(os.name == "nt", reason="named pipes are POSIX's")
async def test_a_file_that_is_wrong_as_a_whole_is_told_without_a_line(tmp_path: Path) -> None:
    settings, problem = read_settings(_pipe(tmp_path / "pipe"))
    sitting = Sitting(tmp_path / "x.db", Memory(tmp_path / "m"), settings=settings, unsettled=problem)
    app = Desk(sitting)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "1 setting does not count: ?" in shown(app))
        await pilot.press("question_mark")
        await until(pilot, lambda: "  a pipe" in shown(app))
        assert "line 0" not in shown(app)


@pytest.mark.skipif(os.name == "nt", reason="the null device is POSIX's")
def test_the_null_device_is_no_settings_and_stays_a_device() -> None:
    null = Path("/dev/null")
    assert read_settings(null) == (Settings(), None)
    with pytest.raises(BothwaysError):
        keep_theme(null, "desk-paper")
    assert null.is_char_device()
