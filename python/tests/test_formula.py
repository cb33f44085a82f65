"""Formulas: what they mean, and what they are refused for."""

from __future__ import annotations

from typing import List, Optional

import pytest

import gauze
from gauze._formula import Formula, parse


@pytest.mark.parametrize(
    "text, response, features",
    [
        ("kwh ~ temperature + weekend", "kwh", ["temperature", "weekend"]),
        ("kwh~a+b", "kwh", ["a", "b"]),
        ("kwh ~ .", "kwh", None),
        ("kwh", "kwh", None),
        ("kwh ~ 1", "kwh", []),
        ("kwh ~ 1 + a", "kwh", ["a"]),
        ("`fixed acidity` ~ `a, b` + `c:d`", "fixed acidity", ["a, b", "c:d"]),
        ("y ~ tariff=night + x.1 + größe", "y", ["tariff=night", "x.1", "größe"]),
        ("  y\n ~ a\n + b ", "y", ["a", "b"]),
    ],
)
def test_columns_by_name(text: str, response: str, features: Optional[List[str]]) -> None:
    assert parse(text) == Formula(response, features)


COLUMN = "Make a column of it in the rows"


@pytest.mark.parametrize(
    "text, what, action",
    [
        ("y ~ a:b", "interaction", COLUMN),
        ("y ~ a * b", "interaction", COLUMN),
        ("y ~ a ** 2", "interaction", COLUMN),
        ("y ~ log(a)", "function", COLUMN),
        ("log(y) ~ a", "function", COLUMN),
        ("y ~ C(a)", "function", COLUMN),
        ("y ~ a - b", "minus", "Name the columns"),
        ("y ~ 0 + a", "intercept", "Leave 0 out"),
        ("y ~ a b", "joined by +", "a + b"),
        ("y ~ a +", "joined by +", "a + b"),
        ("y ~ + a", "joined by +", "a + b"),
        ("y ~", "joined by +", "a + b"),
        ("y ~ a ~ b", "joined by +", "a + b"),
        ("y ~ . + a", ". is no column", "alone"),
        ("y ~ 2", "2 is no column", "alone"),
        ("~ a", "before ~", "column to explain"),
        ("y + x ~ a", "before ~", "column to explain"),
        ("y a", "no ~", "kwh ~ temperature"),
        ("", "no ~", "kwh ~ temperature"),
        ("y ~ `a", "not closed", "Close it"),
        ("y ~ a & b", "character &", "backquotes"),
    ],
)
def test_all_else_is_refused_with_what_to_do(text: str, what: str, action: str) -> None:
    with pytest.raises(gauze.GauzeError) as error:
        parse(text)
    assert error.value.code == "bad-formula"
    assert what in error.value.message
    assert action in error.value.action
    assert len(error.value.message) < 300


def test_a_huge_formula_is_neither_slow_nor_echoed() -> None:
    with pytest.raises(gauze.GauzeError) as error:
        parse("y ~ a" + " + a" * 100_000 + " (")
    assert "function" in error.value.message
    assert len(error.value.message) < 300
