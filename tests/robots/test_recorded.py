"""Motions of two descriptions of our own, which the tests of the command compare with: the oracles still say the same."""

import csv
import pathlib

import mujoco
import numpy as np

import urdf_oracle
from mjcf_oracle import Oracle
from test_urdf import motion

DATA = pathlib.Path(__file__).resolve().parents[2] / "crates" / "cli" / "tests" / "data"
TIMES = [round(0.1 * number, 1) for number in range(1, 11)]


def of_pinocchio():
    """Coordinates of the joints, from rest."""
    robot = urdf_oracle.Robot(DATA / "bent.urdf")
    names = robot.names()
    found = motion(urdf_oracle.Pinocchio(robot), robot, {name: (0.0, 0.0) for name in names}, TIMES)
    variables = {"revolute": "phi", "continuous": "phi", "prismatic": "s"}
    heading = [f"{name}.{variables[robot.joints[name]['type']]}" for name in names]
    return heading, {time: found[time] for time in TIMES}


def of_mujoco():
    """Coordinates of hinges and slides, and positions of bodies, from rest."""
    oracle = Oracle(DATA / "legs.xml")
    names = [oracle.model.joint(joint).name for joint in oracle.single]
    slides = [oracle.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_SLIDE for joint in oracle.single]
    heading = [f"{name}.{'s' if slide else 'phi'}" for name, slide in zip(names, slides)]
    heading += [f"{body}.r_abs[{axis}]" for body in oracle.positions() for axis in (1, 2, 3)]
    found = {}
    for time in TIMES:
        oracle.set([], [], [])
        oracle.advance(time, 1e-4)
        found[time] = [*oracle.coordinates(), *np.concatenate(list(oracle.positions().values()))]
    return heading, found


def compare(name, heading, found, update):
    path = DATA / name
    if update:
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["time", *heading])
            writer.writerows([time, *(repr(float(value)) for value in values)] for time, values in found.items())
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time", *heading]
    recorded = np.array(rows[1:], dtype=float)
    assert np.allclose(recorded, [[time, *values] for time, values in found.items()], rtol=0, atol=1e-9)


def test_what_pinocchio_says_is_on_record(pytestconfig):
    compare("bent.csv", *of_pinocchio(), pytestconfig.getoption("--update-table"))


def test_what_mujoco_says_is_on_record(pytestconfig):
    compare("legs.csv", *of_mujoco(), pytestconfig.getoption("--update-table"))
