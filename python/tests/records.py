"""Writes records of releases, of any version and with any fault, for tests."""

from __future__ import annotations

import hashlib
import struct
from typing import Any, Callable, Dict, Iterable, Sequence

from gauze import _format

_FINGERPRINTS = {version: mark for mark, version in _format.FINGERPRINTS.items()}


def long(value: int) -> bytes:
    """A whole number in Avro: 7 bits a byte, the lowest first, with the sign in the lowest bit."""
    bits = ((value << 1) ^ (value >> 63)) & (2**64 - 1)
    out = bytearray()
    while bits > 127:
        out.append(bits & 127 | 128)
        bits >>= 7
    out.append(bits)
    return bytes(out)


def text(value: str) -> bytes:
    """A text in Avro."""
    data = value.encode("utf-8")
    return long(len(data)) + data


def double(value: float) -> bytes:
    """A number of 64 bits in Avro."""
    return struct.pack("<d", value)


def array(items: Iterable[Any], item: Callable[[Any], bytes]) -> bytes:
    """An array in Avro, of one block."""
    parts = [item(each) for each in items]
    return (long(len(parts)) + b"".join(parts) if parts else b"") + long(0)


def column(version: int) -> Callable[[Dict[str, Any]], bytes]:
    """Writes columns of this version."""

    def write(each: Dict[str, Any]) -> bytes:
        typical = double(each["typical"]) if version >= 2 else b""
        return (
            b"".join(text(each[name]) for name in ("kind", "name", "source"))
            + array(each["encodedNames"], text)
            + double(each["lower"])
            + double(each["upper"])
            + typical
            + array(each["texts"], text)
            + array(each["ranks"], double)
        )

    return write


def pairs(values: Dict[str, Any], value: Callable[[Any], bytes]) -> bytes:
    """A map in Avro."""
    return array(values.items(), lambda pair: text(pair[0]) + value(pair[1]))


def head(header: Dict[str, Any]) -> bytes:
    """All of a record before its payload, with its prefix."""
    version = header["formatVersion"]
    kept = header["guarantee"]
    out = b"\xc3\x01" + struct.pack("<Q", _FINGERPRINTS[version]) + long(version)
    for name in ("stream", "group", "epoch", "sketch", "encodingVersion"):
        out += text(header[name])
    out += array(header["columns"], column(version))
    out += double(header["intercept"]) + double(header["rowBound"])
    if version >= 3:
        out += array(header["factors"], double)
    if version >= 2:
        out += array(header["responses"], text) + double(header["responseBound"])
    out += long(header["gridBits"]) + text(header["missing"]) + text(header["mechanism"])
    out += pairs(header["parameters"], double) + pairs(header["settings"], text)
    out += text(header["form"]) + double(header["unit"]) + double(header["sigma"])
    out += text(header["noiseLaw"]) + double(kept["epsilon"]) + double(kept["delta"])
    out += text(kept["neighbours"]) + text(kept["unit"]) + array(kept["assumptions"], text)
    out += text(kept["basis"]) + bytes([kept["idealised"]]) + text(kept["checkpoint"])
    return out + text(kept["randomness"]) + bytes([kept["private"]])


def sealed(data: bytes) -> bytes:
    """A record with its checksum."""
    return data + hashlib.sha256(data).digest()


def record(header: Dict[str, Any], payload: Sequence[int]) -> bytes:
    """A whole record."""
    return sealed(head(header) + array([int(each) for each in payload], long))
