"""fmi-sim (Rust) runs every FMU."""

import csv
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from golden import NAMES, Golden

FMI_SIM = pathlib.Path(sys.executable).with_name("fmi-sim")


def number(text):
    return float({"true": 1, "false": 0}.get(text, text))


@pytest.mark.skipif(not FMI_SIM.is_file(), reason="fmi-sim is missing; `make hosts` installs it")
@pytest.mark.parametrize("name", NAMES)
def test_fmi_sim_gives_the_golden_result(archives, name, tmp_path):
    golden, result = Golden(name), tmp_path / "result.csv"
    grid = ["-s", str(golden.start), "-f", str(golden.stop), "--step", str(golden.step), "--output-interval", str(golden.step)]
    command = [FMI_SIM, "--model", archives[name], "-o", result, "co-simulation", *grid]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with open(result, newline="") as file:
        rows = list(csv.DictReader(file))
    # The grid is a sum of steps: the last point may be missing or doubled by rounding.
    times = np.array([float(row["time"]) for row in rows])
    nearest = [int(np.argmin(np.abs(times - time))) for time in golden.times]
    assert np.max(np.abs(times[nearest] - golden.times)) < 1e-9 * golden.stop
    golden.check([[number(rows[k][column]) for column in golden.columns] for k in nearest])
