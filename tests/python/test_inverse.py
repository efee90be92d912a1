"""Inverse dynamics has the bits of the command and gives back what has made a motion."""

import mbfmu
import numpy as np
import pytest
from models import MODELS, PENDULUM

FLANGED = PENDULUM.replace('torque = "tau"', "flange = true").replace('[inputs]\ntau = { unit = "N.m" }\n', "")


def test_the_torque_of_a_run_comes_back():
    model = mbfmu.load(FLANGED)
    run = model.simulate(inputs={"hinge.tau": 7.0}, outputs=["hinge.phi", "hinge.w", "der(hinge.w)"], tolerance=1e-10)
    efforts = model.inverse(run)
    assert efforts.names == ["hinge.tau"] and np.array_equal(efforts.time, run.time)
    assert np.max(np.abs(efforts["hinge.tau"] - 7.0)) < 1e-6
    columns = {"time": run.time, "q": run["hinge.phi"]}
    estimated = model.inverse(columns, columns={"hinge.phi": "q"}, step=0.1)
    assert len(estimated) == 21
    assert np.max(np.abs(estimated["hinge.tau"] - 7.0)) < 0.1


def test_it_has_the_bits_of_the_command(command, tmp_path):
    file = tmp_path / "run.csv"
    command("simulate", MODELS / "FourBar", "--stop", "1", "--all", "-o", file)
    command("inverse", MODELS / "FourBar", file, "--drive", "crank", "-o", tmp_path / "command.csv")
    model = mbfmu.load(MODELS / "FourBar")
    model.inverse(model.simulate(stop=1, outputs="all"), drive="crank").to_csv(tmp_path / "python.csv")
    assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "command.csv").read_bytes()


def test_what_is_wrong_is_told():
    model = mbfmu.load(MODELS / "DoublePendulum")
    time = [0, 1, 2]
    with pytest.raises(mbfmu.Error, match="no motion: those of `hinge2`"):
        model.inverse({"time": time, "hinge1.phi": [0, 0, 0]})
    with pytest.raises(mbfmu.Error, match="motions, row 2: the time 0.5 s is before"):
        model.inverse({"time": [0, 1, 0.5], "hinge1.phi": [0, 0, 0], "hinge2.phi": [0, 0, 0]})
    with pytest.raises(mbfmu.UsageError, match="not a function"):
        model.inverse(lambda t: {"hinge1.phi": t})
    with pytest.raises(mbfmu.UsageError, match="for inverse dynamics"):
        model.pack(filter=0.1)
    noted = model.inverse({"time": time, "hinge1.phi": [0, 1, 0], "hinge2.phi": [0, 0, 0]})
    assert any("is uncertain by up to" in note for note in noted.notes)
