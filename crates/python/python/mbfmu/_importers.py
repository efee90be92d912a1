"""Robots described in other formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, Sequence, Union

from . import _mbfmu
from ._model import Model, noted

if TYPE_CHECKING:
    from ._model import PathLike

#: Shapes that an import takes over.
Shapes = Literal["all", "visual", "collision", "none"]


def from_urdf(
    path: PathLike,
    *,
    base: Literal["fixed", "floating"] = "fixed",
    drive: Literal["torque", "position", "velocity", "none"] = "torque",
    limits: bool = True,
    shapes: Shapes = "all",
    packages: Union[PathLike, Sequence[PathLike]] = (),
) -> Model:
    """Makes a model of a robot described as URDF, as `mbfmu import` does.

    base: How the root link is held: "fixed" on the world, or "floating".
    drive: What drives the joints: "torque" (inputs with torques and forces), "position" or "velocity" (servos that
        follow inputs), or "none".
    limits: Whether joints have the stops that their limits ask for.
    shapes: Which shapes are taken over: "all", "visual", "collision" or "none".
    packages: Folders, or one, with packages that `package://` may mean, besides those around the file and those of ROS.

    What was not taken over, or not as it stands there, is `Model.import_notes`; a `RobotWarning` says how many there
    are. Mistakes in the description raise `ModelError` with its file and line.
    """
    folders = [packages] if isinstance(packages, (str, os.PathLike)) else list(packages)
    return noted(_mbfmu.Model.import_robot(path, "urdf", base, drive, limits, shapes, folders))


def from_mjcf(path: PathLike, *, limits: bool = True, shapes: Shapes = "all") -> Model:
    """Makes a model of an MJCF file, the format of MuJoCo, as `mbfmu import` does.

    limits: Whether joints have the stops that their ranges ask for.
    shapes: Which shapes are taken over: "all", "visual", "collision" or "none".

    How bodies are held and what drives them, the file says itself. What was not taken over, or not as it stands
    there, is `Model.import_notes`; a `RobotWarning` says how many there are. Mistakes in the description raise
    `ModelError` with its file and line.
    """
    return noted(_mbfmu.Model.import_robot(path, "mjcf", "fixed", "torque", limits, shapes, []))
