"""A service, and the questions that it answers."""

from __future__ import annotations

import copy
import datetime
import os
import ssl
import warnings
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Type, Union
from urllib.parse import quote

from . import _local
from ._errors import GauzeError, need
from ._formula import parse
from ._http import Client
from ._question import Question, level_of, listed
from ._release import Release, from_bytes
from ._results import Fit, estimate_of

if TYPE_CHECKING:
    import pandas as pd

Releases = Union[str, Sequence[str], None]
Time = Union[str, datetime.date, None]  # a datetime and a Timestamp of pandas are dates, too

_PAGE = 1000  # releases of one answer


def connect(
    url: str,
    token: Optional[str] = None,
    timeout: float = 60.0,
    context: Optional[ssl.SSLContext] = None,
) -> "Site":
    """Connects to a running service, and asks it for its version.

    ``url`` may be that of the console, or end with ``/v1``. ``token`` is what ``gauze serve --token``
    names: ASCII without blanks, where one newline at the end is cut off. ``timeout`` is the seconds
    that a whole answer may take, at most 86400, and ``context`` the certificates that are trusted
    for HTTPS. Copies of the site and of its fits hold neither token nor context; they ask no more,
    and say so. Raises GauzeError if nothing answers, or if it is no service of Gauze or too old.
    """
    return Site(Client(url, token, timeout, context))


def local(
    folder: Union[str, "os.PathLike[str]"],
    command: _local.Command = None,
    timeout: float = 60.0,
    patience: Optional[float] = None,
) -> "Site":
    """Starts a service over a folder of releases, which ends with this process.

    Needs Java and the command ``gauze``: ``command``, that of the environment variable
    ``GAUZE_COMMAND``, that of the clone in which this package lies, or that on ``PATH``. ``patience``
    is how many seconds the start may take (600 by default, since the first one in a clone builds
    the program). Raises GauzeError if it does not start.

    Use it in a ``with`` statement, or call ``close()``.
    """
    child = _local.start(folder, command, patience)
    try:
        return Site(Client(child.url, timeout=timeout), child)
    except BaseException:
        child.close()
        raise


class Site:
    """A service of releases. Made by ``connect`` and ``local``.

    The fits take formulas: ``"kwh ~ temperature + weekend"``, or ``"kwh ~ ."`` for all columns.
    ``releases`` says which releases: an id, a range of ids (``"a/all/1/s..a/all/9/s"``), or a list
    of ids and ranges, of epochs, groups and streams, which are added up. Without it the service
    takes the latest epoch. ``lam`` is the weight of the penalty in the encoded scale; without it
    the service chooses it from the noise. All of them raise GauzeError if there is no answer.
    """

    def __init__(self, client: Client, child: Optional[_local.Child] = None) -> None:
        self._client = client
        self._child = child
        self.version = str(client.check()["version"])

    def __getstate__(self) -> Dict[str, Any]:
        """Of a copy, which holds no token and does not end the service."""
        return {**self.__dict__, "_child": None, "_client": copy.copy(self._client)}

    @property
    def url(self) -> str:
        """The address of the service; in a browser it is a console."""
        return self._client.url

    def close(self) -> None:
        """Ends a service that ``local`` has started. A service of ``connect`` goes on."""
        if self._child is not None:
            self._child.close()

    def __enter__(self) -> "Site":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<gauze.Site {self.url}, version {self.version}>"

    def releases(
        self,
        stream: Optional[str] = None,
        group: Optional[str] = None,
        sketch: Optional[str] = None,
        first: Time = None,
        last: Time = None,
    ) -> "pd.DataFrame":
        """Lists releases, those of the epochs from ``first`` to ``last``, both included.

        These are times as ISO 8601 writes them, or of datetime or pandas; one without an offset is
        UTC. Warns of files and records that the service cannot read.
        """
        pandas = need("pandas", "a list of releases")
        query: Dict[str, Any] = {
            "stream": stream,
            "group": group,
            "sketch": sketch,
            "from": _time("first", first),
            "to": _time("last", last),
            "limit": _PAGE,
        }
        found: List[Dict[str, Any]] = []
        while True:
            page = self._client.get("/v1/releases", query)
            with self._client.reading():
                found.extend(dict(each) for each in page["releases"])
                damaged = [str(each["reason"]) for each in page["damaged"]]
                next_page = page.get("next")
                if next_page is not None and next_page == query.get("after"):
                    raise ValueError("the list has no end")
            query["after"] = next_page
            if next_page is None:
                break
        for reason in damaged:
            warnings.warn(f"a release cannot be read: {reason}", stacklevel=2)
        columns = ["id", "stream", "group", "epoch", "sketch", "mechanism", "epsilon", "delta"]
        columns += ["neighbours", "private", "contents", "numbers", "bytes", "sha256"]
        return pandas.DataFrame(found, columns=columns)

    def read(self, id: str) -> Release:
        """Downloads a release."""
        try:
            path = "/v1/releases/" + quote(id)
        except (TypeError, UnicodeError):
            raise GauzeError(
                "bad-request", f"{id!r} is no id of a release", "Give stream/group/epoch/sketch."
            ) from None
        return from_bytes(self._client.body(path, {"format": "avro"}, "application/avro"))

    def fit(
        self,
        formula: str,
        loss: str = "auto",
        releases: Releases = None,
        lam: Optional[float] = None,
        alpha: float = 0.05,
        **options: Any,
    ) -> Fit:
        """Fits with any loss of docs/reference/requests.md.

        ``alpha`` is one less the probability of the intervals. ``options`` are further fields of a
        request, such as ``freeIntercept=True`` or ``scale="encoded"``.
        """
        asked = parse(formula)
        body: Dict[str, Any] = {"response": asked.response, "loss": loss, "deadline": "PT0S"}
        if asked.features is not None:
            body["features"] = asked.features or ["(intercept)"]
        if lam is not None:
            body["lambda"] = lam
        body.update(_named(releases))
        body.update(options)
        return Fit(Question(self._client, formula, body), alpha)

    def ols(
        self, formula: str, releases: Releases = None, alpha: float = 0.05, **options: Any
    ) -> Fit:
        """Fits least squares without a penalty."""
        return self.fit(formula, "ols", releases, None, alpha, **options)

    def ridge(
        self,
        formula: str,
        releases: Releases = None,
        lam: Optional[float] = None,
        alpha: float = 0.05,
        **options: Any,
    ) -> Fit:
        """Fits least squares with a ridge."""
        return self.fit(formula, "ridge", releases, lam, alpha, **options)

    def lasso(
        self,
        formula: str,
        releases: Releases = None,
        lam: Optional[float] = None,
        alpha: float = 0.05,
        **options: Any,
    ) -> Fit:
        """Fits least squares with an l1 penalty."""
        return self.fit(formula, "lasso", releases, lam, alpha, **options)

    def lad(
        self,
        formula: str,
        releases: Releases = None,
        lam: Optional[float] = None,
        alpha: float = 0.05,
        **options: Any,
    ) -> Fit:
        """Fits least absolute deviations, the median."""
        return self.fit(formula, "lad", releases, lam, alpha, **options)

    def huber(
        self,
        formula: str,
        threshold: float,
        releases: Releases = None,
        lam: Optional[float] = None,
        alpha: float = 0.05,
        **options: Any,
    ) -> Fit:
        """Fits Huber's loss, which is linear beyond ``threshold`` in the encoded scale."""
        return self.fit(
            formula, "huber", releases, lam, alpha, huberThreshold=threshold, **options
        )

    def quantile(
        self,
        formula: str,
        q: float = 0.5,
        releases: Releases = None,
        lam: Optional[float] = None,
        alpha: float = 0.05,
        **options: Any,
    ) -> Fit:
        """Fits the quantile ``q`` in (0, 1)."""
        return self.fit(formula, "quantile", releases, lam, alpha, quantile=q, **options)

    def series(
        self,
        formula: str,
        sketch: str,
        stream: Optional[str] = None,
        group: Optional[str] = None,
        window: int = 1,
        first: Time = None,
        last: Time = None,
        loss: str = "auto",
        alpha: float = 0.05,
    ) -> "pd.DataFrame":
        """Fits each epoch of a sketch, added up with the ``window - 1`` epochs before it.

        ``first`` and ``last`` are times, as for ``releases``. Returns a line for each epoch and
        term. An epoch that cannot be fitted has one line, with the reason in ``comment``; of the
        others it says how good the fit is. Raises GauzeError if no epoch has the columns.
        """
        pandas = need("pandas", "a series")
        asked = parse(formula)
        query: Dict[str, Any] = {
            "response": asked.response,
            "loss": loss,
            "sketch": sketch,
            "stream": stream,
            "group": group,
            "window": window,
            "from": _time("first", first),
            "to": _time("last", last),
            "level": level_of(alpha),
        }
        if asked.features is not None:
            query["features"] = ",".join(map(listed, asked.features or ["(intercept)"]))
        answer = self._client.get("/v1/series", query)
        with self._client.reading():
            wrong = _wrong_everywhere(answer["epochs"])
            lines = [line for epoch in answer["epochs"] for line in _lines(epoch)]
        if wrong is not None:
            raise wrong
        columns = ["epoch", "term", "estimate", *_SERIES, "comment"]
        return pandas.DataFrame(lines, columns=columns)


_SERIES = {"std_error": "standardErrors", "conf_low": "confLow", "conf_high": "confHigh"}


def _lines(epoch: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The lines of an epoch: one a term, or one with what is wrong."""
    if "error" in epoch:
        return [{"epoch": str(epoch["epoch"]), "comment": str(epoch["error"]["message"])}]
    lines = []
    for term, estimate in epoch["coefficients"].items():
        line = {"epoch": str(epoch["epoch"]), "term": term, "estimate": estimate_of(estimate)}
        for column, field in _SERIES.items():
            line[column] = estimate_of(epoch[field][term])
        line["comment"] = str(epoch["verdict"])
        lines.append(line)
    return lines


def _wrong_everywhere(epochs: List[Dict[str, Any]]) -> Optional[GauzeError]:
    """The error of a question that names no column of any epoch."""
    errors = [epoch["error"] for epoch in epochs if "error" in epoch]
    if len(errors) < len(epochs) or any(each["code"] != "bad-column" for each in errors):
        return None
    message = str(errors[0]["message"]) if errors else ""
    return GauzeError("bad-column", message, "Name a column of the releases.") if errors else None


def _time(name: str, value: Any) -> Optional[str]:
    """A time in UTC as the service reads it. One without an offset is UTC."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            text = value.strip()
            value = datetime.datetime.fromisoformat(
                text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text
            )
        elif type(value).__name__ == "datetime64":  # of NumPy, always UTC
            value = value.astype("datetime64[us]").item()
        elif hasattr(value, "to_pydatetime"):  # of pandas
            value = value.to_pydatetime(warn=False)
        elif isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
            value = datetime.datetime(value.year, value.month, value.day)
        if isinstance(value, datetime.datetime) and value == value:
            utc = datetime.timezone.utc
            aware = value if value.tzinfo is not None else value.replace(tzinfo=utc)
            return aware.astimezone(utc).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, AttributeError, TypeError):
        pass  # the message below says it
    raise GauzeError(
        "bad-request",
        f"{name} must be a time, and is {value!r}",
        "Give one such as 2026-01-01T00:00:00Z.",
    )


def _named(releases: Any) -> Dict[str, str]:
    """The fields of a request that say which releases."""
    if releases is None:
        return {}
    if isinstance(releases, str):
        parts = releases.split("/")
        if len(parts) == 4:  # an id; dots may be part of a name
            return {"release": releases}
        is_range = len(parts) == 7 and ".." in parts[3]
        return {"releases": listed(releases) if is_range else releases}  # or a list of the service
    try:
        names = list(releases)
    except TypeError:
        names = [releases]
    if not names or not all(isinstance(name, str) for name in names):
        what = "names no release" if not names else f"must be texts, and is {releases!r}"
        raise GauzeError(
            "bad-request", f"releases {what}", "Give an id, FIRST..LAST, or a list of them."
        )
    if len(names) == 1:
        return _named(names[0])
    return {"releases": ",".join(map(listed, names))}
