"""Answers, with the names of statsmodels."""

from __future__ import annotations

import copy
import math
import textwrap
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Union

from ._errors import GauzeError, Message, need
from ._http import read_messages
from ._question import Question, level_of
from ._rows import rows_of

if TYPE_CHECKING:
    import pandas as pd

_WIDTH = 78


class Estimate(float):
    """A number that is estimated from a release, with its standard error.

    ``sampling_error`` and ``privacy_error`` are its two parts. Where noise hides the number it is
    NaN, and ``reason`` says why.
    """

    std_error: float
    sampling_error: float
    privacy_error: float
    reason: str

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "Estimate":
        """Reads one of an answer."""
        estimate = cls(estimate_of(answer.get("estimate")))
        estimate.std_error = estimate_of(answer.get("stdError"))
        estimate.sampling_error = estimate_of(answer.get("samplingError"))
        estimate.privacy_error = estimate_of(answer.get("privacyError"))
        estimate.reason = str(answer.get("reason", ""))
        return estimate

    def __repr__(self) -> str:
        if math.isnan(self):
            return f"nan ({self.reason})" if self.reason else "nan"
        known = not math.isnan(self.std_error)
        return f"{float(self):.6g} ± {self.std_error:.2g}" if known else f"{float(self):.6g}"

    __str__ = __repr__


class Guarantee(NamedTuple):
    """What releases promise. For somebody who is in several streams the costs add up.

    ``epsilon`` and ``delta`` are those of the releases of one stream, and NaN for several streams:
    no promise covers them together. ``streams`` then has the promise of each.
    """

    epsilon: float
    delta: float
    neighbours: str
    unit: str
    private: bool
    sentence: str
    streams: Dict[str, "Guarantee"]

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "Guarantee":
        """Reads the one of an answer."""
        streams = {each["stream"]: cls.of(each) for each in answer.get("streams", [])}
        return cls(
            estimate_of(answer.get("epsilon")),
            estimate_of(answer.get("delta")),
            str(answer.get("neighbours", "")),
            str(answer.get("unit", "")),
            bool(answer["private"]),
            str(answer.get("sentence", "")),
            streams,
        )

    def __str__(self) -> str:
        return self.sentence


# One number a term, by name.
_NUMBERS = (
    "coefficients",
    "standardErrors",
    "samplingErrors",
    "privacyErrors",
    "statistic",
    "pValue",
    "confLow",
    "confHigh",
    "effects",
)


class Fit:
    """The answer to a question. ``answer`` is the JSON of the service, with all of its fields.

    Numbers are NaN where they are withheld, because the release supports no honest one. All further
    questions, such as predictions, are about the releases that answered the first one.
    """

    def __init__(self, question: Question, alpha: float) -> None:
        self.answer = question.fit(alpha)
        self.alpha = alpha
        self._levels = {alpha: self.answer}
        self._asked_loss = question.body.get("loss")
        with question.client.reading():  # all that is read of it later
            _check(self.answer)
            _text(self)
            self._question = question.of(self.releases)

    def __getstate__(self) -> Dict[str, Any]:
        """Of a copy, which holds no token."""
        return {**self.__dict__, "_question": copy.copy(self._question)}

    # -- numbers of each term

    @property
    def terms(self) -> List[str]:
        """The names of the terms, the intercept first."""
        return list(self.answer["coefficients"])

    @property
    def params(self) -> "pd.Series":
        """The coefficients."""
        return self._series("coefficients", "coef")

    @property
    def bse(self) -> "pd.Series":
        """Their standard errors, of sampling and privacy together."""
        return self._series("standardErrors", "std err")

    @property
    def sampling_errors(self) -> "pd.Series":
        """The part of the standard errors that more rows make smaller."""
        return self._series("samplingErrors", "sampling")

    @property
    def privacy_errors(self) -> "pd.Series":
        """The part of the standard errors that comes from the noise of the release."""
        return self._series("privacyErrors", "privacy")

    @property
    def tvalues(self) -> "pd.Series":
        """The test statistics; their law is normal."""
        return self._series("statistic", "z")

    @property
    def pvalues(self) -> "pd.Series":
        """Their two-sided p-values."""
        return self._series("pValue", "P>|z|")

    @property
    def effects(self) -> "pd.Series":
        """Coefficients times the public ranges of their columns, in the unit of the response."""
        return self._series("effects", "effect")

    def conf_int(self, alpha: Optional[float] = None) -> "pd.DataFrame":
        """The intervals of probability ``1 - alpha``; asks the service if it is another alpha."""
        answer = self._at(self.alpha if alpha is None else alpha)
        pandas = need("pandas", "conf_int()")
        ends = {0: _column(answer, "confLow"), 1: _column(answer, "confHigh")}
        return pandas.DataFrame(ends, index=self.terms, dtype=float)

    def _at(self, alpha: float) -> Dict[str, Any]:
        if alpha not in self._levels:
            answer = self._question.fit(alpha)
            with self._question.client.reading():
                _check(answer)
            self._levels[alpha] = answer
        return self._levels[alpha]

    def _series(self, field: str, name: str) -> "pd.Series":
        numbers = _column(self.answer, field)
        return need("pandas", name).Series(numbers, name=name, dtype=float)

    # -- the whole fit

    @property
    def response(self) -> str:
        """The name of the column that is explained."""
        return str(self.answer["response"])

    @property
    def loss(self) -> str:
        """The name of the loss; the service answers ``ols`` as a ridge of weight 0."""
        return "ols" if self._asked_loss == "ols" else str(self.answer["loss"])

    @property
    def lam(self) -> float:
        """The weight of the penalty that was used, in the encoded scale."""
        return estimate_of(self.answer["lambda"])

    @property
    def releases(self) -> List[str]:
        """The ids of the releases that were fitted."""
        return list(self.answer["releases"])

    @property
    def nobs(self) -> Estimate:
        """The number of rows, which is private, so an estimate."""
        return self._estimate("rows")

    @property
    def rsquared(self) -> Estimate:
        """The share of the variance of the response that is explained."""
        return self._estimate("rSquared")

    @property
    def residual_scale(self) -> Estimate:
        """The standard deviation of the residuals."""
        return self._estimate("residualScale")

    def _estimate(self, field: str) -> Estimate:
        return Estimate.of(self.answer.get("summary", {}).get(field, {}))

    @property
    def guarantee(self) -> Guarantee:
        """What the releases promise."""
        return Guarantee.of(self.answer["guarantee"])

    @property
    def epsilon(self) -> Union[float, Dict[str, float]]:
        """The epsilon of the releases; of several streams that of each, since they have none in
        common.
        """
        kept = self.guarantee
        if kept.streams:
            return {stream: each.epsilon for stream, each in kept.streams.items()}
        return kept.epsilon

    @property
    def predicted_excess(self) -> float:
        """By which share predictions are expected to be worse than without privacy."""
        return estimate_of(self.answer["predictedExcess"])

    @property
    def verdict(self) -> str:
        """The word for the predicted excess, such as good."""
        return str(self.answer["verdict"])

    @property
    def messages(self) -> List[Message]:
        """What to know before the fit is used, the most severe first."""
        return read_messages(self.answer)

    # -- several streams

    def by_stream(self) -> "pd.DataFrame":
        """The fit of each stream alone: a line a term, a column a stream, then Cochran's Q.

        Raises GauzeError if the releases are of one stream.
        """
        pandas = need("pandas", "by_stream()")
        streams = self._streams()
        columns: Dict[Any, Dict[str, float]] = {}
        with self._question.client.reading():
            for each in streams:
                columns[(each["stream"], "coef")] = _column(each, "coefficients")
                columns[(each["stream"], "std err")] = _column(each, "standardErrors")
            tests = self.answer["heterogeneity"]
            for name, field in (("Q", "q"), ("df", "degrees"), ("p", "pValue")):
                values = {term: estimate_of(tests[term].get(field)) for term in self.terms}
                columns[("heterogeneity", name)] = values
        return pandas.DataFrame(columns, index=self.terms, dtype=float)

    def _streams(self) -> List[Dict[str, Any]]:
        if "streams" not in self.answer:
            raise GauzeError(
                "refused", "the releases are of one stream", "Name releases of several streams."
            )
        return list(self.answer["streams"])

    # -- predictions

    def get_prediction(self, exog: "pd.DataFrame") -> "Prediction":
        """Predicts the rows of a table with the fields of the features.

        Other columns of the table are ignored, and not sent. None, NaN, NA and NaT are missing
        values. Raises GauzeError if a column is there twice, or has values that no row can have.
        """
        return Prediction(self._question, exog, self.alpha)

    def predict(self, exog: "pd.DataFrame") -> "pd.Series":
        """The predicted means of the rows of a table with the fields of the features."""
        return self.get_prediction(exog).predicted_mean

    # -- for people

    def summary(self) -> "Summary":
        """A table of the fit, with what it promises and what to know before it is used."""
        return Summary(_text(self))

    def __repr__(self) -> str:
        return f"<gauze.Fit of {self.response}, {self.loss}: {self.verdict}>"

    def svg(self) -> str:
        """The plot of the effects as the service draws it, as SVG."""
        query = {"level": level_of(self.alpha)}
        asked = self._question
        picture = asked.client.posted("/v1/fit", query, asked.body, "image/svg+xml")
        with asked.client.reading():
            return picture.decode("utf-8")

    def plot(self, ax: Any = None) -> Any:
        """Draws the effects with their intervals; returns the axes of matplotlib."""
        from ._plot import effects

        return effects(self, ax)


class Prediction:
    """Predictions of rows."""

    def __init__(self, question: Question, exog: "pd.DataFrame", alpha: float) -> None:
        self._question = question
        self._rows = rows_of(exog, question.fields, need("pandas", "a prediction"))
        self._index = exog.index
        self._alpha = alpha
        self._answers: Dict[Any, List[Dict[str, Any]]] = {}

    def __getstate__(self) -> Dict[str, Any]:
        """Of a copy, which holds no token."""
        return {**self.__dict__, "_question": copy.copy(self._question)}

    @property
    def predicted_mean(self) -> "pd.Series":
        """The predicted means."""
        return self.summary_frame()["mean"]

    @property
    def clamped(self) -> "pd.Series":
        """The columns of each row whose value was moved to the end of its range."""
        rows = self._rows_of(self._alpha, "confidence")
        with self._question.client.reading():
            names = [list(each["clamped"]) for each in rows]
        return need("pandas", "a prediction").Series(names, index=self._index)

    def summary_frame(self, alpha: Optional[float] = None) -> "pd.DataFrame":
        """The means with their errors and intervals, and the intervals of single responses.

        The latter are of fits of squares alone, and NaN for others.
        """
        level = self._alpha if alpha is None else alpha
        means = self._rows_of(level, "confidence")
        single = self._rows_of(level, "prediction")
        with self._question.client.reading():
            columns = {
                "mean": [estimate_of(each["fit"]) for each in means],
                "mean_se": [estimate_of(each["stdError"]) for each in means],
                "mean_ci_lower": [estimate_of(each["lower"]) for each in means],
                "mean_ci_upper": [estimate_of(each["upper"]) for each in means],
                "obs_ci_lower": [estimate_of(each["lower"]) for each in single],
                "obs_ci_upper": [estimate_of(each["upper"]) for each in single],
            }
        return need("pandas", "a prediction").DataFrame(columns, index=self._index, dtype=float)

    def _rows_of(self, alpha: float, interval: str) -> List[Dict[str, Any]]:
        key = (alpha, interval)
        if key not in self._answers:
            query = {"level": level_of(alpha), "interval": interval}
            self._answers[key] = self._question.predictions(self._rows, query)
        return self._answers[key]


class Summary:
    """A text for people."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def as_text(self) -> str:
        """The text."""
        return self._text


def estimate_of(value: Any) -> float:
    """A number of an answer: NaN if it is withheld. One that is not finite is a text."""
    return float("nan") if value is None else float(value)


def _column(answer: Mapping[str, Any], field: str) -> Dict[str, float]:
    return {term: estimate_of(value) for term, value in answer[field].items()}


def _check(answer: Mapping[str, Any]) -> None:
    """Reads all numbers, so that one that is none is noticed before it is used."""
    terms = set(answer["coefficients"])
    for field in _NUMBERS:
        missing = terms - set(_column(answer, field))
        if missing and (field != "effects" or missing != {"(intercept)"}):
            raise ValueError("there is not one number for each term")


def _text(fit: Fit) -> str:
    level = 1.0 - fit.alpha
    answer = fit.answer
    ends = [f"[{(1 - level) / 2:.3g}", f"{(1 + level) / 2:.3g}]"]
    heads = ["", "coef", "std err", "z", "P>|z|"] + ends
    fields = ["coefficients", "standardErrors", "statistic", "pValue", "confLow", "confHigh"]
    table = [heads]
    for term in fit.terms:
        table.append([term] + [_shown(estimate_of(answer[field][term])) for field in fields])
    widths = [max(len(line[k]) for line in table) for k in range(len(heads))]
    lines = [
        f"{fit.response} by {fit.loss}" + ("" if fit.lam == 0 else f", lambda {fit.lam:.4g}"),
        f"rows            {fit.nobs}",
        f"R-squared       {fit.rsquared}",
        f"residual scale  {fit.residual_scale}",
        f"predicted excess {100 * fit.predicted_excess:.3g} %: {fit.verdict}",
        "",
    ]
    for line in table:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        lines.append("  ".join(cells).rstrip())
    lines.append("")
    lines.extend(str(message) for message in fit.messages)
    lines.extend(_wrapped(answer["guarantee"].get("summary") or str(fit.guarantee)))
    return "\n".join(lines)


def _shown(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4g}"


def _wrapped(text: str) -> List[str]:
    return textwrap.wrap(text, _WIDTH)
