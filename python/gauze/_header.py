"""Checks headers of releases: numbers computed from one that no Gauze writes would be wrong.

The ranges are those of docs/reference/release-format.md.
"""

from __future__ import annotations

import hashlib
import math
import re
import struct
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._avro import damaged
from ._errors import GauzeError

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_KINDS = ("numeric", "estimated", "ordinal", "indicator", "category", "open category")
_MOST_COLUMNS = 20_000  # encoded ones, with the intercept
_CELLS = 145.0  # of a column of unknown range
_ONE_ROW = 1e-9  # the relative rounding error of a sensitivity, as in the Java code

_MODELS = ("descent", "huber", "quantile", "logistic", "huber-track", "irls-track", "private-irls")
_MODELS += ("objective-perturbation", "frank-wolfe", "iht", "peeling")

# What the releases of each mechanism hold.
FORMS: Dict[str, Tuple[str, ...]] = {
    "noisy-moments": ("moments",),
    "stratified-moments": ("strata of moments",),
    "residual-strata": ("strata of transformed rows", "strata of residuals"),
    "select-fit": ("selected moments",),
    "two-stage-moments": ("moments of transformed rows",),
    "count-sketch": ("rows",),
    "multilevel-l1": ("weighted rows",),
    "jl": ("rows",),
    "jl-unregularised": ("gated rows",),
    "wishart": ("moments",),
    "inverse-wishart": ("inverse moments",),
    "functional": ("moments",),
    "histogram": ("counts",),
    "ranges": ("range counts",),
    "ada-ssp": ("sufficient statistics",),
    **{name: ("model",) for name in _MODELS},
}

# By which power of two a step of the payload is below the grid of rows, where it follows from it.
_STEPS = {"noisy-moments": 2, "stratified-moments": 2, "count-sketch": 1}


def check(header: Dict[str, Any], version: int) -> None:
    """Raises GauzeError if the parts of a header contradict each other or are out of range."""
    _require(header["formatVersion"] == version, "its version is not that of its schema")
    for name in ("stream", "group", "epoch", "sketch"):
        part = header[name]
        plain = 1 <= len(part.encode("utf-8")) <= 255 and "/" not in part and part == part.strip()
        _require(plain and not _CONTROL.search(part), f"its {name} is no part of an id")
    _check_columns(header["columns"])
    _check_encoding(header)
    _require(version == _version(header), "its version is not that of its columns")
    _require(
        header["encodingVersion"] == encoding_version(header),
        "its encodingVersion is not that of its columns",
    )
    _check_noise(header)
    _check_guarantee(header["guarantee"])


def numbers(header: Mapping[str, Any]) -> Optional[int]:
    """How many numbers the payload has, and None if the form does not decide it."""
    size = _dimension(header)
    triangle = size * (size + 1) // 2
    form, parameters = header["form"], header["parameters"]
    if form == "moments":
        return triangle + ("rowUnit" in parameters)
    if form == "inverse moments":
        return triangle
    if form == "range counts":
        estimated = sum(column["kind"] == "estimated" for column in header["columns"])
        return int(_CELLS) * estimated
    if form == "strata of moments":
        return _whole(parameters, "strata") * triangle
    if form == "rows" and header["mechanism"] == "count-sketch":
        return _whole(parameters, "buckets") * size
    return None


def encoding_version(header: Mapping[str, Any]) -> str:
    """The hash of all that decides how a record becomes a row."""
    print_ = _Fingerprint()
    print_.text("gauze-encoding-1").numbers([len(header["columns"])])
    for column in header["columns"]:
        centred = _is_centred(column)
        print_.text(column["kind"] if centred else column["kind"] + " around")
        print_.text(column["name"]).text(column["source"])
        print_.numbers([column["lower"], column["upper"]])
        print_.numbers([] if centred else [column["typical"]])
        print_.numbers([len(column["texts"])])
        for text in column["texts"]:
            print_.text(text)
        print_.numbers([len(column["ranks"]), *column["ranks"]])
    print_.numbers([header["intercept"], header["rowBound"], header["gridBits"]])
    print_.text(header["missing"])
    responses = header.get("responses", [])
    if responses:
        print_.numbers([len(responses)])
        for column in header["columns"]:  # in their order
            if column["name"] in responses:
                print_.text(column["name"])
        print_.numbers([header["responseBound"]])
    if _is_scaled(header):
        print_.text("factors").numbers(header["factors"])
    return print_.digest.hexdigest()


class _Fingerprint:
    """SHA-256 of texts with their lengths, and of numbers as doubles, the highest byte first."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()

    def text(self, value: str) -> "_Fingerprint":
        data = value.encode("utf-8")
        self.numbers([len(data)]).digest.update(data)
        return self

    def numbers(self, values: List[float]) -> "_Fingerprint":
        self.digest.update(struct.pack(f">{len(values)}d", *values))
        return self


def _check_columns(columns: List[Dict[str, Any]]) -> None:
    _require(len(columns) > 0, "it has no columns")
    for column in columns:
        _check_column(column)
    for names in (
        [column["name"] for column in columns],
        [name for column in columns for name in column["encodedNames"]],
    ):
        _require(len(set(names)) == len(names), "two of its columns have one name")
        _require(len(names) < _MOST_COLUMNS, "it has too many columns")


def _check_column(column: Dict[str, Any]) -> None:
    kind, name, texts, ranks = (column[key] for key in ("kind", "name", "texts", "ranks"))
    _require(kind in _KINDS, "it has a column of an unknown kind")
    _require(bool(name.strip() and column["source"].strip()), "a column has no name or no field")
    lower, upper, typical = column["lower"], column["upper"], _typical(column)
    _require(
        lower < upper and 2.0 * (upper - lower) < math.inf, "a column's range must not be empty"
    )
    _require(lower <= typical <= upper, "a typical value must be in its range")
    if kind not in ("numeric", "ordinal"):
        ends = (-_CELLS, _CELLS) if kind == "estimated" else (0.0, 1.0)
        _require((lower, upper) == ends and _is_centred(column), f"a column of the kind {kind} has"
                 " another range than its kind")
    _require(all(text.strip() for text in texts), "a column has an empty text")
    _require(len(set(texts)) == len(texts), "a column has a text twice")
    least, most = {"numeric": (0, 0), "estimated": (0, 0), "indicator": (1, 1)}.get(
        kind, (2, len(texts))
    )
    _require(least <= len(texts) <= most, "a column has another number of texts than its kind")
    wanted = [f"{name}={text}" for text in texts[1:]] if kind.endswith("category") else [name]
    _require(column["encodedNames"] == wanted, "a column has other encoded columns than its kind")
    _require(
        len(ranks) == (len(texts) if kind == "ordinal" else 0)
        and all(lower <= rank <= upper for rank in ranks),
        "a column has other ranks than its texts",
    )


def _check_encoding(header: Dict[str, Any]) -> None:
    bound, columns = header["rowBound"], header["columns"]
    _require(2.0**-6 <= bound <= 2.0**8, "rowBound must be in [1/64, 256]")
    responses, own = header.get("responses", []), header.get("responseBound", 0.0)
    known = {column["name"] for column in columns}
    _require(
        set(responses) <= known and len(set(responses)) == len(responses),
        "its responses are no columns",
    )
    _require(
        0 < own < bound if responses else own == 0.0,
        "responseBound must be above 0 and below rowBound, and 0 without responses",
    )
    rest = math.sqrt(bound * bound - own * own) if responses else bound
    _require(
        bound / 256 <= header["intercept"] <= rest, "intercept must be in [rowBound / 256, rowBound]"
    )
    factors = header.get("factors", [1.0] * len(columns))
    _require(len(factors) == len(columns), "it needs a factor for each column")
    _require(
        all(2.0**-10 <= factor <= 1 for factor in factors), "its factors must be in [2^-10, 1]"
    )
    mantissa, exponent = math.frexp(bound)
    bits = 16 - exponent if mantissa == 0.5 else 15 - exponent
    _require(header["gridBits"] == bits, f"gridBits must be {bits} for its rowBound")
    _require(header["missing"] in ("REJECT", "MIDPOINT"), "missing must be REJECT or MIDPOINT")


def _check_noise(header: Dict[str, Any]) -> None:
    mechanism, parameters, unit = header["mechanism"], header["parameters"], header["unit"]
    if mechanism not in FORMS:
        raise GauzeError(
            "unknown-version",
            f"the release has the mechanism {mechanism[:99]!r}, which this package does not know",
            "Upgrade the package, or ask the service.",
        )
    _require(header["form"] in FORMS[mechanism], f"its form is none of {mechanism}")
    for name, value in parameters.items():
        _require(math.isfinite(value), f"the parameter {name[:99]!r} must be finite")
    _require(
        2.0**-80 <= unit <= 1 and math.frexp(unit)[0] == 0.5,
        "unit must be a power of two in [2^-80, 1]",
    )
    if mechanism in _STEPS:
        wanted = 2.0 ** (-_STEPS[mechanism] * header["gridBits"])
        _require(unit == wanted, f"unit must be {wanted} for its rowBound")
    _require(2.0**-100 <= header["sigma"] <= 2.0**100, "sigma must be in [2^-100, 2^100]")
    if "rowUnit" in parameters and mechanism == "noisy-moments":
        _check_sensitivity(header, parameters)
    if mechanism == "wishart":
        degrees = _whole(parameters, "degreesOfFreedom")
        _require(degrees >= _dimension(header) + 2, "it has too few degreesOfFreedom")


def _check_sensitivity(header: Mapping[str, Any], parameters: Mapping[str, float]) -> None:
    """The unit of the lost weight decides what it says, and the noise is made for both."""
    square, unit = header["rowBound"] ** 2, parameters["rowUnit"]
    _require(2.0**-6 * square <= unit <= square, "rowUnit must be in [1/64, 1] of rowBound squared")
    replaced = header["guarantee"]["neighbours"] != "add-remove"
    of_row = math.hypot(square, unit) * (math.sqrt(2.0) if replaced else 1.0)
    sensitivity = parameters.get("sensitivity", 0.0)
    rows = max(1.0, float(round(sensitivity / of_row)))
    _require(
        abs(sensitivity - rows * of_row) <= _ONE_ROW * sensitivity,
        "its sensitivity contradicts rowBound, rowUnit and neighbours",
    )


def _check_guarantee(guarantee: Mapping[str, Any]) -> None:
    _require(0 < guarantee["epsilon"] <= 100, "epsilon must be in (0, 100]")
    _require(0 < guarantee["delta"] <= 0.1, "delta must be in (0, 0.1]")
    _require(
        guarantee["neighbours"] in ("replace-one", "add-remove"),
        "neighbours must be replace-one or add-remove",
    )
    _require(guarantee["unit"] in ("row", "user", "key"), "its unit must be row, user or key")
    for name in ("basis", "checkpoint", "randomness"):
        _require(bool(guarantee[name].strip()), f"{name} must not be empty")
    _require(
        guarantee["private"] != guarantee["randomness"].startswith("NOT PRIVATE"),
        "its randomness contradicts whether it is private",
    )


def _dimension(header: Mapping[str, Any]) -> int:
    return 1 + sum(len(column["encodedNames"]) for column in header["columns"])


def _whole(parameters: Mapping[str, float], name: str) -> int:
    value = parameters.get(name, math.nan)
    _require(1 <= value <= 2**31 and value == math.floor(value), f"{name} must be a whole number")
    return int(value)


def _typical(column: Mapping[str, Any]) -> float:
    return float(column.get("typical", 0.5 * column["lower"] + 0.5 * column["upper"]))


def _is_centred(column: Mapping[str, Any]) -> bool:
    return _typical(column) == 0.5 * column["lower"] + 0.5 * column["upper"]


def _is_scaled(header: Mapping[str, Any]) -> bool:
    return any(factor != 1.0 for factor in header.get("factors", []))


def _version(header: Mapping[str, Any]) -> int:
    """The first version that holds this encoding."""
    if _is_scaled(header):
        return 3
    centred = all(_is_centred(column) for column in header["columns"])
    return 1 if centred and not header.get("responses") else 2


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise damaged(what)
