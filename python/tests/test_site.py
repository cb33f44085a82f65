"""Answers of a real service: those of the command line, with the names of statsmodels."""

from __future__ import annotations

import copy
import datetime
import math
import pathlib
import pickle
import time
import warnings
from decimal import Decimal
from typing import Any, Dict, List

import numpy as np
import pandas as pd
import pytest

import gauze
import records
from conftest import FORMULA, GAUZE, fitted, ids


@pytest.fixture(scope="module")
def fit(site: gauze.Site) -> gauze.Fit:
    return site.ridge(FORMULA, releases=ids("north"))


@pytest.mark.parametrize(
    "streams, options, loss, lam, alpha",
    [
        (["north"], ["--loss", "ridge", "--level", "0.95"], "ridge", None, 0.05),
        (["south"], ["--loss", "ols", "--level", "0.9"], "ols", None, 0.1),
        (["north"], ["--loss", "lasso", "--lambda", "40", "--level", "0.99"], "lasso", 40.0, 0.01),
        (["north", "south", "east"], ["--loss", "ridge", "--level", "0.95"], "ridge", None, 0.05),
    ],
)
def test_numbers_are_those_of_the_command_line(
    site: gauze.Site,
    made: pathlib.Path,
    streams: List[str],
    options: List[str],
    loss: str,
    lam: Any,
    alpha: float,
) -> None:
    asked = site.fit(FORMULA, loss, releases=ids(*streams), lam=lam, alpha=alpha)
    answer = dict(asked.answer)
    assert answer.pop("releases") == ids(*streams)
    assert answer == fitted(made, streams, *options)


def test_names_are_those_of_statsmodels(fit: gauze.Fit) -> None:
    answer = fit.answer
    terms = ["(intercept)", "temperature", "weekend", "tariff=night", "tariff=solar"]
    for series, field in (
        (fit.params, "coefficients"),
        (fit.bse, "standardErrors"),
        (fit.tvalues, "statistic"),
        (fit.pvalues, "pValue"),
        (fit.sampling_errors, "samplingErrors"),
        (fit.privacy_errors, "privacyErrors"),
    ):
        assert list(series.index) == terms
        assert series.to_dict() == answer[field]
    assert fit.conf_int()[0].to_dict() == answer["confLow"]
    assert fit.conf_int()[1].to_dict() == answer["confHigh"]
    assert fit.effects["temperature"] == answer["effects"]["temperature"]
    wider = fit.conf_int(alpha=0.001)
    assert (wider[0] < fit.conf_int()[0]).all() and (wider[1] > fit.conf_int()[1]).all()
    assert fit.response == "kwh" and fit.loss == "ridge" and fit.lam == answer["lambda"]
    assert fit.releases == ids("north")
    assert fit.verdict == answer["verdict"]
    assert fit.predicted_excess == answer["predictedExcess"]


def test_estimates_have_their_errors(fit: gauze.Fit) -> None:
    summary = fit.answer["summary"]
    for estimate, field in (
        (fit.nobs, "rows"),
        (fit.rsquared, "rSquared"),
        (fit.residual_scale, "residualScale"),
    ):
        assert estimate == summary[field]["estimate"]
        assert estimate.std_error == summary[field]["stdError"]
        parts = math.hypot(estimate.sampling_error, estimate.privacy_error)
        assert parts == pytest.approx(estimate.std_error)
        assert "±" in str(estimate)
    assert fit.nobs == pytest.approx(8000, abs=300)
    assert 0.3 < fit.rsquared < 0.9
    hidden = gauze.Estimate.of({"estimate": None, "reason": "too noisy"})
    assert math.isnan(hidden) and str(hidden) == "nan (too noisy)"


def test_the_promise_is_told(site: gauze.Site, fit: gauze.Fit) -> None:
    assert fit.epsilon == 8.0
    assert fit.guarantee.delta == 1e-6
    assert fit.guarantee.private
    assert str(fit.guarantee).startswith("Differentially private with epsilon 8.0")
    three = site.ridge(FORMULA, releases=ids("north", "south", "east"))
    assert three.epsilon == {"north": 8.0, "south": 9.0, "east": 10.0}
    assert math.isnan(three.guarantee.epsilon)
    assert three.guarantee.streams["south"].epsilon == 9.0
    assert "several" not in str(fit.guarantee)
    assert "Releases do not show whether somebody is in several streams" in str(three.guarantee)


def test_streams_are_shown_apart(site: gauze.Site, fit: gauze.Fit) -> None:
    three = site.ridge(FORMULA, releases=ids("north", "south", "east"))
    table = three.by_stream()
    assert list(table.columns.get_level_values(0).unique()) == [
        "north",
        "south",
        "east",
        "heterogeneity",
    ]
    assert table[("north", "coef")].to_dict() == fit.answer["coefficients"]
    test = three.answer["heterogeneity"]["temperature"]
    assert table.loc["temperature", ("heterogeneity", "Q")] == test["q"]
    assert table.loc["temperature", ("heterogeneity", "df")] == 2
    with pytest.raises(gauze.GauzeError, match="of one stream"):
        fit.by_stream()


HOUSES = pd.DataFrame(
    {
        "temperature": [0.0, 99.0, 5.0],
        "weekend": [0, 1, 1],
        "tariff": ["flat", "solar", "night"],
        "other": [None, "x", np.nan],
    },
    index=["a", "b", "c"],
)


def test_predictions_have_both_intervals(site: gauze.Site, fit: gauze.Fit) -> None:
    frame = fit.get_prediction(HOUSES).summary_frame()
    assert list(frame.columns) == [
        "mean",
        "mean_se",
        "mean_ci_lower",
        "mean_ci_upper",
        "obs_ci_lower",
        "obs_ci_upper",
    ]
    assert list(frame.index) == ["a", "b", "c"]
    assert frame.loc["a", "mean"] == pytest.approx(fit.params["(intercept)"])
    assert (frame["mean_ci_lower"] < frame["mean"]).all()
    assert (frame["obs_ci_lower"] < frame["mean_ci_lower"]).all()
    assert (frame["obs_ci_upper"] > frame["mean_ci_upper"]).all()
    assert fit.predict(HOUSES).equals(frame["mean"])
    clamped = fit.get_prediction(HOUSES).clamped
    assert clamped.to_dict() == {"a": [], "b": ["temperature"], "c": []}
    narrower = fit.get_prediction(HOUSES).summary_frame(alpha=0.5)
    assert (narrower["mean_ci_lower"] > frame["mean_ci_lower"]).all()


def test_many_rows_are_predicted_in_pieces(fit: gauze.Fit) -> None:
    many = pd.concat([HOUSES] * 2000, ignore_index=True)
    means = fit.predict(many)
    assert list(means.index) == list(range(6000))
    assert np.array_equal(means.to_numpy(), np.tile(fit.predict(HOUSES).to_numpy(), 2000))


class Strange:
    """What no JSON can hold, and what is not equal to anything."""

    def __eq__(self, other: object) -> bool:
        raise TypeError("no truth")


def test_only_the_columns_that_a_fit_needs_are_sent(fit: gauze.Fit) -> None:
    wanted = fit.predict(HOUSES)
    table = HOUSES.assign(
        when=pd.to_datetime(["2026-01-01", None, "2026-01-02"]),
        sets=[{1}, {2}, Strange()],
        long=["x" * 70_000] * 3,
        kwh=[math.inf, 1, 2],
    )
    table = pd.concat([table, table[["when"]]], axis=1)
    assert fit.predict(table).equals(wanted)


@pytest.mark.parametrize(
    "column, values",
    [
        ("temperature", [Decimal("0"), Decimal("99"), Decimal("5")]),
        ("temperature", pd.array([0, 99, 5], dtype="Int64")),
        ("temperature", np.array([0, 99, 5], dtype="float32")),
        ("weekend", [False, True, True]),
        ("weekend", pd.array([False, True, True], dtype="boolean")),
        ("weekend", np.array([0, 1, 1], dtype="uint8")),
        ("tariff", pd.Categorical(["flat", "solar", "night"])),
        ("tariff", pd.array(["flat", "solar", "night"], dtype="string")),
    ],
)
def test_values_of_any_type_are_predicted(fit: gauze.Fit, column: str, values: Any) -> None:
    assert fit.predict(HOUSES.assign(**{column: values})).equals(fit.predict(HOUSES))


@pytest.mark.parametrize("gone", [None, math.nan, pd.NA, pd.NaT, np.nan, Decimal("nan")], ids=str)
def test_a_missing_value_is_named(fit: gauze.Fit, gone: Any) -> None:
    for column in ("temperature", "tariff"):
        values = pd.Series([HOUSES[column].iloc[0], gone, HOUSES[column].iloc[2]], dtype=object)
        with pytest.raises(gauze.GauzeError, match=column):
            fit.predict(HOUSES.assign(**{column: values.to_numpy()}))


@pytest.mark.parametrize(
    "table, part",
    [
        (HOUSES["temperature"], "DataFrame, not Series"),
        (HOUSES.iloc[0], "DataFrame, not Series"),
        (HOUSES.iloc[:0], "no rows"),
        (pd.DataFrame(), "no rows"),
        (pd.concat([HOUSES, HOUSES[["weekend"]]], axis=1), "weekend twice"),
        (HOUSES.assign(temperature=math.inf), "the column temperature"),
        (HOUSES.assign(temperature=10**400), "the column temperature"),
        (HOUSES.assign(temperature=pd.Timestamp("2026-01-01")), "the column temperature"),
        (HOUSES.assign(tariff=pd.Timestamp("2026-01-01")), "the column tariff"),
        (HOUSES.assign(tariff=[{1}, {2}, {3}]), "the column tariff"),
        (HOUSES.to_dict(), "DataFrame, not dict"),
    ],
)
def test_tables_that_are_none_are_errors(fit: gauze.Fit, table: Any, part: str) -> None:
    with pytest.raises(gauze.GauzeError, match=part):
        fit.predict(table)


def test_ols_is_called_so(site: gauze.Site) -> None:
    asked = site.ols(FORMULA, releases=ids("north"))
    assert asked.loss == "ols" and "kwh by ols" in str(asked.summary()) and ", ols:" in repr(asked)


def test_pickled_fits_go_on_without_a_secret(fit: gauze.Fit) -> None:
    for twin in (pickle.loads(pickle.dumps(fit)), copy.deepcopy(fit), copy.copy(fit)):
        assert twin.params.equals(fit.params)
        assert twin.predict(HOUSES).equals(fit.predict(HOUSES))
    prediction = pickle.loads(pickle.dumps(fit.get_prediction(HOUSES)))
    assert prediction.predicted_mean.equals(fit.predict(HOUSES))


def test_an_id_may_have_a_percent_sign(
    made: pathlib.Path, tmp_path: pathlib.Path, north: gauze.Release
) -> None:
    assert north.payload is not None
    header = dict(north.header, stream="50%25 ü?#")
    (tmp_path / "a.avro").write_bytes(records.record(header, north.payload))
    with gauze.local(tmp_path, command=[GAUZE]) as site:
        asked = site.ridge(FORMULA, releases=site.releases()["id"])
        assert site.read(asked.releases[0]).id == "50%25 ü?#/all/all/moments"
        assert len(asked.predict(HOUSES)) == 3
    for id in (None, 5, "\ud800"):
        with pytest.raises(gauze.GauzeError, match="no id"):
            site.read(id)  # type: ignore[arg-type]


def test_rows_that_cannot_be_predicted_are_errors(fit: gauze.Fit) -> None:
    with pytest.raises(gauze.GauzeError, match="tariff") as error:
        fit.predict(HOUSES.drop(columns="tariff"))
    assert error.value.code == "bad-request"
    with pytest.raises(gauze.GauzeError, match="DataFrame"):
        fit.predict([[1, 2]])  # type: ignore[arg-type]


def test_each_loss_asks_for_itself(site: gauze.Site) -> None:
    strata = "north/all/all/strata"
    asked: Dict[str, gauze.Fit] = {
        "ridge": site.ridge(FORMULA, releases=ids("north")),
        "lasso": site.lasso(FORMULA, releases=ids("north"), lam=1.0),
        "lad": site.lad(FORMULA, releases=strata),
        "huber": site.huber(FORMULA, threshold=0.1, releases=strata),
        "quantile": site.quantile(FORMULA, q=0.9, releases=strata),
    }
    for name, each in asked.items():
        assert each.loss.startswith(name), each.loss
        assert each.params["temperature"] == pytest.approx(-0.05, abs=0.02)
    assert asked["huber"].answer["huberThreshold"] == 0.1
    assert asked["quantile"].answer["quantile"] == 0.9
    assert site.ols(FORMULA, releases=ids("north")).lam == 0.0
    assert asked["lasso"].lam == 1.0
    empty = site.fit("kwh ~ 1", releases=ids("north"), scale="encoded")
    assert empty.terms == ["(intercept)"] and empty.answer["scale"] == "encoded"
    assert len(site.ridge("kwh", releases=ids("north")).terms) == 5


def test_withheld_numbers_are_nan(site: gauze.Site) -> None:
    lasso = site.lasso(FORMULA, releases=ids("north"))
    assert lasso.bse.isna().all()
    assert "GZ-" in str(lasso.messages[0])
    assert lasso.messages[0].action
    assert " - " in str(lasso.summary())


def test_a_summary_has_everything_to_know(fit: gauze.Fit) -> None:
    text = str(fit.summary())
    assert text == fit.summary().as_text() == repr(fit.summary())
    for part in ("kwh by ridge", "[0.025", "0.975]", "P>|z|", "tariff=solar", "rows", "R-squared"):
        assert part in text
    assert f"{fit.params['temperature']:.4g}" in text
    assert fit.verdict in text
    assert "epsilon 8.0" in text
    assert all(message.code in text for message in fit.messages)
    assert all(len(line) < 200 for line in text.splitlines())


def test_plots_show_effects(fit: gauze.Fit, site: gauze.Site) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = fit.plot()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    sizes = fit.effects.abs().sort_values()
    assert labels == list(sizes.index)
    at = labels.index("temperature")
    interval = next(line for line in axes.lines if list(line.get_ydata()) == [at, at])
    width = fit.answer["effects"]["temperature"] / fit.params["temperature"]
    assert width == pytest.approx(60.0)
    assert list(interval.get_xdata()) == pytest.approx(
        [width * end for end in fit.conf_int().loc["temperature"]]
    )
    assert fit.plot(ax=axes) is axes
    assert fit.svg().startswith("<svg") or "<svg" in fit.svg()
    zero = site.lasso(FORMULA, releases=ids("north"), lam=1e6)
    assert (zero.effects == 0).any()
    zero.plot()
    matplotlib.pyplot.close("all")


def test_releases_are_listed(site: gauze.Site) -> None:
    table = site.releases()
    assert len(table) == 5
    assert list(site.releases(stream="north", sketch="moments")["id"]) == ids("north")
    assert len(site.releases(stream="none")) == 0
    assert set(table["epsilon"]) == {8.0, 9.0, 10.0}
    release = site.read(ids("south")[0])
    listed = table.set_index("id").loc[release.id]
    assert (listed["numbers"], listed["epsilon"]) == (len(release.values), 9.0)


_RANGE = "hourly/all/2026-01-01T01:00:00Z/moments..hourly/all/2026-01-01T03:00:00Z/moments"
_UTC = datetime.timezone.utc
_TIMES: List[Any] = [
    "2026-01-01T02:00:00Z",
    "2026-01-01T02:00",
    "2026-01-01 03:00+01:00",
    datetime.datetime(2026, 1, 1, 2),
    datetime.datetime(2026, 1, 1, 2, tzinfo=_UTC),
    pd.Timestamp("2026-01-01T02:00"),
    pd.Timestamp("2026-01-01T03:00", tz="Europe/Berlin"),
    np.datetime64("2026-01-01T02:00"),
]


def test_lists_have_all_pages_and_damage(
    made: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (made / "hours").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "bad.avro").write_bytes(b"\xc3\x01nothing")
    monkeypatch.setattr("gauze._site._PAGE", 4)
    with gauze.local(str(tmp_path), command=GAUZE) as site:
        told: List[Any] = []
        end = time.monotonic() + 60
        while not told and time.monotonic() < end:  # at first it may still be written
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                table = site.releases()
        assert "a release cannot be read" in str(told[0].message)
        assert len(table) == 6
        table = site.series(FORMULA, sketch="moments", window=3)
        assert list(table.columns[:3]) == ["epoch", "term", "estimate"]
        assert len(table) == 6 * 5
        assert table["epoch"].is_monotonic_increasing
        errors = table[table["term"] == "temperature"]["std_error"].to_numpy()
        assert errors[2] < errors[0]
        part = site.series("kwh ~ temperature", sketch="moments", first="2026-01-01T02:00:00Z")
        assert len(part) == 4 * 2
        refused = site.series("kwh ~ temperature", sketch="moments", loss="logistic")
        assert len(refused) == 6 and refused["estimate"].isna().all()
        assert refused["comment"].str.len().min() > 20
        ranged = site.ridge(
            FORMULA,
            releases=_RANGE,
        )
        assert len(ranged.releases) == 3
        latest = site.ridge(FORMULA)
        assert latest.releases == ["hourly/all/2026-01-01T05:00:00Z/moments"]
        assert latest._question.body["release"] == latest.releases[0]
        assert latest.loss == ranged.loss
        # What a range holds may grow; a fit is of the releases that answered it.
        north = gauze.read(tmp_path / "0.avro")
        header = dict(north.header, epoch="2026-01-01T01:30:00Z")
        assert north.payload is not None
        (tmp_path / "between.avro").write_bytes(records.record(header, north.payload))
        while len(site.releases()) < 7 and time.monotonic() < end + 60:
            assert len(ranged.conf_int(0.1)) == 5
        now = site.ridge(FORMULA, releases=_RANGE)
        assert len(now.releases) == 4
        assert len(ranged.releases) == 3 and len(ranged.conf_int(0.2)) == 5
        assert ranged._at(0.2)["releases"] == ranged.releases
        assert ranged._at(0.2)["coefficients"] == ranged.answer["coefficients"]
        assert not ranged.predict(HOUSES).equals(now.predict(HOUSES))
        with pytest.raises(gauze.GauzeError, match="other releases"):  # if it cannot name them
            ranged._question.body["releases"] = _RANGE
            ranged.conf_int(0.3)
        for first in _TIMES:
            assert len(site.releases(first=first)) == 4, first
            assert len(site.series("kwh ~ 1", sketch="moments", first=first, last=first)) == 1
        for first in ("yesterday", "", pd.NaT, 5, "all", float("nan"), [1]):
            with pytest.raises(gauze.GauzeError, match="first must be a time"):
                site.releases(first=first)
            with pytest.raises(gauze.GauzeError, match="last must be a time"):
                site.series("kwh ~ 1", sketch="moments", last=first)
        with pytest.raises(gauze.GauzeError, match="temperature") as error:
            site.series("kwh ~ temprature", sketch="moments")
        assert error.value.code == "bad-column"


@pytest.mark.parametrize(
    "ask, code, part",
    [
        (lambda s: s.ols("kwh ~ temprature", releases=ids("north")), "bad-column", "temperature"),
        (lambda s: s.ols(FORMULA), "bad-request", "releases of several streams"),
        (lambda s: s.ols(FORMULA, releases=ids("west")), "unknown-release", "west"),
        (lambda s: s.ols(FORMULA, releases=ids("north", "north")), "bad-request", "once"),
        (lambda s: s.ols(FORMULA, releases=[]), "bad-request", "no release"),
        (lambda s: s.fit(FORMULA, "logistic", releases=ids("north")), "refused", "logistic"),
        (lambda s: s.ridge(FORMULA, releases=ids("north"), lam=-1), "bad-request", "lambda"),
        (lambda s: s.ridge(FORMULA, releases=ids("north"), lam=math.nan), "bad-request", "sent"),
        (lambda s: s.ridge(FORMULA, releases=ids("north"), alpha=1), "bad-request", "alpha"),
        (lambda s: s.ridge(FORMULA, releases=ids("north"), alpha="x"), "bad-request", "alpha"),
        (lambda s: s.ridge(FORMULA, releases=ids("north"), alpha=1e-17), "bad-request", "alpha"),
        (lambda s: s.series(FORMULA, "moments", "north", alpha=None), "bad-request", "alpha"),
        (lambda s: s.ridge(FORMULA, releases=5), "bad-request", "texts"),
        (lambda s: s.ridge(FORMULA, releases=[5]), "bad-request", "texts"),
        (lambda s: s.ridge(None), "bad-formula", "no text"),
        (lambda s: s.ridge(b"kwh"), "bad-formula", "no text"),
        (lambda s: s.ridge("kwh ~ `\ud800`", releases=ids("north")), "bad-column", ""),
        (lambda s: s.ridge(FORMULA, strict=np.array([1, 2])), "bad-request", "sent"),
        (lambda s: s.ridge(FORMULA, lambada=1), "bad-request", "the nearest is lambda"),
        (lambda s: s.ridge(FORMULA, releases="x"), "bad-request", ""),
        (lambda s: s.read("a/b"), "not-found", ""),
        (lambda s: s.read("a/b/c/d"), "unknown-release", ""),
        (lambda s: s.series("kwh", sketch="moments"), "bad-request", "stream is needed"),
    ],
)
def test_errors_say_what_to_do(site: gauze.Site, ask: Any, code: str, part: str) -> None:
    with pytest.raises(gauze.GauzeError) as error:
        ask(site)
    assert error.value.code == code, str(error.value)
    assert part in str(error.value)


def test_a_name_with_a_comma_is_one_name() -> None:
    from gauze._site import _named

    one, other = "a/x,y/1/s", 'b/"z"/1/s'
    assert _named(one) == {"release": one}
    assert _named(["a/b..c/1/s"]) == {"release": "a/b..c/1/s"}
    assert _named([one, other]) == {"releases": '"a/x,y/1/s","b/""z""/1/s"'}
    assert _named("a/b/1/s..a/b/2/s") == {"releases": "a/b/1/s..a/b/2/s"}
    assert _named("a,b/c/1/s..a,b/c/2/s") == {"releases": '"a,b/c/1/s..a,b/c/2/s"'}
    assert _named("a/b/1/s,a/b/2/s") == {"releases": "a/b/1/s,a/b/2/s"}


def test_a_text_of_several_ids_is_split_as_the_service_does(site: gauze.Site) -> None:
    asked = site.ridge(FORMULA, releases=",".join(ids("north", "south")))
    assert asked.releases == ids("north", "south")
    assert len(asked.conf_int(0.1)) == 5
