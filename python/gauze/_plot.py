"""Plots, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import need

if TYPE_CHECKING:
    from ._results import Fit


def effects(fit: "Fit", ax: Any = None) -> Any:
    """Draws each effect and its interval on one axis, the largest on top."""
    pyplot = need("matplotlib.pyplot", "plot()")
    if ax is None:
        ax = pyplot.subplots(figsize=(6.4, 1.2 + 0.35 * len(fit.answer["effects"])))[1]
    ends = fit.conf_int()
    sizes = fit.effects.reindex(fit.effects.abs().sort_values().index)
    for place, (term, effect) in enumerate(sizes.items()):
        coefficient = fit.params[term]
        if coefficient != 0.0:
            width = effect / coefficient  # of the column's public range
            ax.plot([ends.loc[term, 0] * width, ends.loc[term, 1] * width], [place, place], "-C0")
        ax.plot([effect], [place], "oC0")
    ax.axvline(0.0, color="0.7", linewidth=0.8, zorder=0)
    ax.set_yticks(range(len(sizes)), list(sizes.index))
    ax.set_xlabel(f"effect on {fit.response}, over the range of each column")
    ax.set_title(f"{100 * (1 - fit.alpha):g} % intervals", fontsize="medium")
    return ax
