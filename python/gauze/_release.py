"""Releases: read from files, added up, and fitted with a penalty that is given."""

from __future__ import annotations

import math
import os
import stat
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _format
from ._avro import damaged
from ._errors import GauzeError, need
from ._formula import Formula, parse
from ._http import number

INTERCEPT = "(intercept)"
ALL = "all"

_MOMENTS = "moments"

# What adds up number by number: its noise is added to sums of rows.
_ADDITIVE = (_MOMENTS, "strata of moments", "counts", "weighted rows")
_BUCKETS = ("rows", "count-sketch")

# Rounding errors, as in the Java code: regression, NormalEquations and LeastSquares.
_JITTER = 1e-10
_NEGLIGIBLE = 1e-13

_ASK = "Ask the service: site.ols(...) and its siblings fit every release."


def read(path: Union[str, "os.PathLike[str]"]) -> "Release":
    """Reads a release from an Avro file.

    Raises GauzeError if it is no release, of an unknown version, cut or damaged, and OSError if the
    file cannot be read.
    """
    try:
        name = os.fsdecode(os.fspath(path))
    except TypeError:
        raise GauzeError("bad-request", f"{path!r} is no path", "Give that of a file.") from None
    if not name.lower().endswith(".avro"):
        raise GauzeError(
            "unsupported",
            f"{name} does not end with .avro, and only Avro files are read here",
            "Download the release as Avro: site.read(id), or ?format=avro.",
        )
    if "\0" in name:
        raise GauzeError("bad-request", f"{name!r} is no path", "Give that of a file.")
    status = os.stat(name)
    if not stat.S_ISREG(status.st_mode):
        raise GauzeError("unsupported", f"{name} is no regular file", "Give that of a release.")
    if status.st_size > _format.MOST_BYTES:
        raise damaged(f"it has more than {_format.MOST_BYTES} bytes")
    with open(name, "rb") as file:
        return from_bytes(file.read(status.st_size + 1))  # a longer read would reserve its length


def from_bytes(data: bytes) -> "Release":
    """Reads a release from the bytes of its record. Raises as ``read`` does."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise GauzeError(
            "bad-request", f"a record is bytes, not {type(data).__name__}", "Give its bytes."
        )
    header, payload, sha256 = _format.read(bytes(data))
    part = Part(
        stream=header["stream"],
        group=header["group"],
        epoch=header["epoch"],
        sketch=header["sketch"],
        sha256=sha256,
        sigma=header["sigma"] * header["unit"],
        guarantee=header["guarantee"],
        is_cumulative="cumulative" in header["parameters"],
        noise_mean=_noise_mean(header),
    )
    release = Release(header, payload * header["unit"], [part])
    release.payload = payload
    return release


def _noise_mean(header: Mapping[str, Any]) -> float:
    """The mean of the noise on the diagonal of moments: sigma is its deviation there."""
    if header["mechanism"] != "wishart":
        return 0.0
    degrees = header["parameters"]["degreesOfFreedom"]
    return float(degrees * header["sigma"] / math.sqrt(2 * degrees) * header["unit"])


class Part:
    """One release of a sum: whose rows they are, and what it promises."""

    def __init__(
        self,
        stream: str,
        group: str,
        epoch: str,
        sketch: str,
        sha256: str,
        sigma: float,
        guarantee: Mapping[str, Any],
        is_cumulative: bool,
        noise_mean: float,
    ) -> None:
        self.stream = stream
        self.group = group
        self.epoch = epoch
        self.sketch = sketch
        self.sha256 = sha256
        self.sigma = sigma
        self.guarantee = guarantee
        self.is_cumulative = is_cumulative
        self.noise_mean = noise_mean

    @property
    def id(self) -> str:
        """The id of the release: stream/group/epoch/sketch."""
        return "/".join((self.stream, self.group, self.epoch, self.sketch))

    def budget(self) -> Tuple[float, float, str]:
        """Epsilon, delta and the relation of neighbours."""
        kept = self.guarantee
        return kept["epsilon"], kept["delta"], kept["neighbours"]


class Release:
    """A release, or the sum of several of different rows. ``values`` are in the encoded scale.

    ``header`` has the fields of docs/reference/release-format.md; of a sum it is that of the first
    release. ``payload`` are the whole numbers of a single release, and None of a sum.
    """

    payload: Optional[np.ndarray] = None

    def __init__(self, header: Dict[str, Any], values: np.ndarray, parts: Sequence[Part]) -> None:
        self.header = header
        self.values = values
        self.parts = tuple(parts)
        values.setflags(write=False)

    @property
    def ids(self) -> List[str]:
        """The ids of the releases that are in it."""
        return [part.id for part in self.parts]

    @property
    def id(self) -> str:
        """The id. Raises GauzeError if it is a sum."""
        if len(self.parts) > 1:
            raise GauzeError("refused", "a sum of releases has no id of its own", "Use ids.")
        return self.parts[0].id

    @property
    def form(self) -> str:
        """What the numbers are, such as ``moments``."""
        return str(self.header["form"])

    @property
    def mechanism(self) -> str:
        """The name of the mechanism."""
        return str(self.header["mechanism"])

    @property
    def sha256(self) -> str:
        """The checksum of a single release, in hexadecimal digits."""
        return self.parts[0].sha256 if self.id else ""

    @property
    def names(self) -> List[str]:
        """The names of the encoded columns, the intercept first."""
        columns = self.header["columns"]
        return [INTERCEPT] + [name for column in columns for name in column["encodedNames"]]

    @property
    def sigma(self) -> float:
        """The standard deviation of the widest noise, in the encoded scale."""
        return math.sqrt(sum(part.sigma**2 for part in self.parts))

    @property
    def guarantee(self) -> Dict[str, Mapping[str, Any]]:
        """What is promised, by stream. No promise covers several streams together."""
        promises: Dict[str, Mapping[str, Any]] = {}
        for part in self.parts:
            promises.setdefault(part.stream, part.guarantee)
        return promises

    @property
    def moments(self) -> np.ndarray:
        """A'A with noise, of all encoded columns. Raises GauzeError if the release has none.

        Noise of wishart still has its mean in it, as in files of NumPy.
        """
        if self.form != _MOMENTS:
            raise GauzeError("refused", f"this release holds {self.form}, not moments", _ASK)
        size = len(self.names)
        moments = np.zeros((size, size))
        upper = np.triu_indices(size)
        moments[upper] = self.values[: len(upper[0])]
        return moments + np.triu(moments, 1).T

    def __repr__(self) -> str:
        what = self.ids[0] if len(self.parts) == 1 else f"{len(self.parts)} releases"
        return f"<gauze.Release {what}: {self.mechanism}, {self.form}>"

    def __add__(self, other: "Release") -> "Release":
        """Returns the release of the rows of both.

        Raises GauzeError if they do not add up, or a row would count twice.
        """
        if not isinstance(other, Release):
            return NotImplemented
        for part in other.parts:
            self._check_part(part)
        self._check_alike(other)
        return Release(self.header, self.values + other.values, self.parts + other.parts)

    def __radd__(self, other: Any) -> "Release":
        """Lets ``sum(releases)`` add them up."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def _check_alike(self, other: "Release") -> None:
        mine, yours = self.header, other.header
        for field in ("mechanism", "settings"):
            _same(field, mine[field], yours[field], other.ids[0])
        if _encoding(mine) != _encoding(yours):
            raise _no_sum(
                "they need one encoding, and these differ in " + ", ".join(_differences(mine, yours)),
                "Give the configs one file with encoding:, see gauze check --write-encoding.",
            )
        for field in ("unit", "neighbours", "private"):
            _same(field, mine["guarantee"][field], yours["guarantee"][field], other.ids[0])
        if not (self.form in _ADDITIVE or (self.form, self.mechanism) == _BUCKETS):
            raise _no_sum(
                f"those of {self.mechanism} do not add up number by number",
                "The service adds some of them up: site.ols(..., releases=[...]).",
            )
        if len(self.values) != len(other.values):
            raise _no_sum(
                f"they need one size, and these have {len(self.values)} and {len(other.values)}"
                " numbers",
                "Give the size of the sketch in each config.",
            )

    def _check_part(self, part: Part) -> None:
        for each in self.parts:
            if part.sha256 == each.sha256 or part.id == each.id:
                raise _no_sum(f"{part.id} is there twice", "Add each release once.")
            if part.stream == each.stream:
                _check_of_one_stream(each, part)

    def ridge(self, formula: str, lam: float, free_intercept: bool = False) -> "PointFit":
        """Fits squares with a ridge of weight ``lam`` in the encoded scale, without the service.

        The coefficients are in the columns' own units. There are no errors: whether noise is all
        that a coefficient shows, only the service says. Raises GauzeError if the release does not
        hold moments, or has no such column.
        """
        if not 0 <= number(lam) < math.inf:
            raise GauzeError(
                "bad-request",
                f"lam must be at least 0 and finite, and is {lam!r}",
                "Give a number.",
            )
        asked = parse(formula)
        columns = self._columns(asked)
        names = self.names
        step = 2.0 ** -self.header["gridBits"]
        constant = math.floor(self.header["intercept"] / step) * step
        mean = sum(part.noise_mean for part in self.parts)
        moments = self.moments - mean * np.eye(len(names))
        joint = moments[np.ix_(columns, columns)]
        weights = np.ones(len(columns) - 1)
        weights[0] = 0.0 if free_intercept else constant**2
        try:
            with np.errstate(all="ignore"):  # what overflows is not finite, and refused below
                solution = _solve(joint, float(lam) * weights)
                found = self._in_users_units(solution, columns, constant)
        except np.linalg.LinAlgError:
            found = {INTERCEPT: math.nan}
        if not all(math.isfinite(value) for value in found.values()):
            raise GauzeError(
                "refused", "the coefficients are larger than a double holds", "Ask the service."
            )
        return PointFit(asked.response, float(lam), found)

    def _columns(self, asked: Formula) -> List[int]:
        """Returns the indices of the intercept, of the features, and of the response."""
        names = self.names
        response = self._indices(asked.response, "the response")
        if len(response) != 1:
            raise GauzeError(
                "bad-column",
                f"the response {asked.response} has categories, which are columns of their own",
                f"Name one of {', '.join(names[i] for i in response)}.",
            )
        if asked.features is None:
            features = [i for i in range(1, len(names)) if i != response[0]]
        else:
            features = [i for name in asked.features for i in self._indices(name, "a feature")]
        if response[0] in features or len(set(features)) < len(features):
            raise GauzeError(
                "bad-column",
                "a feature is there twice, or is the response",
                "Name each column once.",
            )
        return [0] + features + response

    def _indices(self, name: str, what: str) -> List[int]:
        at = 1
        for column in self.header["columns"]:
            size = len(column["encodedNames"])
            if column["name"] == name:
                return list(range(at, at + size))
            at += size
        if name in self.names[1:]:
            return [self.names.index(name)]
        known = [column["name"] for column in self.header["columns"]]
        raise GauzeError(
            "bad-column", f"there is no column {name}, {what}", f"Name one of {', '.join(known)}."
        )

    def _in_users_units(
        self, solution: np.ndarray, columns: Sequence[int], constant: float
    ) -> Dict[str, float]:
        middle, half = _scales(self.header)
        response = columns[-1]
        intercept = constant * solution[0]
        result = {INTERCEPT: 0.0}
        for b, column in zip(solution[1:], columns[1:-1]):
            result[self.names[column]] = float(half[response] / half[column] * b)
            intercept -= b * middle[column] / half[column]
        result[INTERCEPT] = float(middle[response] + half[response] * intercept)
        return result


class PointFit:
    """Coefficients without errors, by name, in the columns' own units."""

    def __init__(self, response: str, lam: float, coefficients: Dict[str, float]) -> None:
        self.response = response
        self.lam = lam
        self.coefficients = coefficients

    @property
    def params(self) -> Any:
        """The coefficients as a Series of pandas."""
        return need("pandas", "params").Series(self.coefficients, dtype=float)

    def __repr__(self) -> str:
        return f"<gauze.PointFit of {self.response}, lam {self.lam}: {self.coefficients}>"


def _solve(joint: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """Solves (S + penalty) b = s, where noise makes no direction negative.

    ``joint`` holds the moments of the features and then the response.
    """
    values, vectors = np.linalg.eigh(joint)
    joint = (vectors * np.maximum(values, 0.0)) @ vectors.T
    gram, cross = joint[:-1, :-1], joint[:-1, -1]
    shift = _JITTER * abs(np.trace(gram)) / len(penalty)
    system = gram + np.diag(penalty + shift)
    values, vectors = np.linalg.eigh(system)
    floor = max(_NEGLIGIBLE * len(penalty) * max(0.0, values[-1]), np.finfo(float).tiny)
    if values[0] >= floor:
        return np.asarray(np.linalg.solve(system, cross))
    inverse = np.where(values > floor, 1.0 / np.where(values > floor, values, 1.0), 0.0)
    return np.asarray(vectors @ (inverse * (vectors.T @ cross)))


def _scales(header: Mapping[str, Any]) -> Tuple[List[float], List[float]]:
    """Of each encoded column the value that is encoded as 0, and what an encoded 1 is more."""
    middle, half = [0.0], [1.0]
    columns = header["columns"]
    for column, factor in zip(columns, header.get("factors", [1.0] * len(columns))):
        category = column["kind"].endswith("category")
        lower, upper = (-1.0, 1.0) if category else (column["lower"], column["upper"])
        centre = 0.0 if category else column.get("typical", 0.5 * lower + 0.5 * upper)
        for _ in column["encodedNames"]:
            middle.append(centre)
            half.append(max(upper - centre, centre - lower) / factor)
    return middle, half


def _encoding(header: Mapping[str, Any]) -> Dict[str, Any]:
    """All that the hash of an encoding covers, and the hash."""
    keys = ("encodingVersion", "intercept", "rowBound", "factors", "responses", "responseBound")
    parts = {key: header.get(key) for key in keys + ("gridBits", "missing")}
    for column in header["columns"]:
        parts[f"column {column['name']}"] = column
    parts["the order of columns"] = [column["name"] for column in header["columns"]]
    return parts


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> List[str]:
    first, second = _encoding(one), _encoding(other)
    named = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    return [key for key in named if key != "encodingVersion"] or named


def _check_of_one_stream(first: Part, other: Part) -> None:
    _same("sketch", first.sketch, other.sketch, other.id)
    _same("budget", first.budget(), other.budget(), other.id)
    if first.is_cumulative or other.is_cumulative:
        raise _no_sum(
            "cumulative ones hold the rows of all epochs before", "Take the last one alone."
        )
    if first.guarantee["unit"] == "key":
        raise _no_sum("snapshots of a table hold the same rows", "Take one epoch.")
    for what, mine, yours in (
        ("group", first.group, other.group),
        ("epoch", first.epoch, other.epoch),
    ):
        if (mine == ALL) != (yours == ALL):
            raise _no_sum(
                f"one of the {what} all has the rows of each {what}, which would count twice",
                f"Add either {first.id} or {other.id}.",
            )
    if (first.group, first.epoch) == (other.group, other.epoch):
        raise _no_sum(f"{other.id} has the rows of {first.id}", "Add each release once.")


def _same(what: str, mine: Any, yours: Any, other: str) -> None:
    if mine != yours:
        raise _no_sum(f"they need one {what}, and {other} has {yours}, not {mine}", _ALIKE)


_ALIKE = "Add up releases of one mechanism, encoding and promise."


def _no_sum(what: str, action: str) -> GauzeError:
    return GauzeError("refused", f"these releases do not add up: {what}", action)
