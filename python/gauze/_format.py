"""The three versions of a release's record, as docs/reference/release-format.md describes them."""

from __future__ import annotations

import hashlib
import struct
from typing import Any, Dict, Tuple

import numpy as np

from ._avro import Cursor, damaged
from ._errors import GauzeError
from ._header import check, numbers

MARK = b"\xc3\x01"
PREFIX = 10  # the mark, and 8 bytes of fingerprint
SUM = 32  # bytes of SHA-256 at the end
MOST_BYTES = 2**31 - 9  # the largest that Gauze writes

# Avro's CRC-64 of the schema of each version; a test computes them from the schemas.
FINGERPRINTS = {
    0xC70BD329D2CDDF57: 1,
    0xFC0444D21CB15565: 2,
    0xE7B0C6385B590E48: 3,
}


def read(data: bytes) -> Tuple[Dict[str, Any], np.ndarray, str]:
    """Returns the header, the payload and the checksum in hexadecimal digits.

    Raises GauzeError if the bytes are no release, of an unknown version, cut or damaged.
    """
    if data[:2] != MARK or len(data) < PREFIX + SUM:
        raise damaged(f"it has {len(data)} bytes that do not begin as a release does (c301)")
    version = FINGERPRINTS.get(struct.unpack("<Q", data[2:PREFIX])[0])
    if version is None:
        raise GauzeError(
            "unknown-version",
            "the fingerprint is that of no version of releases that this package knows",
            "If a newer Gauze made it, upgrade the package.",
        )
    total = hashlib.sha256(data[:-SUM]).digest()
    if total != data[-SUM:]:
        raise damaged("its SHA-256 is not that of its bytes, so it was cut, damaged or edited")
    cursor = Cursor(data, PREFIX, len(data) - SUM)
    header = _header(cursor, version)
    check(header, version)
    payload = cursor.longs(numbers(header))
    payload.setflags(write=False)
    return header, payload, total.hex()


def _header(cursor: Cursor, version: int) -> Dict[str, Any]:
    header: Dict[str, Any] = {"formatVersion": cursor.long()}
    for name in ("stream", "group", "epoch", "sketch", "encodingVersion"):
        header[name] = cursor.text()
    header["columns"] = cursor.array(lambda: _column(cursor, version))
    header["intercept"] = cursor.double()
    header["rowBound"] = cursor.double()
    if version >= 3:
        header["factors"] = cursor.array(cursor.double)
    if version >= 2:
        header["responses"] = cursor.array(cursor.text)
        header["responseBound"] = cursor.double()
    header["gridBits"] = cursor.long()
    header["missing"] = cursor.text()
    header["mechanism"] = cursor.text()
    header["parameters"] = cursor.map(cursor.double)
    header["settings"] = cursor.map(cursor.text)
    header["form"] = cursor.text()
    header["unit"] = cursor.double()
    header["sigma"] = cursor.double()
    header["noiseLaw"] = cursor.text()
    header["guarantee"] = _guarantee(cursor)
    return header


def _column(cursor: Cursor, version: int) -> Dict[str, Any]:
    column: Dict[str, Any] = {name: cursor.text() for name in ("kind", "name", "source")}
    column["encodedNames"] = cursor.array(cursor.text)
    column["lower"] = cursor.double()
    column["upper"] = cursor.double()
    if version >= 2:
        column["typical"] = cursor.double()
    column["texts"] = cursor.array(cursor.text)
    column["ranks"] = cursor.array(cursor.double)
    return column


def _guarantee(cursor: Cursor) -> Dict[str, Any]:
    return {
        "epsilon": cursor.double(),
        "delta": cursor.double(),
        "neighbours": cursor.text(),
        "unit": cursor.text(),
        "assumptions": cursor.array(cursor.text),
        "basis": cursor.text(),
        "idealised": cursor.boolean(),
        "checkpoint": cursor.text(),
        "randomness": cursor.text(),
        "private": cursor.boolean(),
    }
