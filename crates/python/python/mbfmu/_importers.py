"""Robots described in other formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._model import load

if TYPE_CHECKING:
    from ._model import Model, PathLike


def from_urdf(path: "PathLike") -> Model:
    """Reads a robot from a URDF file."""
    return load(path)


def from_mjcf(path: "PathLike") -> Model:
    """Reads a model from an MJCF file."""
    return load(path)
