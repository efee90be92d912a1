"""Many runs of one model."""

import concurrent.futures
import math
import pathlib
import signal
import subprocess
import sys
import time

import mbfmu
import numpy as np
import pytest
from models import MODELS, PENDULUM

pandas = pytest.importorskip("pandas")
AXES = {"L": [0.5, 1.0, 2.0], "phi0": (0.1, 0.9)}
#: Until then the first run is over [s].
SOON = 2
OUTPUTS = ["hinge.phi", "max(hinge.w)", "mean(energy.total)"]


@pytest.fixture(scope="module")
def swing():
    return mbfmu.load(PENDULUM)


def test_a_sweep_is_that_of_the_command(swing, command, tmp_path):
    folder = tmp_path / "Swing"
    folder.mkdir()
    (folder / "model.toml").write_text(PENDULUM)
    for sampling, n in [("grid", 3), ("lhs", 7), ("sobol", 8)]:
        frame = mbfmu.sweep(swing, AXES, n=n, sampling=sampling, outputs=OUTPUTS, seed=3)
        options = ["--sampling", sampling, "-n", n, "--seed", 3, "--outputs", ",".join(OUTPUTS), "--workers", 2]
        for ending in ("csv", "parquet"):
            file = tmp_path / f"sweep.{ending}"
            command("sweep", folder, "L=0.5,1,2", "phi0=0.1..0.9", *options, "-o", file)
            table = pandas.read_csv(file) if ending == "csv" else pandas.read_parquet(file)
            pandas.testing.assert_frame_equal(table, frame, check_exact=True)


def test_rows_are_those_of_single_runs_whoever_computes_them(swing):
    frame = mbfmu.sweep(swing, AXES, n=2, outputs=OUTPUTS, workers=1)
    assert list(frame.columns) == ["L", "phi0", *OUTPUTS] and len(frame) == 6
    for row in frame.to_dict("records"):
        result = swing.simulate(parameters={"L": row["L"], "phi0": row["phi0"]})
        assert row["hinge.phi"] == result.final("hinge.phi") and row["max(hinge.w)"] == result["hinge.w"].max()
        mean = np.trapezoid(result["energy.total"], result.time) / (result.time[-1] - result.time[0])
        assert math.isclose(row["mean(energy.total)"], mean, rel_tol=1e-12)
    for workers in (2, 5):
        pandas.testing.assert_frame_equal(mbfmu.sweep(swing, AXES, n=2, outputs=OUTPUTS, workers=workers), frame, check_exact=True)


def test_other_processes_compute_the_same_bits(swing):
    frame = mbfmu.sweep(swing, AXES, n=2, outputs=OUTPUTS)
    with concurrent.futures.ProcessPoolExecutor(2) as client:
        pandas.testing.assert_frame_equal(mbfmu.sweep(swing, AXES, n=2, outputs=OUTPUTS, client=client), frame, check_exact=True)
    distributed = pytest.importorskip("dask.distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        with distributed.Client(cluster) as client:
            again = mbfmu.sweep(swing, AXES, n=2, outputs=OUTPUTS, client=client)
    pandas.testing.assert_frame_equal(again, frame, check_exact=True)


def test_results_may_be_any_function_of_a_run(swing):
    frame = mbfmu.sweep(
        swing, {"L": [1, 2]}, base={"phi0": 0.2}, stop=1, inputs={"tau": lambda t: 0.1 * t},
        results=lambda r: {"swing": np.ptp(r["hinge.phi"]), "word": "ok"},
    )
    result = swing.simulate(parameters={"L": 2, "phi0": 0.2}, stop=1, inputs={"tau": lambda t: 0.1 * t})
    assert frame["swing"][1] == np.ptp(result["hinge.phi"]) and list(frame["word"]) == ["ok", "ok"]


def test_a_run_that_fails_says_why_and_the_others_go_on(swing):
    frame = mbfmu.sweep(swing, {"L": [1, -1, 2]}, outputs=["hinge.phi"])
    assert list(frame["error"] != "") == [False, True, False] and "`L`" in frame["error"][1]
    assert math.isnan(frame["hinge.phi"][1]) and not math.isnan(frame["hinge.phi"][2])


def test_the_command_fails_when_a_run_fails_but_keeps_the_rows(pytestconfig, tmp_path):
    mbfmu_command = pathlib.Path(pytestconfig.getoption("--mbfmu")).resolve()
    (tmp_path / "model.toml").write_text(PENDULUM)
    arguments = [mbfmu_command, "sweep", "model.toml", "L=1,-1,2", "--outputs", "hinge.phi", "-o", "s.csv"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "1 of 3 runs failed" in done.stderr
    table = pandas.read_csv(tmp_path / "s.csv")
    assert list(table.columns) == ["L", "hinge.phi", "error"] and table["error"].notna().tolist() == [False, True, False]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("what", ['outputs=["hinge.phi"]', 'results=lambda r: {"phi": r.final("hinge.phi")}'])
def test_ctrl_c_stops_the_runs_of_a_sweep_and_keeps_those_that_are_done(what):
    # The first run is over in no time, the others never end.
    code = f"""
import signal
import mbfmu
signal.signal(signal.SIGINT, signal.default_int_handler)
model = mbfmu.load({PENDULUM.replace('torque = "tau"', 'torque = "(L - 1)*sin(1e5*time)"')!r})
print("ready", flush=True)
try:
    mbfmu.sweep(model, {{"L": [1, 2, 3, 4]}}, workers=1, stop=10, step=10, base={{"max_work": 1e300}}, {what})
except mbfmu.Interrupted as error:
    frame = error.result
    print(list(frame["error"] == ""), *frame["error"])
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(SOON)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert time.monotonic() - sent < 2
    assert "[True, False, False, False]" in rest and "interrupted" in rest, rest


@pytest.mark.parametrize("workers", [None, 1])
def test_ctrl_c_ends_a_sweep_after_other_runs_of_the_process(workers):
    code = f"""
import signal
import mbfmu
signal.signal(signal.SIGINT, signal.default_int_handler)
model = mbfmu.load({PENDULUM!r})
model.simulate()
print("ready", flush=True)
try:
    mbfmu.sweep(model, {{"L": [1, 2, 3, 4]}}, workers={workers}, stop=500000)
except KeyboardInterrupt as error:
    print(type(error).__name__)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(SOON)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert time.monotonic() - sent < 2
    assert rest == "Interrupted\n", rest


@pytest.fixture(scope="module")
def counted():
    count = {"value": 2, "kind": "integer", "min": 1, "max": 4}
    body = {"free": {"v": ["n", 0, 0]}, "mass": {"m": 1, "inertia": [1, 1, 1]}}
    return mbfmu.load({"name": "A", "parameters": {"n": count}, "outputs": ["a.r_abs"], "objects": {"a": body}})


def test_samples_of_integers_are_whole(counted):
    for sampling in ("lhs", "sobol"):
        frame = mbfmu.sweep(counted, {"n": (1, 4)}, n=8, sampling=sampling)
        assert sorted(frame["n"]) == [1, 1, 2, 2, 3, 3, 4, 4] and "error" not in frame
        assert np.allclose(frame["a.r_abs[1]"], frame["n"] * counted.simulate().time[-1])
    assert list(mbfmu.sweep(counted, {"n": (1, 4)}, n=4)["n"]) == [1, 2, 3, 4]
    with pytest.raises(mbfmu.Error, match="would not be whole; give a number of values that fits, 4 for all"):
        mbfmu.sweep(counted, {"n": (1, 4)}, n=3)
    with pytest.raises(mbfmu.Error, match="both ends must be whole"):
        mbfmu.sweep(counted, {"n": (1, 3.5)}, n=3, sampling="lhs")


def test_results_are_columns_also_when_all_runs_fail(counted):
    frame = mbfmu.sweep(counted, {"n": [7, 8]}, outputs=["a.r_abs", "max(a.v_abs)"])
    assert list(frame.columns) == ["n", *(f"a.r_abs[{k}]" for k in (1, 2, 3)), *(f"max(a.v_abs[{k}])" for k in (1, 2, 3)), "error"]
    assert frame["a.r_abs[1]"].isna().all() and (frame["error"] != "").all()


def test_mistakes_are_found_before_anything_runs(swing):
    for axes, options, message in [
        ({"l": [1]}, {}, "no parameter or input `l`"),
        ({"L": (1, 2)}, {}, "needs n"),
        ({"L": (1, 2)}, {"sampling": "lhs"}, "needs n"),
        ({"L": [1]}, {"sampling": "random"}, "grid, sobol or lhs"),
        ({"L": (1, 2, 3)}, {}, "pair"),
        ({"L": []}, {}, "no values"),
        ({"L": [1]}, {"outputs": ["max(zebra)"]}, "zebra"),
        ({"L": ["long"]}, {}, "not a number"),
        ({"L": (1, 2)}, {"n": -3}, "`n` is -3, but must be at least 1"),
        ({"L": [1]}, {"workers": 0}, "`workers` is 0"),
    ]:
        with pytest.raises(mbfmu.Error, match=message):
            mbfmu.sweep(swing, axes, **options)


def test_the_example_of_billiards_is_five_lines():
    model = mbfmu.load(MODELS / "Billiards16")
    frame = mbfmu.sweep(model, {"v0": [4.0, 5.0], "side": [0.0, 0.5]}, outputs=["energy.kinetic", "event_count"], stop=0.5)
    assert len(frame) == 4 and frame["event_count"].min() > 0
