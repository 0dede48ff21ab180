"""The examples of docs/python.md and of the pages below it run."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"

#: How many examples each page has at least, and which package they need.
PAGES = {
    "../README.md": (1, None),
    "python.md": (5, None),
    "python/gymnasium.md": (3, "gymnasium"),
    "python/openspiel.md": (3, "pyspiel"),
    "python/pettingzoo.md": (3, "pettingzoo"),
}


def test_every_page_is_run() -> None:
    assert {f"python/{page.name}" for page in (DOCS / "python").glob("*.md")} < set(PAGES)


def test_the_tutorial_quotes_its_script() -> None:
    script = (DOCS.parent / "python" / "examples" / "learn.py").read_text()
    page = (DOCS / "tutorial-agent.md").read_text()
    quoted = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(quoted) >= 5
    for code in quoted:
        assert code in script, code


@pytest.mark.parametrize("page", PAGES)
def test_the_manual(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    fewest, needed = PAGES[page]
    if needed is not None:
        pytest.importorskip(needed)
    text = (DOCS / page).read_text()
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(examples) >= fewest
    names: dict[str, object] = {}
    for example in examples:
        if example.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(example, names, "manual", None, None)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names.update(test.globs)
            continue
        capsys.readouterr()
        exec(example, names)
        # What a comment after the example says is what it prints.
        printed = capsys.readouterr().out.splitlines()
        said = [line[2:] for line in example.splitlines() if line.startswith("# ")]
        assert not said or said == printed
