"""Records of releases: those of all versions, and what is none."""

from __future__ import annotations

import json
import os
import pathlib
import struct
import tracemalloc
from typing import Any, Dict, List

import numpy as np
import pytest

import gauze
import records
from conftest import GOLDEN, REPOSITORY
from gauze import _format

SCHEMAS = REPOSITORY / "sketch-core" / "src" / "main" / "resources" / "io" / "gauze" / "release"
NAMED = [path for path in GOLDEN if path.stem.startswith("release-v")]
ALL = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)


def canonical(schema: Any, space: str) -> str:
    """Avro's parsing canonical form of a schema."""
    if isinstance(schema, str):
        return json.dumps(schema)
    kind = schema["type"]
    if isinstance(kind, dict):
        return canonical(kind, space)
    if kind == "array":
        return '{"type":"array","items":' + canonical(schema["items"], space) + "}"
    if kind == "map":
        return '{"type":"map","values":' + canonical(schema["values"], space) + "}"
    name = json.dumps(space + "." + schema["name"])
    if kind == "fixed":
        return f'{{"name":{name},"type":"fixed","size":{schema["size"]}}}'
    fields = (
        f'{{"name":{json.dumps(each["name"])},"type":{canonical(each["type"], space)}}}'
        for each in schema["fields"]
    )
    return f'{{"name":{name},"type":"record","fields":[{",".join(fields)}]}}'


def fingerprint(text: str) -> int:
    """Avro's CRC-64."""
    empty = 0xC15D213AA4D7A795
    mark = empty
    for byte in text.encode("utf-8"):
        part = (mark ^ byte) & 255
        for _ in range(8):
            part = (part >> 1) ^ (empty if part & 1 else 0)
        mark = (mark >> 8) ^ part
    return mark


@pytest.mark.parametrize("version", [1, 2, 3])
def test_fingerprints_are_those_of_the_schemas(version: int) -> None:
    schema = json.loads((SCHEMAS / f"release-v{version}.avsc").read_text("utf-8"))
    mark = fingerprint(canonical(schema, schema["namespace"]))
    assert _format.FINGERPRINTS[mark] == version
    assert len(_format.FINGERPRINTS) == len(list(SCHEMAS.glob("release-v*.avsc")))


def test_there_are_golden_releases_of_all_versions() -> None:
    versions = {gauze.read(path).header["formatVersion"] for path in GOLDEN}
    assert versions == {1, 2, 3}
    assert len(GOLDEN) >= 12


@pytest.mark.parametrize("path", NAMED, ids=lambda path: path.stem)
def test_a_release_is_that_of_the_json_and_numpy_files(path: pathlib.Path) -> None:
    release = gauze.read(path)
    wanted = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert release.sha256 == wanted.pop("sha256")
    assert release.payload.tolist() == wanted.pop("payload")
    wanted["guarantee"].pop("sentence", None)
    assert release.header == wanted
    arrays = np.load(path.with_suffix(".npz"))
    assert release.names == arrays["columns"].tolist()
    assert np.array_equal(release.values, arrays["values"])
    if "moments" in arrays:
        assert np.array_equal(release.moments, arrays["moments"])


@ALL
def test_a_record_that_is_written_again_is_the_same(path: pathlib.Path) -> None:
    release = gauze.read(path)
    assert records.record(release.header, release.payload) == path.read_bytes()


@ALL
def test_a_cut_file_is_damaged(path: pathlib.Path) -> None:
    data = path.read_bytes()
    for size in range(len(data)):
        refused(data[:size], "damaged-release")
    refused(data + b"\0", "damaged-release")


@ALL
def test_a_changed_byte_is_damage(path: pathlib.Path) -> None:
    data = path.read_bytes()
    for at in range(len(data)):
        code = "unknown-version" if 2 <= at < 10 else "damaged-release"
        refused(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], code)


def refused(data: bytes, code: str) -> gauze.GauzeError:
    with pytest.raises(gauze.GauzeError) as error:
        gauze.from_bytes(data)
    assert error.value.code == code, str(error.value)
    assert error.value.action
    return error.value


@ALL
def test_changed_bytes_with_a_good_checksum_never_crash(path: pathlib.Path) -> None:
    """Whoever edits a release can seal it again: it is then another release, or an error."""
    body = path.read_bytes()[: -_format.SUM]
    draw = np.random.default_rng(7)
    for _ in range(400):
        changed = bytearray(body)
        for _ in range(int(draw.integers(1, 4))):
            changed[int(draw.integers(10, len(body)))] = int(draw.integers(0, 256))
        try:
            release = gauze.from_bytes(records.sealed(bytes(changed)))
        except gauze.GauzeError:
            continue
        assert len(release.values) < len(body)


def head(**changes: Any) -> bytes:
    release = gauze.read(NAMED[-1])
    return records.head({**release.header, **changes})


def numbers() -> List[int]:
    return [int(each) for each in gauze.read(NAMED[-1]).payload]


def test_announced_lengths_are_compared_with_what_is_there() -> None:
    tracemalloc.start()
    for size in (2**20, 2**40, 2**62, -1, -(2**62)):
        refused(records.sealed(head() + records.long(size)), "damaged-release")
        prefix = head()[:10] + records.long(3)
        refused(records.sealed(prefix + records.long(size) + b"x" * 99), "damaged-release")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1e6  # nothing was reserved


def test_a_number_has_at_most_64_bits() -> None:
    for data in (b"\xff" * 10 + b"\x01", b"\xff" * 9 + b"\x02", b"\xff" * 99):
        refused(records.sealed(head() + records.long(1) + data + b"\0"), "damaged-release")
        refused(records.sealed(head()[:10] + data), "damaged-release")


@pytest.mark.parametrize("value", [0, 1, -1, 63, 64, -64, -65, 2**62, 2**63 - 1, -(2**63)])
def test_numbers_are_read_to_the_last_bit(value: int) -> None:
    payload = [value] + numbers()[1:]
    release = gauze.from_bytes(records.sealed(head() + records.array(payload, records.long)))
    assert release.payload.tolist() == payload


def test_a_payload_may_have_several_blocks() -> None:
    payload = numbers()
    parts = b"".join(records.long(1) + records.long(each) for each in payload)
    assert gauze.from_bytes(records.sealed(head() + parts + b"\0")).payload.tolist() == payload


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"unit": 0.0}, "unit"),
        ({"sigma": float("nan")}, "sigma"),
        ({"intercept": float("inf")}, "intercept"),
        ({"stream": "a/b"}, "stream"),
        ({"stream": "a\n"}, "stream"),
        ({"epoch": ""}, "epoch"),
        ({"columns": []}, "columns"),
        ({"factors": [1.0]}, "factor"),
        ({"gridBits": 41}, "gridBits"),
        ({"missing": "GUESS"}, "missing"),
        ({"parameters": {"x": float("nan")}}, "'x'"),
    ],
)
def test_headers_that_contradict_themselves_are_damaged(
    changes: Dict[str, Any], part: str
) -> None:
    body = head(**changes) + records.array(numbers(), records.long)
    assert part in refused(records.sealed(body), "damaged-release").message


def test_columns_that_contradict_themselves_are_damaged() -> None:
    columns = gauze.read(NAMED[-1]).header["columns"]
    for change in (
        {"kind": "secret"},
        {"encodedNames": []},
        {"lower": 9e9},
        {"typical": 9e9},
        {"upper": float("inf")},
        {"encodedNames": columns[1]["encodedNames"]},
    ):
        body = head(columns=[{**columns[0], **change}] + columns[1:])
        refused(records.sealed(body + records.array(numbers(), records.long)), "damaged-release")


def test_the_number_of_moments_is_that_of_the_columns() -> None:
    body = head() + records.array(numbers()[1:], records.long)
    assert "moments need" in refused(records.sealed(body), "damaged-release").message


def test_foreign_files_are_no_releases(tmp_path: pathlib.Path) -> None:
    foreign = tmp_path / "foreign.avro"
    for data in (b"", b"Obj\x01" + bytes(100), b"\xc3\x01", bytes(42), os.urandom(100)):
        foreign.write_bytes(data)
        with pytest.raises(gauze.GauzeError, match="damaged-release"):
            gauze.read(foreign)
    unknown = b"\xc3\x01" + struct.pack("<Q", 7) + bytes(40)
    assert "upgrade" in refused(records.sealed(unknown), "unknown-version").action
    with pytest.raises(gauze.GauzeError, match="unsupported"):
        gauze.read(tmp_path / "release.npz")
    with pytest.raises(FileNotFoundError):
        gauze.read(tmp_path / "none.avro")


def test_many_numbers_are_read() -> None:
    header = dict(gauze.read(NAMED[0]).header, form="counts")
    payload = np.random.default_rng(1).integers(-(2**40), 2**40, 200_000)
    body = records.head(header) + records.array(payload.tolist(), records.long)
    release = gauze.from_bytes(records.sealed(body))
    assert np.array_equal(release.payload, payload)
