"""Rows of a table of pandas, as a request for predictions has them."""

from __future__ import annotations

import json
import math
import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Sequence

from ._errors import GauzeError

if TYPE_CHECKING:
    import pandas as pd

_MOST_ROWS = 10_000  # of one request for predictions
_MOST_BYTES = 60_000  # of its question and rows; a body has at most 64 KiB
_NUMERIC = ("numeric", "estimated")


def rows_of(
    exog: "pd.DataFrame", fields: Callable[[], Sequence[Dict[str, Any]]], pandas: Any
) -> List[Dict[str, Any]]:
    """The rows as objects of JSON, with the fields that are needed; a missing value is left out.

    ``fields`` returns the ``name``, ``field`` and ``kind`` of the columns of the release. Raises
    GauzeError if this is no table with rows, or a value is none that a row can have.
    """
    if not isinstance(exog, pandas.DataFrame):
        raise GauzeError(
            "bad-request",
            f"predictions need a DataFrame, not {type(exog).__name__}",
            "Give one with a column for each feature.",
        )
    if len(exog) == 0:
        raise GauzeError("bad-request", "the table has no rows", "Give at least one.")
    kinds = {each["field"]: each["kind"] for each in fields()}
    rows: List[Dict[str, Any]] = [{} for _ in range(len(exog))]
    names = [str(name) for name in exog.columns]
    for field, kind in kinds.items():
        places = [at for at, name in enumerate(names) if name == field]
        if len(places) > 1:
            raise GauzeError(
                "bad-column", f"the table has the column {field} twice", "Leave one of them out."
            )
        for at in places:
            plain = _number if kind in _NUMERIC else _text
            for row, value in zip(rows, exog.iloc[:, at].tolist()):
                value = value.item() if hasattr(value, "item") else value
                if not _is_missing(value, pandas):
                    row[field] = plain(field, value)
    return rows


def _is_missing(value: Any, pandas: Any) -> bool:
    if value is None or value is pandas.NA or value is pandas.NaT:
        return True
    return isinstance(value, (float, Decimal)) and math.isnan(value)


def _number(field: str, value: Any) -> Any:
    """A number, true as 1 and false as 0. A text is left to the service, which reads numbers."""
    if isinstance(value, str):
        return value
    try:
        if isinstance(value, (numbers.Real, Decimal)) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass  # more than a double holds
    raise _wrong(field, "a finite number", value)


def _text(field: str, value: Any) -> Any:
    """A text, or what the service reads as one."""
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (float, Decimal)) and math.isfinite(value):
        return float(value)
    raise _wrong(field, "a text", value)


def _wrong(field: str, what: str, value: Any) -> GauzeError:
    return GauzeError(
        "bad-column",
        f"the column {field} must have {what} in each row, and one is a {type(value).__name__}",
        "Correct the column of the table.",
    )


def pieces(rows: Sequence[Dict[str, Any]], question: int) -> List[List[Dict[str, Any]]]:
    """Splits rows into requests that are not too long; the question itself has so many bytes."""
    result: List[List[Dict[str, Any]]] = [[]]
    size = question
    for row in rows:
        length = len(json.dumps(row, default=str)) + 2
        if result[-1] and (size + length > _MOST_BYTES or len(result[-1]) >= _MOST_ROWS):
            result.append([])
            size = question
        result[-1].append(row)
        size += length
    return result
