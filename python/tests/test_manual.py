"""The examples of docs/python.md run."""

import doctest
import re
from pathlib import Path

import pytest

MANUAL = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_manual(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ["pettingzoo", "pyspiel"]:
        pytest.importorskip(name)
    examples = re.findall(r"^```python\n(.*?)^```$", MANUAL.read_text(), re.DOTALL | re.MULTILINE)
    assert len(examples) >= 5
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
