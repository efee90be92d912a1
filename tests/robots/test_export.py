"""Models of this project, exported, move in MuJoCo and Pinocchio as they do here."""

import csv
import pathlib
import re
import subprocess

import mujoco
import numpy as np
import pinocchio
import pytest

from mjcf_oracle import Oracle

FMUS = pathlib.Path(__file__).resolve().parents[2] / "fmus"
# Without contacts, drives and loops: what is left is all that both formats have.
MODELS = ["DoublePendulum", "FreeTop", "MeshBody", "Mobile", "Pendulum", "R3Robot"]
EVERY = sorted(path.parent.name for path in FMUS.glob("*/model.toml"))
# Made of components only: the formats have nothing for them.
WITHOUT_BODIES = {"HeatRod", "PointMassRocket"}
BOUND = 1e-6


def run(*command):
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran


@pytest.mark.parametrize("model", MODELS)
def test_an_exported_model_moves_in_mujoco_as_here(model, mbfmu, tmp_path):
    file = tmp_path / "model.xml"
    run(mbfmu, "export", FMUS / model, "-o", file)
    oracle = Oracle(file)
    if oracle.model.nkey:
        mujoco.mj_resetDataKeyframe(oracle.model, oracle.data, 0)
    oracle.advance(1.0, 1e-4)
    described = run(mbfmu, "describe", FMUS / model).stdout

    def called(variable):
        """Things with a variable, by their names in the export."""
        paths = re.findall(rf'name="([^"()]+)\.{variable}"', described)
        return {re.sub(r"\W", "_", path): path for path in paths}

    bodies, turning, sliding = called(r"r_abs\[1\]"), called("phi"), called("s")
    wanted = {}
    for body, position in oracle.positions().items():
        if body in bodies:
            wanted.update({f"{bodies[body]}.r_abs[{axis + 1}]": position[axis] for axis in range(3)})
    joints = [oracle.model.joint(joint).name for joint in oracle.single]
    for joint, coordinate in zip(joints, oracle.coordinates()):
        wanted[f"{turning[joint]}.phi" if joint in turning else f"{sliding[joint]}.s"] = coordinate
    names = list(wanted)
    assert names
    options = ["--stop", "1", "--step", "1", "--tolerance", "1e-11", "-o", "-", "--outputs", ",".join(names)]
    rows = list(csv.reader(run(mbfmu, "simulate", FMUS / model, *options).stdout.splitlines()))
    assert rows[0][1:] == names
    assert np.max(np.abs(np.array(rows[-1][1:], dtype=float) - list(wanted.values()))) < BOUND


@pytest.mark.parametrize("model", EVERY)
def test_mujoco_and_pinocchio_take_what_is_exported(model, mbfmu, tmp_path):
    for ending in ("xml", "urdf"):
        run(mbfmu, "export", FMUS / model, "-o", tmp_path / f"model.{ending}")
        if model not in WITHOUT_BODIES:
            run(mbfmu, "check", tmp_path / f"model.{ending}")
    mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    pinocchio.buildModelFromUrdf(str(tmp_path / "model.urdf"))
