"""The parameter sweep, small."""

import csv
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

SPEEDS, ANGLES = 3, 4


@pytest.fixture(scope="module")
def tables(mbfmu, tmp_path_factory):
    """Bytes of the table, by the number of processes that made it."""
    made = {}
    for workers in (1, 2):
        folder = tmp_path_factory.mktemp("sweep")
        command = [sys.executable, ROOT / "examples" / "sweep" / "sweep.py", "--mbfmu", mbfmu, "-o", folder,
                   "--speeds", str(SPEEDS), "--angles", str(ANGLES), "--workers", str(workers)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        # No progress bar without a terminal.
        assert done.stderr == "" and done.stdout.startswith(f"{SPEEDS * ANGLES} runs in ")
        assert (folder / "breaks.svg").stat().st_size > 1000
        made[workers] = (folder / "breaks.csv").read_bytes()
    return made


def test_every_run_has_its_row(tables):
    rows = list(csv.DictReader(tables[2].decode().splitlines()))
    assert [(float(row["speed"]), round(float(row["angle_deg"]), 6)) for row in rows] == [
        (speed, round(angle, 6)) for speed in (1.0, 4.0, 7.0) for angle in (0.0, 10 / 3, 20 / 3, 10.0)
    ]
    assert all(float(row["kinetic_energy"]) > 0 and int(row["events"]) > 0 for row in rows)


def test_a_faster_break_moves_more_balls(tables):
    rows = list(csv.DictReader(tables[2].decode().splitlines()))
    moved = [sum(int(row["balls_moved"]) for row in rows[k * ANGLES:(k + 1) * ANGLES]) for k in range(SPEEDS)]
    assert moved[0] < moved[1] and moved[0] < moved[2] <= 16 * ANGLES


def test_the_table_does_not_depend_on_the_number_of_processes(tables):
    assert tables[1] == tables[2]
