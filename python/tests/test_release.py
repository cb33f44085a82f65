"""Sums of releases, and fits with a given penalty."""

from __future__ import annotations

import copy
import pathlib
import warnings
from typing import Any, Dict

import numpy as np
import pytest

import gauze
import records
from conftest import FORMULA, GAUZE, GOLDEN, ids
from gauze import _header


def changed(release: gauze.Release, **changes: Any) -> gauze.Release:
    """A release with another header, and the encoding version that it then has.

    A key with two underscores is one of a part of it.
    """
    header: Dict[str, Any] = copy.deepcopy(release.header)
    for key, value in changes.items():
        part, _, name = key.rpartition("__")
        (header[part] if part else header)[name] = value
    header["encodingVersion"] = _header.encoding_version(header)
    payload = release.payload if release.payload is not None else []
    return gauze.from_bytes(records.record(header, payload))


def refused(one: gauze.Release, other: gauze.Release, part: str) -> None:
    for first, second in ((one, other), (other, one)):
        with pytest.raises(gauze.GauzeError, match="do not add up") as error:
            first + second
        assert error.value.code == "refused"
        assert part in str(error.value)
        assert error.value.action


def test_the_sum_has_the_numbers_and_the_noise_of_both(made: pathlib.Path) -> None:
    north = gauze.read(made / "sites" / "north-all-all-moments.avro")
    south = gauze.read(str(made / "sites" / "south-all-all-moments.avro"))
    both = north + south
    assert np.array_equal(both.moments, north.moments + south.moments)
    assert both.sigma == pytest.approx(np.hypot(north.sigma, south.sigma))
    assert both.ids == ids("north", "south")
    assert {stream: each["epsilon"] for stream, each in both.guarantee.items()} == {
        "north": 8.0,
        "south": 9.0,
    }
    assert sum([north, south]).ids == both.ids
    assert both.payload is None
    with pytest.raises(gauze.GauzeError, match="no id of its own"):
        both.id
    with pytest.raises(ValueError, match="read-only"):
        both.values[0] = 1.0
    with pytest.raises(TypeError):
        north + 1  # type: ignore[operator]


def test_a_row_never_counts_twice(north: gauze.Release) -> None:
    hour = changed(north, epoch="2026-01-01T00:00:00Z", group="a")
    refused(north, north, "is there twice")
    refused(north + changed(north, stream="b"), north, "is there twice")
    refused(changed(north, group="a"), north, "the group all")
    refused(changed(north, epoch="1"), north, "the epoch all")
    refused(hour, changed(hour, group="all"), "the group all")
    refused(hour, changed(hour, epoch="all"), "the epoch all")
    refused(hour, changed(hour, sigma=2 * north.header["sigma"]), "is there twice")
    refused(hour, changed(hour, sketch="other"), "one sketch")
    next_hour = changed(hour, epoch="2026-01-01T01:00:00Z")
    refused(changed(hour, parameters__cumulative=3.0), next_hour, "cumulative")
    keys = changed(hour, guarantee__unit="key")
    refused(keys, changed(next_hour, guarantee__unit="key"), "snapshots")
    assert len((hour + next_hour + changed(hour, group="b")).parts) == 3


def test_what_is_not_alike_does_not_add_up(north: gauze.Release) -> None:
    south = changed(north, stream="south")
    assert len((north + south).parts) == 2
    refused(north, changed(south, intercept=0.25), "differ in intercept")
    columns = copy.deepcopy(north.header["columns"])
    columns[0]["upper"] = 41.0
    refused(north, changed(south, columns=columns), "differ in column temperature")
    refused(north, changed(south, mechanism="functional"), "one mechanism")
    refused(north, changed(south, settings={"a": "b"}), "one settings")
    refused(north, changed(south, guarantee__unit="user"), "one unit")
    refused(north, changed(south, guarantee__neighbours="add-remove"), "one neighbours")
    test = {"guarantee__private": False, "guarantee__randomness": "NOT PRIVATE: a test"}
    refused(north, changed(south, **test), "one private")
    hour = changed(north, epoch="1")
    refused(hour, changed(hour, epoch="2", guarantee__epsilon=9.0), "one budget")


def test_the_source_of_a_column_is_part_of_an_encoding(north: gauze.Release) -> None:
    """As in the service."""
    columns = copy.deepcopy(north.header["columns"])
    columns[0]["source"] = "field"
    refused(north, changed(north, stream="b", columns=columns), "column temperature")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_only_sums_of_rows_add_up(path: pathlib.Path) -> None:
    release = gauze.read(path)
    other = changed(release, stream="other")
    if release.mechanism in ("noisy-moments", "count-sketch"):
        both = release + other
        assert np.array_equal(both.values, 2 * release.values)
    else:
        refused(release, other, "do not add up number by number")


def test_sizes_must_be_equal(made: pathlib.Path) -> None:
    buckets = gauze.read(made / "sites" / "north-all-all-buckets.avro")
    parameters = dict(buckets.header["parameters"], buckets=1.0)
    header = dict(buckets.header, stream="south", parameters=parameters)
    assert buckets.payload is not None
    shorter = gauze.from_bytes(records.record(header, buckets.payload[: len(buckets.names)]))
    refused(buckets, shorter, "one size")


@pytest.mark.parametrize("name", ["buckets", "strata"])
def test_other_forms_are_read_and_not_fitted(made: pathlib.Path, name: str) -> None:
    release = gauze.read(made / "sites" / f"north-all-all-{name}.avro")
    assert len(release.values) > 100
    for ask in (lambda: release.moments, lambda: release.ridge(FORMULA, 1.0)):
        with pytest.raises(gauze.GauzeError, match="Ask the service"):
            ask()


@pytest.mark.parametrize("formula", [FORMULA, "kwh ~ .", "kwh ~ 1", "temperature ~ tariff=night"])
@pytest.mark.parametrize("lam", [0.0, 1.0, 300.0])
@pytest.mark.parametrize("streams", [["north"], ["north", "south", "east"]])
def test_a_ridge_is_that_of_the_service(
    site: gauze.Site, made: pathlib.Path, formula: str, lam: float, streams: list
) -> None:
    files = [made / "sites" / f"{each}-all-all-moments.avro" for each in streams]
    release = sum(gauze.read(file) for file in files)
    for free in (False, True):
        point = release.ridge(formula, lam, free_intercept=free)
        asked = site.ridge(formula, releases=ids(*streams), lam=lam, freeIntercept=free)
        assert list(point.coefficients) == asked.terms
        wanted = asked.answer["coefficients"]
        size = max(abs(each) for each in wanted.values())
        for term, value in point.coefficients.items():
            assert value == pytest.approx(wanted[term], rel=1e-7, abs=1e-9 * size)
        assert point.params[asked.terms[0]] == point.coefficients[asked.terms[0]]


def test_golden_moments_give_the_ridge_of_the_service(tmp_path: pathlib.Path) -> None:
    """Of version 2 with typical values, and of version 3 with factors."""
    golden = {}
    for path in GOLDEN:
        if path.stem in ("release-v2", "release-v3"):
            release = golden[path.stem] = changed(gauze.read(path), stream=path.stem)
            data = records.record(release.header, gauze.read(path).payload)
            (tmp_path / path.name).write_bytes(data)
    with gauze.local(str(tmp_path), command=GAUZE) as site:
        for release in golden.values():
            response = release.header["columns"][-1]["encodedNames"][0]
            point = release.ridge(f"`{response}` ~ .", 1000.0)
            asked = site.ridge(f"`{response}` ~ .", releases=release.id, lam=1000.0)
            for term, value in point.coefficients.items():
                assert value == pytest.approx(asked.answer["coefficients"][term], rel=1e-7)
    assert len(golden) == 2


def test_the_mean_of_wishart_noise_is_taken_away(north: gauze.Release) -> None:
    parameters = {"degreesOfFreedom": 50.0}
    header = dict(north.header, mechanism="wishart", parameters=parameters)
    size = len(north.names)
    scale = north.header["sigma"] / np.sqrt(100.0)
    assert north.payload is not None
    payload = north.payload[: size * (size + 1) // 2].copy()
    plain = gauze.from_bytes(records.record(dict(header, mechanism="functional"), payload))
    diagonal = [k * size - k * (k - 1) // 2 for k in range(size)]
    payload[diagonal] += int(round(50 * scale))
    wishart = gauze.from_bytes(records.record(header, payload))
    for term, value in plain.ridge(FORMULA, 10.0).coefficients.items():
        assert wishart.ridge(FORMULA, 10.0).coefficients[term] == pytest.approx(value, rel=1e-4)
    del parameters["degreesOfFreedom"]
    with pytest.raises(gauze.GauzeError, match="degreesOfFreedom"):
        gauze.from_bytes(records.record(header, payload))


def test_what_overflows_is_an_error(north: gauze.Release) -> None:
    """A range may be far wider than that of the response."""
    columns = copy.deepcopy(north.header["columns"])
    columns[0].update(lower=-1e-300, upper=1e-300, typical=0.0)
    columns[-1].update(lower=-4e307, upper=4e307, typical=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(gauze.GauzeError, match="than a double holds"):
            changed(north, columns=columns).ridge(FORMULA, 1.0)
        assert north.ridge(FORMULA, 1e308).params["temperature"] == pytest.approx(0.0)
        for lam in (None, "1", 10**400, [1.0]):
            with pytest.raises(gauze.GauzeError, match="lam must be"):
                north.ridge(FORMULA, lam)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "formula, lam, code, part",
    [
        ("kwh ~ temprature", 1.0, "bad-column", "temperature"),
        ("kwh ~ kwh", 1.0, "bad-column", "is the response"),
        ("kwh ~ tariff + tariff=night", 1.0, "bad-column", "twice"),
        ("tariff ~ kwh", 1.0, "bad-column", "tariff=night, tariff=solar"),
        (FORMULA, -1.0, "bad-request", "at least 0"),
        (FORMULA, float("nan"), "bad-request", "at least 0"),
        (FORMULA, float("inf"), "bad-request", "finite"),
        ("kwh ~ a:b", 1.0, "bad-formula", "interaction"),
    ],
)
def test_wrong_questions_are_errors(
    north: gauze.Release, formula: str, lam: float, code: str, part: str
) -> None:
    with pytest.raises(gauze.GauzeError) as error:
        north.ridge(formula, lam)
    assert error.value.code == code
    assert part in str(error.value)
