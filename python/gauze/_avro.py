"""Reads Avro's binary encoding from bytes that may be hostile.

Every length is compared with what is left of the bytes before anything is reserved. Nothing calls
itself, so that no nesting can exhaust the stack.
"""

from __future__ import annotations

import struct
from typing import Callable, Dict, List, Optional, TypeVar

import numpy as np

from ._errors import GauzeError

T = TypeVar("T")

_LONGEST = 10  # bytes of a number of 64 bits, 7 bits in each
_PIECE = 1 << 16  # bytes that are decoded at a time; takes some 60 bytes of memory for each
_MOST_ITEMS = 1 << 20  # of all arrays and maps of a header together


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
        self._items = 0

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
        self._items += count
        if self._items > _MOST_ITEMS:
            raise damaged(f"its header has more than {_MOST_ITEMS} items")
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

    def longs(self, wanted: Optional[int]) -> np.ndarray:
        """Reads the rest: an array of whole numbers, in one block or several, and nothing else.

        ``wanted`` is how many there must be, if that is known. Takes time and memory for its bytes
        and its result alone, however many blocks there are.
        """
        rest = np.frombuffer(self._data, np.uint8, self.left, self._at)
        pieces = range(0, len(rest), _PIECE)
        size = sum(int(np.count_nonzero(rest[at : at + _PIECE] < 128)) for at in pieces)
        if wanted is not None and not wanted < size <= 2 * wanted + 1:  # with a count for each
            raise damaged(f"it needs {wanted} numbers and has another size")
        flat = self._flat(rest, size)
        heads, at = [], 0
        while at < size and flat[at]:
            if not 0 < flat[at] < size - at:
                raise damaged(f"it announces {flat[at]} numbers, which are not there")
            heads.append(at)
            at += int(flat[at]) + 1
        if at != size - 1:
            raise damaged("its numbers have no end" if at >= size else "bytes follow its numbers")
        if wanted is not None and size - 1 - len(heads) != wanted:
            raise damaged(f"it needs {wanted} numbers and has {size - 1 - len(heads)}")
        self._at = self._end
        return flat[1:-1].copy() if len(heads) == 1 else np.delete(flat, [*heads, at])

    def _flat(self, rest: np.ndarray, size: int) -> np.ndarray:
        """Decodes all numbers, among them the counts of blocks."""
        flat = np.empty(size, np.int64)
        at = done = 0
        while at < len(rest):
            piece = rest[at : at + _PIECE]
            ends = np.flatnonzero(piece < 128)
            if not len(ends):
                raise damaged(f"it is cut in a number, or has one of more than 64 bits, at byte {at}")
            flat[done : done + len(ends)] = _decoded(piece, ends)
            done += len(ends)
            at += int(ends[-1]) + 1
        return flat


def _decoded(piece: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The numbers that end at these bytes."""
    starts = np.concatenate(([0], ends[:-1] + 1))
    sizes = ends - starts + 1
    longest = int(sizes.max())
    if longest > _LONGEST or (piece[ends[sizes == _LONGEST]] > 1).any():
        raise damaged("it has a number of more than 64 bits")
    bits = np.zeros(len(ends), np.uint64)
    for place in range(longest):
        has = sizes > place
        part = (piece[starts[has] + place] & np.uint8(127)).astype(np.uint64)
        bits[has] |= part << np.uint64(7 * place)
    sign = -((bits & np.uint64(1)).astype(np.int64))
    return np.asarray((bits >> np.uint64(1)).astype(np.int64) ^ sign)
