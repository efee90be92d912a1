"""The command as a host of its own FMUs, judged by the crate `fmi`, which shares no code with it."""

import csv
import os
import pathlib
import subprocess

import pytest

from golden import NAMES, Golden


@pytest.fixture(scope="session")
def judge(pytestconfig):
    """Path of the host in `tests/hosts/judge`."""
    path = pytestconfig.getoption("--judge")
    assert path and os.access(path, os.X_OK), "the judge is missing; `make hosts` builds it"
    return pathlib.Path(path)


@pytest.mark.parametrize("name", NAMES)
def test_the_fmi_crate_gives_the_same_bytes_as_the_model(sources, archives, judge, name, tmp_path):
    """To the end of the golden result. `mbfmu simulate` runs models in its own process, and archives through their C
    functions as the judge does."""
    outputs, golden = [], Golden(name)
    command, model = sources[name]
    stop = str(golden.stop)
    for source in (model, archives[name]):
        out = tmp_path / f"{len(outputs)}.csv"
        subprocess.run([command, "simulate", source, "--stop", stop, "-o", out], check=True, capture_output=True)
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    header = next(csv.reader(outputs[0].decode().splitlines()))
    assert header == ["time", *golden.columns]
    done = subprocess.run([judge, archives[name], out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
