"""A service, and the questions that it answers."""

from __future__ import annotations

import ssl
import warnings
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Type, Union
from urllib.parse import quote

from . import _local
from ._errors import GauzeError, need
from ._formula import parse
from ._http import Client
from ._release import Release, from_bytes
from ._results import Fit, Question

if TYPE_CHECKING:
    import pandas as pd

Releases = Union[str, Sequence[str], None]

_PAGE = 1000  # releases of one answer


def connect(
    url: str,
    token: Optional[str] = None,
    timeout: float = 60.0,
    context: Optional[ssl.SSLContext] = None,
) -> "Site":
    """Connects to a running service, and asks it for its version.

    ``token`` is what ``gauze serve --token`` names, ``timeout`` the seconds that an answer may take,
    and ``context`` the certificates that are trusted for HTTPS. Raises GauzeError if nothing
    answers, or if it is no service of Gauze or too old.
    """
    return Site(Client(url, token, timeout, context))


def local(
    folder: str,
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
        first: Optional[str] = None,
        last: Optional[str] = None,
    ) -> "pd.DataFrame":
        """Lists releases, those of the epochs from ``first`` to ``last``.

        Warns of files and records that the service cannot read.
        """
        pandas = need("pandas", "a list of releases")
        query: Dict[str, Any] = {
            "stream": stream,
            "group": group,
            "sketch": sketch,
            "from": first,
            "to": last,
            "limit": _PAGE,
        }
        found: List[Dict[str, Any]] = []
        while True:
            page = self._client.get("/v1/releases", query)
            found.extend(page["releases"])
            query["after"] = page.get("next")
            if query["after"] is None:
                break
        for each in page["damaged"]:
            warnings.warn(f"a release cannot be read: {each['reason']}", stacklevel=2)
        columns = ["id", "stream", "group", "epoch", "sketch", "mechanism", "epsilon", "delta"]
        columns += ["neighbours", "private", "contents", "numbers", "bytes", "sha256"]
        return pandas.DataFrame(found, columns=columns)

    def read(self, id: str) -> Release:
        """Downloads a release."""
        path = "/v1/releases/" + quote(id)
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
        first: Optional[str] = None,
        last: Optional[str] = None,
        loss: str = "auto",
        alpha: float = 0.05,
    ) -> "pd.DataFrame":
        """Fits each epoch of a sketch, added up with the ``window - 1`` epochs before it.

        Returns a line for each epoch and term. An epoch that cannot be fitted has one line, with
        the reason in ``comment``; of the others it says how good the fit is.
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
            "from": first,
            "to": last,
            "level": 1.0 - alpha,
        }
        if asked.features is not None:
            query["features"] = ",".join(map(_listed, asked.features or ["(intercept)"]))
        lines = []
        for epoch in self._client.get("/v1/series", query)["epochs"]:
            if "error" in epoch:
                lines.append({"epoch": epoch["epoch"], "comment": epoch["error"]["message"]})
            for term, estimate in epoch.get("coefficients", {}).items():
                line = {"epoch": epoch["epoch"], "term": term, "estimate": float(estimate)}
                for column, field in _SERIES.items():
                    line[column] = _number(epoch[field][term])
                line["comment"] = epoch["verdict"]
                lines.append(line)
        columns = ["epoch", "term", "estimate", *_SERIES, "comment"]
        return pandas.DataFrame(lines, columns=columns)


_SERIES = {"std_error": "standardErrors", "conf_low": "confLow", "conf_high": "confHigh"}


def _number(value: Any) -> float:
    """A number of an answer: NaN if it is withheld. One that is not finite is a text."""
    return float("nan") if value is None else float(value)


def _named(releases: Releases) -> Dict[str, str]:
    """The fields of a request that say which releases."""
    if releases is None:
        return {}
    if isinstance(releases, str):
        is_id = releases.count("/") == 3  # dots may be part of a name, and a range has two ids
        return {"release": releases} if is_id else {"releases": _listed(releases)}
    names = list(releases)
    if not names:
        raise GauzeError("bad-request", "releases names no release", "Name one, or leave it out.")
    if len(names) == 1:
        return _named(names[0])
    return {"releases": ",".join(map(_listed, names))}


def _listed(name: str) -> str:
    """A name in a list with commas, in quotes if it needs them, as in CSV."""
    if "," in name or '"' in name or name != name.strip():
        return '"' + name.replace('"', '""') + '"'
    return name
