"""Gauze: regressions on differentially private releases.

``connect`` and ``local`` give a site, which fits releases as statsmodels fits tables. ``read`` reads
one release without a service. docs/guide/python.md is the guide.
"""

from ._errors import GauzeError, Message
from ._release import PointFit, Release, from_bytes, read
from ._results import Estimate, Fit, Guarantee, Prediction
from ._site import Site, connect, local

__version__ = "0.1.0.dev0"

__all__ = [
    "Estimate",
    "Fit",
    "GauzeError",
    "Guarantee",
    "Message",
    "PointFit",
    "Prediction",
    "Release",
    "Site",
    "connect",
    "from_bytes",
    "local",
    "read",
]
