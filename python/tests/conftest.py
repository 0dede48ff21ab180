"""What all tests have in common."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the folder that the package was built from, which would hide what is installed."""
    monkeypatch.chdir(tmp_path)
