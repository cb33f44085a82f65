#!/usr/bin/env python3
"""Writes the golden files of sketch format version 1; run with Python 3.11, standard library and OpenSSL 3.

An implementation of its own, from the documented layout and hash: 20 rows of 4 entries, every fifth a deletion.
The files are never written again: a change of the format is a new version with new files.
"""
import math
import struct
import subprocess

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


def tag(r):
    return (r * 0x123456789ABCDEF1) & MASK, ((r + 1) * 0xFEDCBA9876543211) & MASK


def write_kind(name, kind, parameters, state):
    header = b"GZSK" + struct.pack("<BBHi", 1, kind, 0, D)
    with open(name, "wb") as out:
        out.write(header + parameters + struct.pack("<%dq" % len(state), *state))


# multilevel: 6 buckets a level, levels 0 to 3, base 2, two copies
GAMMA = 0x9E3779B97F4A7C15
BUCKETS, LEVELS, BASE, COPIES, SEED = 6, 3, 2, 2, 99


def below(n, word):
    return (n * word) >> 64


def multilevel_buckets(first, second):
    salt = mix(SEED)
    part = BUCKETS // COPIES
    for copy in range(COPIES):
        yield copy * part + below(part, mix(((first ^ salt) + copy * GAMMA) & MASK))
    word = second ^ salt
    drawn = mix(word)
    reached = 0
    for level in range(1, LEVELS):
        reached += (1 << 64) // BASE**level
        if drawn < reached:
            yield level * BUCKETS + below(BUCKETS, mix((word + 3 * GAMMA) & MASK))
            break
    if mix((word + GAMMA) & MASK) < (1 << 64) // BASE**LEVELS:
        yield LEVELS * BUCKETS + below(BUCKETS, mix((word + 2 * GAMMA) & MASK))


sums = [0] * ((LEVELS + 1) * BUCKETS * D)
for r, (_, row, sign) in enumerate(updates()):
    for bucket in multilevel_buckets(*tag(r)):
        for i in range(D):
            sums[bucket * D + i] += sign * row[i]
write_kind("multilevel-v1.bin", 3, struct.pack("<iqiii", BUCKETS, SEED, LEVELS, BASE, COPIES), sums)

# projection: 300 rows; AES by OpenSSL
ROWS, SEED = 300, -5


def words(first, second):
    key = struct.pack("<QQ", mix(SEED & MASK), mix((SEED + GAMMA) & MASK)).hex()
    plain = b"".join(struct.pack("<QQ", first, second ^ c) for c in range(ROWS))
    command = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", key]
    coded = subprocess.run(command, input=plain, stdout=subprocess.PIPE, check=True).stdout
    for plain_word, coded_word in zip(struct.iter_unpack("<Q", plain), struct.iter_unpack("<Q", coded)):
        yield plain_word[0] ^ coded_word[0]


def ziggurat():
    """Right edges of the layers, the lowest (with the tail) first."""
    tail, area = 3.654152885361009, 0.004928673233974655
    edges = [area / math.exp(-0.5 * tail * tail), tail]
    while len(edges) < 256:
        edges.append(math.sqrt(-2.0 * math.log(area / edges[-1] + math.exp(-0.5 * edges[-1] ** 2))))
    # layer 0, then layer 255 at the tail's edge down to layer 1
    return tail, edges[:1] + edges[:0:-1]


TAIL, EDGES = ziggurat()


def density(x):
    return math.exp(-0.5 * x * x)


def normal(source):
    def uniform():
        return ((next(source) >> 11) + 0.5) / 2**53

    while True:
        word = next(source)
        layer, position = word & 255, word >> 11
        x = position / 2**53 * EDGES[layer]
        inner = TAIL if layer == 0 else 0.0 if layer == 1 else EDGES[layer - 1]
        if x >= inner:
            if layer == 0:
                while True:
                    x = -math.log(uniform()) / TAIL
                    y = -math.log(uniform())
                    if 2 * y > x * x:
                        break
                x += TAIL
            else:
                lower, upper = density(EDGES[layer]), 1.0 if layer == 1 else density(EDGES[layer - 1])
                if lower + uniform() * (upper - lower) >= density(x):
                    continue
        return -x if word & 256 else x


sums = [0] * (ROWS * D)
for r, (_, row, sign) in enumerate(updates()):
    source = words(*tag(r))
    for j in range(ROWS):
        g = round(normal(source) * 2**24)
        for i in range(D):
            sums[j * D + i] += sign * g * row[i]
write_kind("projection-v1.bin", 4, struct.pack("<iq", ROWS, SEED), sums)

# stratified moments: 3 strata by column 2; histogram: 5 bins of column 3, 4 bins of column 1; on a grid of 9 bits
BITS = 9


def part(value, parts):
    return max(0, min(parts - 1, (value + 2**BITS) * parts // 2 ** (BITS + 1)))


moments = [0] * (3 * D * (D + 1) // 2)
counts = [0] * 20
for _, row, sign in updates():
    products = [row[i] * row[j] for i in range(D) for j in range(i, D)]
    for p, product in enumerate(products):
        moments[part(row[2], 3) * len(products) + p] += sign * product
    counts[part(row[3], 5) * 4 + part(row[1], 4)] += sign
write_kind("stratified-moments-v1.bin", 5, struct.pack("<iii", 3, 2, BITS), moments)
write_kind("histogram-v1.bin", 6, struct.pack("<iiiiii", 2, BITS, 3, 5, 1, 4), counts)

# counts of ranges: 145 cells for each of the columns 3 and 1, in steps of 2^-16 rows, on the same grid
CELLS, COLUMNS = 145, (3, 1)
counts = [0] * (CELLS * len(COLUMNS))
for _, row, sign in updates():
    for c, column in enumerate(COLUMNS):
        position = (2 * row[column] * CELLS + 2**BITS) >> (BITS + 1)
        if position > 0:
            counts[c * CELLS + min(position, CELLS) - 1] += sign * 2**16
write_kind("ranges-v1.bin", 9, struct.pack("<iiii", len(COLUMNS), BITS, *COLUMNS), counts)

# moments and the weight that rows lost, of a constant of 1001 steps; columns 1 and 3 are shortened apart
CONSTANT, UNIT, RESPONSES, SQUARE, LOST = 1001, 12345, (1, 3), 700**2, 777
moments = [0] * (D * (D + 1) // 2 + 1)
for _, row, sign in updates():
    products = [row[i] * row[j] for i in range(D) for j in range(i, D)]
    for p, product in enumerate(products):
        moments[p] += sign * product
    lost = UNIT * (CONSTANT**2 - min(CONSTANT**2, row[0] ** 2)) // CONSTANT**2
    if sum(row[c] ** 2 for c in RESPONSES) >= SQUARE:
        lost = min(UNIT, lost + LOST)
    moments[-1] += sign * lost
parameters = struct.pack("<iiqqqqii", len(RESPONSES), BITS, CONSTANT, UNIT, SQUARE, LOST, *RESPONSES)
write_kind("shortened-moments-v1.bin", 10, parameters, moments)
