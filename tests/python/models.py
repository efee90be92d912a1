"""Models for the tests."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "fmus"

PENDULUM = """
name = "Swing"
gravity = [0, -9.81, 0]
outputs = ["hinge.phi", "hinge.w", "tip.r_abs", "energy"]
experiment = { stop = 2, step = 0.02, tolerance = 1e-8 }

[parameters]
L = { value = 1.0, unit = "m", min = 0.01 }
phi0 = { value = 0.5, unit = "rad" }

[inputs]
tau = { unit = "N.m" }

[objects.rod]
solid = { shape = "box", lengths = [0.04, "L", 0.04], r = [0, "-L/2", 0], material = "Steel" }

[objects.tip]
parent = "rod"
r = [0, "-L", 0]
expose = true

[joints.hinge]
type = "revolute"
from = "world"
to = "rod"
axis = "z"
phi = "phi0"
torque = "tau"
"""
