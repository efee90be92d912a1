"""Equilibria and linearised models."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional


class Coordinate(NamedTuple):
    """A coordinate at an equilibrium."""

    #: Name, as the command prints it.
    name: str
    #: "m" or "rad".
    unit: str
    #: Position; none for rotations of spherical and free motions.
    position: Optional[float]
    velocity: float
    #: What remains of the acceleration.
    acceleration: float
    #: "found", "held by friction", "follows", "held", "indifferent", "steady", "speed found" or "speed indifferent".
    role: str


class Equilibrium:
    """An equilibrium of a model; `Model.starting_from` makes a model that starts there."""

    def __init__(self, text: str) -> None:
        data: Dict[str, Any] = json.loads(text)
        #: All coordinates by name.
        self.coordinates: Dict[str, Coordinate] = {row["name"]: Coordinate(**row) for row in data["coordinates"]}
        #: States of components by name.
        self.states: Dict[str, float] = data["states"]
        #: Inputs or parameters that were trimmed, by name.
        self.trims: Dict[str, float] = data["trims"]
        #: Coordinates and states that nothing determines.
        self.indifferent: List[str] = data["indifferent"]
        #: What to know of it: prescribed motions that move, sampled components that are held, bodies that have gone far.
        self.notes: List[str] = data["notes"]
        #: Start values by name, each a list of numbers.
        self.start: Dict[str, List[float]] = data["start"]
        #: Iterations of Newton's method, and steps without inertia before.
        self.iterations: int = data["iterations"]
        self.relaxations: int = data["relaxations"]
        self._table: str = data["table"]

    def __getitem__(self, name: str) -> float:
        """Position of a coordinate, state of a component or value of what was trimmed."""
        if name in self.coordinates:
            position = self.coordinates[name].position
            if position is not None:
                return position
        for values in (self.states, self.trims):
            if name in values:
                return values[name]
        raise KeyError(f"the equilibrium has no coordinate, state or trimmed value `{name}`")

    def __str__(self) -> str:
        return self._table.rstrip()

    __repr__ = __str__


class LinearModel:
    """`x' = A x + B u`, `y = C x + D u` in deviations from the point of linearisation, in minimal coordinates."""

    def __init__(self, text: str) -> None:
        import numpy as np

        data: Dict[str, Any] = json.loads(text)
        #: Time of the point of linearisation [s].
        self.time: float = data["time"]

        def names(of: str) -> List[str]:
            return [row["name"] for row in data[of]]

        #: Names: positions, velocities in the same order, states of components.
        self.states: List[str] = names("states")
        self.inputs: List[str] = names("inputs")
        self.outputs: List[str] = names("outputs")
        #: Units of states, inputs and outputs by name.
        self.units: Dict[str, str] = {row["name"]: row["unit"] for of in ("states", "inputs", "outputs") for row in data[of]}
        #: Coordinates that closed loops eliminate.
        self.eliminated: List[str] = data["eliminated"]
        n, m, p = len(self.states), len(self.inputs), len(self.outputs)

        def matrix(key: str, rows: int, columns: int) -> Any:
            return np.array(data[key], dtype=float).reshape(rows, columns)

        self.A = matrix("A", n, n)
        self.B = matrix("B", n, m)
        self.C = matrix("C", p, n)
        self.D = matrix("D", p, m)
        #: What the model should be used with: sampled components that are held, coefficients that are known badly.
        self.notes: List[str] = data["notes"]
        #: Rates of the states at the point of linearisation: zero at an equilibrium.
        self.rates = np.array(data["rates"], dtype=float)
        modes = data["modes"]
        #: Eigenvalues [1/s], by ascending magnitude.
        self.eigenvalues = np.array([complex(mode["re"], mode["im"]) for mode in modes])
        #: Undamped natural frequencies [Hz] and damping ratios of the eigenvalues.
        self.frequencies = np.array([mode["frequency_hz"] for mode in modes])
        self.damping_ratios = np.array([mode["damping_ratio"] for mode in modes])
        #: Mode shapes, one column per eigenvalue; the largest entry is 1.
        self.shapes = np.array([[complex(*part) for part in mode["shape"]] for mode in modes]).reshape(len(modes), n).T

    def response(self, frequency: Any) -> Any:
        """Frequency response `C (i w - A)^-1 B + D` for frequencies [Hz]: an array (frequencies, outputs, inputs)."""
        import numpy as np

        s = 2j * np.pi * np.atleast_1d(np.asarray(frequency, dtype=float))
        eye = np.eye(len(self.states))
        return np.array([self.C @ np.linalg.solve(x * eye - self.A, self.B) + self.D for x in s])

    def __repr__(self) -> str:
        return f"<mbfmu.LinearModel: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"
