"""A question to a service, which is asked again for other intervals and for predictions."""

from __future__ import annotations

import copy
import json
from typing import Any, Dict, List, Mapping, Optional, Sequence
from urllib.parse import quote

from ._errors import GauzeError
from ._http import Client, number
from ._rows import pieces

_MOST_BYTES = 30_000  # of the ids that a question names; a body has at most 64 KiB


class Question:
    """A question that is asked again for other intervals and for predictions.

    ``releases`` are those that answered it; all further answers are of them.
    """

    def __init__(
        self, client: Client, formula: str, body: Dict[str, Any], releases: Sequence[str] = ()
    ) -> None:
        self.client = client
        self.formula = formula
        self.body = body
        self.releases = list(releases)
        self._fields: Optional[List[Dict[str, Any]]] = None

    def __getstate__(self) -> Dict[str, Any]:
        """Of a copy, which holds no token."""
        return {**self.__dict__, "client": copy.copy(self.client)}

    def fit(self, alpha: float) -> Dict[str, Any]:
        """Asks for the fit."""
        return self._asked("/v1/fit", {"level": level_of(alpha)}, self.body)

    def predictions(
        self, rows: Sequence[Dict[str, Any]], query: Mapping[str, Any]
    ) -> List[Dict[str, Any]]:
        """Asks for the predictions of rows, in requests that are not too long."""
        found: List[Dict[str, Any]] = []
        for piece in pieces(rows, len(json.dumps(self.body, default=str))):
            answer = self._asked("/v1/predict", query, {**self.body, "rows": piece})
            with self.client.reading():
                each = [dict(one) for one in answer["predictions"]]
                if len(each) != len(piece):
                    raise ValueError("there is not one prediction for each row")
            found.extend(each)
        return found

    def fields(self) -> List[Dict[str, Any]]:
        """The columns of the release that the question needs, each with its field and its kind."""
        if self._fields is None:
            header = self.client.get(f"/v1/releases/{quote(self.releases[0])}/header")
            with self.client.reading():
                response, features = self.body["response"], self.body.get("features")
                self._fields = [
                    {"name": str(each["name"]), "field": str(each["source"]), "kind": each["kind"]}
                    for each in header["columns"]
                    if (
                        each["name"] != response
                        if features is None
                        else each["name"] in features or each["column"] in features
                    )
                ]
        return self._fields

    def _asked(
        self, path: str, query: Mapping[str, Any], body: Mapping[str, Any]
    ) -> Dict[str, Any]:
        answer = self.client.post(path, query, body)
        with self.client.reading():
            releases = [str(each) for each in answer["releases"]]
        if self.releases and releases != self.releases:
            raise GauzeError(
                "refused",
                "there are other releases now than those that were fitted",
                "Fit again.",
            )
        return dict(answer)

    def of(self, releases: List[str]) -> "Question":
        """The same question with the releases named that answered it, which never change."""
        named = ",".join(map(listed, releases))
        pinned = dict(self.body)
        if len(named.encode("utf-8")) <= _MOST_BYTES:  # else each answer is compared with them
            pinned.pop("releases", None)
            pinned.pop("release", None)
            pinned["release" if len(releases) == 1 else "releases"] = (
                releases[0] if len(releases) == 1 else named
            )
        return Question(self.client, self.formula, pinned, releases)


def listed(name: str) -> str:
    """A name in a list with commas, in quotes if it needs them, as in CSV."""
    if "," in name or '"' in name or name != name.strip():
        return '"' + name.replace('"', '""') + '"'
    return name


def level_of(alpha: Any) -> float:
    """The probability of intervals. Raises GauzeError if alpha is no number in (0, 1)."""
    level = 1.0 - number(alpha)
    if not 0 < level < 1:
        raise GauzeError(
            "bad-request", f"alpha must be in (0, 1), and is {alpha!r}", "Give one such as 0.05."
        )
    return level
