"""3D multibody models: simulated, looked at, swept over, and packed as FMI 2.0 co-simulation FMUs.

>>> import mbfmu
>>> m = mbfmu.load("model.toml")
>>> r = m.simulate(stop=5, parameters={"L": 2})
>>> r["hinge.phi"], r.units["hinge.phi"]

The engine is that of the command `mbfmu`; results have the same bits.
"""

from __future__ import annotations

import os as _os

from . import _mbfmu
from ._errors import Error, Interrupted, MissingPackage, ModelError, Problem, RobotWarning, SimulationError, UsageError
from ._format import solid, visual
from ._importers import from_mjcf, from_urdf
from ._linear import Coordinate, Equilibrium, LinearModel
from ._mbfmu import Session, State, __version__, schema
from ._model import Assembly, ImportNote, Model, Report, Variable, load
from ._result import Event, Limit, Result, StepProfile, View
from ._sweep import sweep

__all__ = [
    "Assembly",
    "Coordinate",
    "Equilibrium",
    "Error",
    "Event",
    "ImportNote",
    "Interrupted",
    "Limit",
    "LinearModel",
    "MissingPackage",
    "Model",
    "ModelError",
    "Problem",
    "Report",
    "Result",
    "RobotWarning",
    "Session",
    "SimulationError",
    "State",
    "StepProfile",
    "UsageError",
    "Variable",
    "View",
    "from_mjcf",
    "from_urdf",
    "load",
    "schema",
    "solid",
    "sweep",
    "visual",
]

_libraries = _os.path.join(_os.path.dirname(__file__), "lib")
if _os.path.isdir(_libraries):
    _mbfmu.set_library_folder(_libraries)
