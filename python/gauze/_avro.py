"""Reads Avro's binary encoding from bytes that may be hostile.

Every length is compared with what is left of the bytes before anything is reserved. Nothing calls
itself, so that no nesting can exhaust the stack.
"""

from __future__ import annotations

import struct
from typing import Callable, Dict, List, TypeVar

import numpy as np

from ._errors import GauzeError

T = TypeVar("T")

_LONGEST = 10  # bytes of a number of 64 bits, 7 bits in each


def damaged(what: str) -> GauzeError:
    """An error for bytes that are no whole release."""
    return GauzeError(
        "damaged-release",
        f"this is no release that can be read: {what}",
        "Copy the file again, or ask whoever made it.",
    )


class Cursor:
    """A place in bytes that moves on as they are read.

    Every method raises GauzeError if the bytes do not hold what it reads.
    """

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._at = start
        self._end = end

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return self._end - self._at

    def raw(self, size: int) -> bytes:
        """Reads this many bytes."""
        if size < 0 or size > self.left:
            raise damaged(f"it is cut at byte {self._at}, where {size} bytes are announced")
        self._at += size
        return self._data[self._at - size : self._at]

    def long(self) -> int:
        """Reads a whole number: 7 bits a byte, the lowest first, with the sign in the lowest bit."""
        value = 0
        for shift in range(0, 7 * _LONGEST, 7):
            byte = self.raw(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                if value >> 64:
                    break
                return (value >> 1) ^ -(value & 1)
        raise damaged(f"it has a number of more than 64 bits before byte {self._at}")

    def text(self) -> str:
        """Reads a text in UTF-8."""
        try:
            return self.raw(self.long()).decode("utf-8")
        except UnicodeDecodeError:
            raise damaged(f"it has a text that is not UTF-8 before byte {self._at}") from None

    def double(self) -> float:
        """Reads a number of 64 bits."""
        return float(struct.unpack("<d", self.raw(8))[0])

    def boolean(self) -> bool:
        """Reads true or false."""
        byte = self.raw(1)[0]
        if byte > 1:
            raise damaged(f"it has a flag that is neither 0 nor 1 before byte {self._at}")
        return byte == 1

    def _count(self) -> int:
        count = self.long()
        if count < 0 or count > self.left:  # an item has at least one byte
            raise damaged(f"it announces {count} items at byte {self._at}")
        return count

    def array(self, item: Callable[[], T]) -> List[T]:
        """Reads items until there are no more."""
        items: List[T] = []
        count = self._count()
        while count:
            items.extend(item() for _ in range(count))
            count = self._count()
        return items

    def map(self, value: Callable[[], T]) -> Dict[str, T]:
        """Reads values by name; a name that is there twice is damage."""
        pairs = self.array(lambda: (self.text(), value()))
        result = dict(pairs)
        if len(result) < len(pairs):
            raise damaged("it has a parameter twice")
        return result

    def longs(self) -> np.ndarray:
        """Reads an array of whole numbers, many at once."""
        blocks = [np.zeros(0, np.int64)]
        count = self._count()
        while count:
            blocks.append(self._block(count))
            count = self._count()
        return np.concatenate(blocks)

    def _block(self, count: int) -> np.ndarray:
        rest = np.frombuffer(self._data, np.uint8, min(self.left, _LONGEST * count), self._at)
        ends = np.flatnonzero(rest < 128)[:count]
        if len(ends) < count:
            raise damaged(f"it is cut in an array of {count} numbers at byte {self._at}")
        starts = np.concatenate(([0], ends[:-1] + 1))
        sizes = ends - starts + 1
        longest = int(sizes.max())
        if longest > _LONGEST or (rest[ends[sizes == _LONGEST]] > 1).any():
            raise damaged(f"it has a number of more than 64 bits after byte {self._at}")
        bits = np.zeros(count, np.uint64)
        for place in range(longest):
            has = sizes > place
            part = (rest[starts[has] + place] & np.uint8(127)).astype(np.uint64)
            bits[has] |= part << np.uint64(7 * place)
        self._at += int(ends[-1]) + 1
        sign = -((bits & np.uint64(1)).astype(np.int64))
        return (bits >> np.uint64(1)).astype(np.int64) ^ sign
