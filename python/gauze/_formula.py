"""Formulas: ``response ~ feature + feature``."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Optional

from ._errors import GauzeError

_NAME = r"`(?P<quoted>[^`]+)`|(?P<plain>[^\W\d][\w.]*(?:=[\w.]+)?)"
_TOKEN = re.compile(rf"\s*(?:{_NAME}|(?P<number>\d+)|(?P<sign>[+~.]))")

_NO_TERMS = (
    "A release has sums of its columns alone. Make a column of it in the rows, before Gauze reads"
    " them, and name it in the stream's config."
)


class Formula(NamedTuple):
    """What is explained by what.

    ``features`` is None if all other columns explain the response, and empty if only the intercept
    does.
    """

    response: str
    features: Optional[List[str]]


def parse(text: str) -> Formula:
    """Reads a formula.

    A name that has other characters than letters, digits, dots and underscores stands in
    backquotes. ``.`` alone means all other columns, and ``1`` alone the intercept, which is always
    there. Raises GauzeError for all else.
    """
    if not isinstance(text, str):
        raise _wrong(repr(text), "it is no text", 'Write it as "kwh ~ temperature + weekend".')
    tokens = _tokens(text)
    if "~" not in tokens:
        if len(tokens) == 1 and _is_name(tokens[0]):
            return Formula(tokens[0][1:], None)
        raise _wrong(text, "it has no ~", 'Write it as "kwh ~ temperature + weekend".')
    at = tokens.index("~")
    if at != 1 or not _is_name(tokens[0]):
        raise _wrong(text, "one column must stand before ~", "Name the column to explain.")
    return Formula(tokens[0][1:], _features(text, tokens[at + 1 :]))


def _is_name(token: str) -> bool:
    return token.startswith("=")


def _features(text: str, tokens: List[str]) -> Optional[List[str]]:
    terms, signs = tokens[0::2], tokens[1::2]
    if len(tokens) % 2 == 0 or any(sign != "+" for sign in signs):
        raise _wrong(text, "its columns must be joined by +", 'Write "y ~ a + b".')
    if terms == ["."]:
        return None
    features = []
    for term in terms:
        if term == "0":
            raise _wrong(text, "the intercept cannot be left out", "Leave 0 out.")
        if term != "1" and not _is_name(term):
            raise _wrong(text, f"{term} is no column", 'Use "y ~ ." alone for all other columns.')
        if _is_name(term):
            features.append(term[1:])
    return features


def _tokens(text: str) -> List[str]:
    """Splits a formula into names, which begin with an equals sign here, numbers and signs."""
    tokens = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _refused(text, at)
        name = found.group("quoted") or found.group("plain")
        tokens.append("=" + name if name else found.group("number") or found.group("sign"))
        at = found.end()
    return tokens


def _refused(text: str, at: int) -> GauzeError:
    sign = text[at:].lstrip()[0]
    if sign == "(":
        return _wrong(text, "it has a function or brackets, which no release can answer", _NO_TERMS)
    if sign in ":*^%|/":
        return _wrong(text, f"it has an interaction ({sign}), which no release can answer", _NO_TERMS)
    if sign == "-":
        return _wrong(
            text,
            "a minus takes no column away, and the intercept is always there",
            "Name the columns that you want; a name with a hyphen stands in backquotes.",
        )
    if sign == "`":
        return _wrong(text, "a backquote is not closed", "Close it.")
    return _wrong(
        text, f"it has the character {sign}", "Write names with other characters in backquotes."
    )


def _wrong(text: str, what: str, action: str) -> GauzeError:
    shown = text if len(text) <= 100 else text[:100] + "..."
    return GauzeError("bad-formula", f"the formula {shown!r} cannot be read: {what}", action)
