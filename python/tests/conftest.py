"""A folder of real releases, and a real service over it."""

from __future__ import annotations

import json
import os
import pathlib
import random
import subprocess
import sys
from typing import Any, Dict, Iterator, List

import numpy as np
import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "python"))
sys.path.insert(0, str(REPOSITORY / "python" / "tests"))

import gauze  # noqa: E402
import records  # noqa: E402

GAUZE = os.environ.get("GAUZE_COMMAND") or str(REPOSITORY / "gauze")  # the clone's
GOLDEN = sorted(REPOSITORY.glob("*/src/test/resources/io/gauze/release/*.avro"))
FORMULA = "kwh ~ temperature + weekend + tariff"

COLUMNS = """columns:
  - {name: temperature, lower: -20, upper: 40, typical: 10, spread: 10}
  - {name: weekend, lower: 0, upper: 1, typical: 0.3, spread: 0.5}
  - {name: tariff, categories: [flat, night, solar]}
  - {name: kwh, lower: 0, upper: 8, typical: 3, spread: 1}
response: kwh
"""
REST = """privacy: {epsilon: EPSILON, delta: 1.0e-6, neighbours: replace-one}
epochs: {length: all}
expectedRows: 8000
sketches:
"""
SKETCHES = {
    "north": ["moments: noisy-moments", "buckets: count-sketch", "strata: stratified-moments"],
    "south": ["moments: noisy-moments"],
    "east": ["moments: noisy-moments"],
}


def run(*words: str, cwd: Any = None) -> str:
    """Runs the command gauze, and returns what it prints."""
    done = subprocess.run([GAUZE, *words], capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(seed: int, count: int = 8000) -> str:
    """Made-up rows as CSV."""
    draw = random.Random(seed)
    lines = ["temperature,weekend,tariff,kwh"]
    for _ in range(count):
        temperature = draw.gauss(10, 10)
        weekend = int(draw.random() < 0.3)
        tariff = draw.choice(("flat", "night", "solar"))
        kwh = 3.5 - 0.05 * temperature + 0.4 * weekend - 0.3 * (tariff == "solar")
        lines.append(f"{temperature:.2f},{weekend},{tariff},{kwh + draw.gauss(0, 0.5):.3f}")
    return "\n".join(lines) + "\n"


def make_sites(folder: pathlib.Path) -> None:
    """Makes the releases of three sites with one encoding, in the folder ``sites``."""
    work = folder / "work"
    work.mkdir()
    for seed, (stream, sketches) in enumerate(SKETCHES.items()):
        columns = COLUMNS if stream == "north" else "encoding: study.yaml\n"
        config = f"stream: {stream}\n" + columns + REST.replace("EPSILON", str(8 + seed))
        for each in sketches:
            name, mechanism = each.split(": ")
            size = ", buckets: 512" if mechanism == "count-sketch" else ""
            config += f"  - {{name: {name}, mechanism: {mechanism}{size}}}\n"
        (work / f"{stream}.yaml").write_text(config)
        (work / f"{stream}.csv").write_text(rows(seed))
        if stream == "north":
            words = ("check", "--offline", "--config", "north.yaml")
            run(*words, "--write-encoding", "study.yaml", cwd=work)
        words = ("sketch", "--config", f"{stream}.yaml", "--csv", f"{stream}.csv")
        run(*words, "--out", str(folder / "sites"), cwd=work)


def epoch_record(release: "gauze.Release", hour: int) -> bytes:
    """The record of a made-up release of an epoch: moments like these, with other noise."""
    draw = np.random.default_rng(hour)
    header = dict(release.header, stream="hourly", epoch=f"2026-01-01T{hour:02d}:00:00Z")
    noise = draw.normal(0.0, release.header["sigma"], len(release.payload))
    return records.record(header, release.payload + np.rint(noise).astype(np.int64))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the folders ``sites`` and ``hours``."""
    folder = tmp_path_factory.mktemp("releases")
    make_sites(folder)
    (folder / "hours").mkdir()
    release = gauze.read(folder / "sites" / "south-all-all-moments.avro")
    for hour in range(6):
        (folder / "hours" / f"{hour}.avro").write_bytes(epoch_record(release, hour))
    return folder


@pytest.fixture(scope="session")
def site(made: pathlib.Path) -> Iterator["gauze.Site"]:
    """A service over the releases of three sites."""
    with gauze.local(str(made / "sites"), command=GAUZE) as running:
        yield running


@pytest.fixture(scope="session")
def north(made: pathlib.Path) -> "gauze.Release":
    """The moments of one site."""
    return gauze.read(made / "sites" / "north-all-all-moments.avro")


def fitted(made: pathlib.Path, streams: List[str], *options: str) -> Dict[str, Any]:
    """What gauze fit prints of the moments of streams."""
    files = ",".join(str(made / "sites" / f"{each}-all-all-moments.avro") for each in streams)
    words = ("fit", "--release", files, "--response", "kwh", "--format", "json")
    return dict(json.loads(run(*words, "--features", "temperature,weekend,tariff", *options)))


def ids(*streams: str) -> List[str]:
    """The ids of the moments of streams."""
    return [f"{each}/all/all/moments" for each in streams]


def child_environment() -> Dict[str, str]:
    """An environment in which another interpreter finds the package."""
    return dict(os.environ, PYTHONPATH=str(REPOSITORY / "python"), GAUZE_COMMAND=GAUZE)
