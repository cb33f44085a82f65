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
from gauze import _avro, _format, _header

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


def many() -> bytes:
    """The head of a release whose form does not say how many numbers there are."""
    release = gauze.read(NAMED[0])
    header = dict(release.header, mechanism="multilevel-l1", form="weighted rows")
    return records.head(header)


def test_many_blocks_take_no_more_than_one() -> None:
    """Each block was decoded apart, which took 39 s for so many."""
    count = 500_000
    data = many() + (b"\x02\x06" * count) + b"\0"
    tracemalloc.start()
    release = gauze.from_bytes(records.sealed(data))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert release.payload.tolist() == [3] * count
    assert most < 120 * count  # heads of blocks are a list of Python's numbers


def test_blocks_are_decoded_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    decoded = _avro._decoded
    monkeypatch.setattr(_avro, "_decoded", lambda *each: calls.append(1) or decoded(*each))
    gauze.from_bytes(records.sealed(many() + b"\x02\x06" * 50_000 + b"\0"))
    assert len(calls) <= 3


def test_memory_is_a_small_multiple_of_the_numbers() -> None:
    count = 2_000_000
    data = records.sealed(many() + records.long(count) + b"\x06" * count + b"\0")
    tracemalloc.start()
    release = gauze.from_bytes(data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(release.values) == count
    assert most < 4 * 8 * count


def test_sizes_are_compared_before_numbers_are_decoded() -> None:
    data = records.sealed(head() + records.long(10**7) + b"\0" * 10**7 + b"\0")
    tracemalloc.start()
    refused(data, "damaged-release")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * len(data)  # the bytes are copied once for their checksum


def test_empty_texts_are_bounded() -> None:
    header = gauze.read(NAMED[-1]).header
    kept = dict(header["guarantee"], assumptions=[""] * (2**20 + 1))
    body = records.head({**header, "guarantee": kept}) + records.array(numbers(), records.long)
    assert "items" in refused(records.sealed(body), "damaged-release").message


def test_what_is_no_regular_file_is_refused(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe.avro")  # reading it would wait for ever
    (tmp_path / "folder.avro").mkdir()
    for name in ("pipe.avro", "folder.avro"):
        with pytest.raises(gauze.GauzeError, match="no regular file"):
            gauze.read(tmp_path / name)
    for path in (None, 5, "a\0.avro"):
        with pytest.raises(gauze.GauzeError, match="no path"):
            gauze.read(path)  # type: ignore[arg-type]
    for data in (None, 10**12, "text"):
        with pytest.raises(gauze.GauzeError, match="bytes"):
            gauze.from_bytes(data)  # type: ignore[arg-type]


@pytest.mark.parametrize("name, value", [
    ("rowBound", 0.5), ("rowBound", 1e300), ("intercept", 0.1), ("gridBits", 14), ("unit", 2.0**-29),
    ("unit", 3.0), ("sigma", 1e300), ("mechanism", "count-sketch"),
    ("form", "secret"), ("form", "counts"), ("missing", "REJECT"), ("encodingVersion", "0" * 64),
    ("factors", [0.5]), ("factors", [1e-300]), ("responses", ["x"]), ("responseBound", 0.3),
])  # fmt: skip
def test_no_changed_header_is_read_in_silence(name: str, value: Any) -> None:
    header = gauze.read(NAMED[-1]).header
    if name == "factors":
        value = value * len(header["columns"])
    assert header[name] != value
    body = head(**{name: value}) + records.array(numbers(), records.long)
    refused(records.sealed(body), "damaged-release")


def test_an_unknown_mechanism_asks_for_another_version() -> None:
    body = head(mechanism="secret") + records.array(numbers(), records.long)
    refused(records.sealed(body), "unknown-version")


@ALL
def test_an_encoding_version_is_that_of_the_program(path: pathlib.Path) -> None:
    header = gauze.read(path).header
    assert _header.encoding_version(header) == header["encodingVersion"]
    for column in header["columns"]:
        column["source"] += "x"
    assert _header.encoding_version(header) != header["encodingVersion"]


def test_forms_are_those_of_the_documents() -> None:
    page = (REPOSITORY / "docs" / "reference" / "mechanisms.md").read_text("utf-8")
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[1].startswith("`"):
            assert _header.FORMS[cells[1].strip("`")][0] == cells[2].split("`")[1]
    assert page.count("\n| `") == len(_header.FORMS)


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
    assert "it needs" in refused(records.sealed(body), "damaged-release").message


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
    header = dict(gauze.read(NAMED[0]).header, mechanism="multilevel-l1", form="weighted rows")
    payload = np.random.default_rng(1).integers(-(2**40), 2**40, 200_000)
    body = records.head(header) + records.array(payload.tolist(), records.long)
    release = gauze.from_bytes(records.sealed(body))
    assert np.array_equal(release.payload, payload)
