"""The package itself: examples, stubs, types."""

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import gdlr
import pytest

SETTINGS = Path(__file__).parent.parent / "pyproject.toml"


def test_examples_of_the_documentation() -> None:
    finder = doctest.DocTestFinder(recurse=False)
    runner = doctest.DocTestRunner()
    objects = [gdlr, *(getattr(gdlr, name) for name in gdlr.__all__)]
    objects += [member for kind in (gdlr.Game, gdlr.State) for member in vars(kind).values()]
    tests = [
        test
        for thing in objects
        if getattr(thing, "__doc__", None)
        for test in finder.find(thing, getattr(thing, "__name__", "?"), globs={"gdlr": gdlr})
    ]
    for test in tests:
        runner.run(test)
    assert runner.summarize().failed == 0
    assert sum(bool(test.examples) for test in tests) >= 4


def test_everything_public_is_documented() -> None:
    for name in gdlr.__all__:
        if name != "__version__":
            assert getattr(gdlr, name).__doc__, name
    for kind in (gdlr.Game, gdlr.State):
        for name, member in vars(kind).items():
            if not name.startswith("_"):
                assert inspect.getdoc(member), f"{kind.__name__}.{name}"


def test_stubs() -> None:
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "gdlr._gdlr", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_types() -> None:
    for name in ["mypy", "pettingzoo", "pyspiel"]:
        pytest.importorskip(name)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(SETTINGS), "-p", "gdlr"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
