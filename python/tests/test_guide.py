"""The blocks of docs/guide/python.md run, one after the other."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
from typing import Any, Dict

import pandas
import pytest

import gauze
from conftest import GAUZE, REPOSITORY, run

GUIDE = REPOSITORY / "docs" / "guide" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
DEMO = "GAUZE_DEMO"  # a folder with the release of a demo, which is made if it is not set


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the release of a demo."""
    if DEMO in os.environ:
        return pathlib.Path(os.environ[DEMO]).absolute()
    made = tmp_path_factory.mktemp("demo")
    run("demo", "--rows", "20000", "--out", str(made), cwd=made)
    return made


@pytest.fixture
def folder(
    made: pathlib.Path, demo: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> pathlib.Path:
    """A folder with what the guide names."""
    shutil.copytree(demo, tmp_path / "gauze-demo" / "smart-meters")
    for name in ("sites", "hours"):
        shutil.copytree(made / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAUZE_COMMAND", GAUZE)
    return tmp_path


def test_the_blocks_of_the_guide_run(
    folder: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    blocks = BLOCK.findall(GUIDE.read_text("utf-8"))
    assert len(blocks) >= 12
    names: Dict[str, Any] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"block {number + 1} of {GUIDE.name}", "exec"), names)
    printed = capsys.readouterr().out
    assert "kwh by ols" in printed
    assert "bad-formula" in printed and "no-service |" in printed
    assert (folder / "effects.png").stat().st_size > 1000
    assert set(names["three"].epsilon) == {"north", "south", "east"}
    assert len(names["hours"]) == 6 * 3
    assert names["both"].ids == ["north/all/all/moments", "south/all/all/moments"]
    assert isinstance(names["meters"], gauze.Fit)
    assert "<svg" in names["picture"]


def test_other_programs_read_what_the_guide_says(folder: pathlib.Path) -> None:
    """Whatever reads CSV from an address gets a table with the names of broom."""
    queries = set(re.findall(r"http://127\.0\.0\.1:8642(/[^'\"]+)", GUIDE.read_text("utf-8")))
    assert queries
    with gauze.local(str(folder / "gauze-demo" / "smart-meters")) as site:
        for query in queries:
            table = pandas.read_csv(site.url + query)
            assert list(table.columns[:3]) == ["term", "estimate", "std_error"]
            assert len(table) == 4


def test_the_guide_names_what_there_is() -> None:
    rows = re.findall(r"^\| (`\w.*?) \|", GUIDE.read_text("utf-8"), re.MULTILINE)
    names = re.findall(r"`(\w+)", " ".join(rows))
    assert len(names) > 15
    for name in names:
        assert hasattr(gauze.Fit, name) or name == "answer", name
    for name in gauze.__all__:
        assert getattr(gauze, name).__doc__, name
