#!/usr/bin/env python3
"""Writes the golden files of sketch format version 1; run with Python 3.11, standard library only.

An implementation of its own, from the documented layout and hash: 20 rows of 4 entries, every fifth a deletion.
The files are never written again: a change of the format is a new version with new files.
"""
import struct

MASK = (1 << 64) - 1
D, BUCKETS, SEED = 4, 8, -42


def mix(word):
    z = (word + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def updates():
    for r in range(20):
        row = [(r * 101 + i * 37) % 2001 - 1000 for i in range(D)]
        yield (r * 0x123456789ABCDEF1) & MASK, row, -1 if r % 5 == 4 else 1


def write(name, kind, buckets, seed, state):
    header = b"GZSK" + struct.pack("<BBHiiq", 1, kind, 0, D, buckets, seed)
    with open(name, "wb") as out:
        out.write(header + struct.pack("<%dq" % len(state), *state))


moments = [0] * (D * (D + 1) // 2)
for _, row, sign in updates():
    products = [row[i] * row[j] for i in range(D) for j in range(i, D)]
    moments = [m + sign * p for m, p in zip(moments, products)]
write("second-moments-v1.bin", 1, 0, 0, moments)

sums = [0] * (BUCKETS * D)
for row_hash, row, sign in updates():
    h = mix(row_hash ^ mix(SEED & MASK))
    bucket = h >> (64 - 3)
    for i in range(D):
        sums[bucket * D + i] += (-sign if h & 1 else sign) * row[i]
write("count-sketch-v1.bin", 2, BUCKETS, SEED, sums)
