"""Inverse dynamics of every URDF without coupled joints is the recursive Newton-Euler algorithm of Pinocchio."""

import csv
import random
import subprocess
import zlib

import numpy as np
import pytest

from found import urdf_robots
from packed import start_parameters
from test_urdf import EMPTY, FEW, called, difference
from urdf_oracle import Pinocchio, Robot

ROBOTS = urdf_robots()
ROWS = 10
EFFORT = 1e-10


def pytest_generate_tests(metafunc):
    everything = metafunc.config.getoption("--all-robots")
    metafunc.parametrize("name", [n for n in ROBOTS if n not in EMPTY and (everything or n in FEW)])


def run(*command):
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_efforts_are_those_of_pinocchio(name, mbfmu, tmp_path):
    robot = Robot(ROBOTS[name])
    names = robot.names()
    if len(robot.leaders()) < len(names):
        pytest.skip("joints follow others")
    if not names:
        pytest.skip("nothing moves")
    folder = tmp_path / "model"
    run(mbfmu, "import", ROBOTS[name], "-o", folder, "--drive", "none", "--no-limits", "--shapes", "none")
    _, joints = start_parameters((folder / "model.toml").read_text())
    ours = [called(n) if called(n) in joints else called(n) + "_joint" for n in names]
    rng = random.Random(zlib.crc32(name.encode()))
    rows = [[(rng.uniform(*robot.joints[n]["range"]), rng.uniform(-1, 1), rng.uniform(-2, 2)) for n in names] for _ in range(ROWS)]
    columns = [part for n in ours for part in (f"{n}.{joints[n][0]}", f"{n}.{joints[n][1]}", f"der({n}.{joints[n][1]})")]
    motions, efforts = tmp_path / "motions.csv", tmp_path / "efforts.csv"
    with open(motions, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", *columns])
        writer.writerows([time, *(repr(x) for joint in row for x in joint)] for time, row in enumerate(rows))
    run(mbfmu, "inverse", folder, motions, "-o", efforts)
    with open(efforts, newline="") as file:
        found = list(csv.DictReader(file))
    pinocchio = Pinocchio(robot)
    for row, ran in zip(rows, found, strict=True):
        theirs = pinocchio.efforts([joint[:2] for joint in row], [joint[2] for joint in row])
        letters = ["tau" if joints[n][0] == "phi" else "f" for n in ours]
        mine = [float(ran[f"{n}.{letter}"]) for n, letter in zip(ours, letters)]
        assert difference(mine, theirs) < EFFORT
