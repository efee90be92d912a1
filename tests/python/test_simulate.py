"""Runs have the bits of the command's runs, and what a result offers."""

import concurrent.futures
import json
import math
import pathlib
import pickle
import re
import subprocess

import mbfmu
import numpy as np
import pytest
from models import MODELS, PENDULUM

RUNS = [
    ("Pendulum", {}, []),
    ("Pendulum", {"stop": 3.1, "step": 0.3, "parameters": {"L": 0.5, "d": 0.1}, "outputs": "all"},
     ["--stop", "3.1", "--step", "0.3", "--set", "L=0.5", "--set", "d=0.1", "--all"]),
    ("Pendulum", {"start": -0.05, "stop": 0.3, "step": 0.007, "tolerance": 1e-9}, ["--start=-0.05", "--stop=0.3", "--step=0.007", "--tolerance=1e-9"]),
    ("Billiards4", {"stop": 1.0}, ["--stop", "1"]),
    ("NFourBar", {"parameters": {"n": 3}, "stop": 1.0}, ["--set", "n=3", "--stop", "1"]),
    ("YouBotAttach", {"stop": 4.0, "outputs": ["*.phi", "*.r_abs[?]"]}, ["--stop", "4", "--outputs", "*.phi,*.r_abs[?]"]),
    ("ServoArm", {}, []),
    ("SliderCrank", {"kinematic": False, "stop": 0.5}, ["--stop", "0.5"]),
    ("StickSlip", {"stop": 2.0}, ["--stop", "2"]),
]


@pytest.mark.parametrize("name, options, arguments", RUNS, ids=[f"{name}-{k}" for k, (name, *_) in enumerate(RUNS)])
def test_a_run_has_the_bits_of_the_command(command, tmp_path, name, options, arguments):
    command("simulate", MODELS / name, *arguments, "-o", tmp_path / "command.csv")
    result = mbfmu.load(MODELS / name).simulate(**options)
    result.to_csv(tmp_path / "python.csv")
    assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "command.csv").read_bytes()
    table = np.genfromtxt(tmp_path / "command.csv", delimiter=",", skip_header=1, ndmin=2)
    assert np.array_equal(result.time, table[:, 0])
    for column, variable in enumerate(result.names, start=1):
        assert np.array_equal(result[variable], table[:, column]), variable
    assert result.complete


def test_pictures_change_no_bit(tmp_path):
    model = mbfmu.load(MODELS / "Billiards4")
    with_pictures, without = model.simulate(stop=0.5, fps=200), model.simulate(stop=0.5, fps=None)
    assert all(np.array_equal(with_pictures[name], without[name]) for name in without.names)


def test_what_limited_the_steps_is_told_when_asked_for():
    model = mbfmu.load(MODELS / "Billiards4")
    assert model.simulate(stop=0.1, fps=None).profile is None
    result = pickle.loads(pickle.dumps(model.simulate(stop=0.5, fps=None, profile_steps=True)))
    assert sum(limit.number for limit in result.profile.steps) == result.stats["steps"]
    assert sum(limit.simulated for limit in result.profile.steps) >= 0.5 - 1e-9
    assert {limit.what for limit in result.profile.restarts}, "balls hit each other"
    walls = [limit.wall for limit in result.profile.steps]
    assert walls == sorted(walls, reverse=True)
    assert "what limited the steps" in str(result.profile)


def test_the_page_of_a_result_has_curves(tmp_path):
    model = mbfmu.load(MODELS / "Pendulum")
    page = model.simulate(stop=0.5, fps=20).view().html
    data = json.loads(re.search(r'id="animation">(.*?)</script>', page, re.S).group(1))
    curves = {curve["name"]: curve["unit"] for curve in data["details"]["curves"]}
    assert curves["hinge.phi"] == "rad"


def test_inputs_over_time_are_those_of_a_file(command, tmp_path):
    folder = tmp_path / "Swing"
    folder.mkdir()
    (folder / "model.toml").write_text(PENDULUM)
    times, values = [0.0, 0.5, 0.5, 2.0], [0.0, 0.3, -0.7, 0.1]
    lines = [f"{t!r},{v!r}" for t, v in zip(times, values)]
    (tmp_path / "in.csv").write_text("time,tau\n" + "\n".join(lines) + "\n")
    command("simulate", folder, "--inputs", tmp_path / "in.csv", "-o", tmp_path / "out.csv")
    expected = (tmp_path / "out.csv").read_bytes()
    pandas = pytest.importorskip("pandas")
    model = mbfmu.load(folder)
    columns = {"time": times, "tau": np.array(values)}
    for inputs in (columns, pandas.DataFrame(columns), pandas.DataFrame({"tau": values}, index=times)):
        assert model.simulate(inputs=inputs).to_csv(tmp_path / "py.csv").read_bytes() == expected


def test_a_function_is_asked_at_every_communication_point():
    model, asked = mbfmu.load(PENDULUM), []

    def torque(t):
        asked.append(t)
        return math.sin(t)

    by_name = model.simulate(inputs={"tau": torque}, stop=1, step=0.1)
    assert asked == [k * 0.1 for k in range(10)]
    at_once = model.simulate(inputs=lambda t: {"tau": math.sin(t)}, stop=1, step=0.1)
    assert np.array_equal(by_name["hinge.phi"], at_once["hinge.phi"])
    held = model.simulate(parameters={"tau": 0.25}, stop=1)
    assert np.array_equal(held["hinge.phi"], model.simulate(inputs={"tau": 0.25}, stop=1)["hinge.phi"])
    assert not np.array_equal(held["hinge.phi"], model.simulate(stop=1)["hinge.phi"])


def test_variables_are_arrays_by_name_and_group():
    result = mbfmu.load(MODELS / "Billiards4").simulate(stop=1, outputs=["ball0.r_abs", "number_of_contacts", "energy"])
    assert result["ball0.r_abs"].shape == (len(result.time), 3)
    assert np.array_equal(result["ball0.r_abs"][:, 1], result["ball0.r_abs[2]"])
    assert result["number_of_contacts"].dtype.kind == "i"
    assert result.units["ball0.r_abs[1]"] == "m" and result.units["time"] == "s"
    assert result.final("ball0.r_abs").shape == (3,)
    assert "ball0.r_abs" in result and "ball9" not in result
    with pytest.raises(KeyError, match="did you mean `ball0.r_abs"):
        result["ball0.r_ab"]
    with pytest.raises(KeyError, match="simulate\\(outputs="):
        result["ball1.r_abs"]


def test_events_and_counters_are_kept():
    result = mbfmu.load(MODELS / "Billiards4").simulate(stop=2)
    assert result.stats["events"] > 0 and result.stats["model"] == "Billiards4"
    assert {event.kind for event in result.events} == {"contact"}
    assert all(0 <= event.time <= 2 for event in result.events)


def test_tables_for_other_tools(tmp_path):
    pytest.importorskip("pandas")
    parquet = pytest.importorskip("pyarrow.parquet")
    result = mbfmu.load(MODELS / "Pendulum").simulate(stop=1)
    frame = result.to_pandas()
    assert frame.index.name == "time" and list(frame.columns) == result.names
    assert frame.attrs["units"]["hinge.phi"] == "rad"
    read = parquet.read_table(result.to_parquet(tmp_path / "r.parquet")).to_pydict()
    assert read["time"] == result.time.tolist() and read["hinge.w"] == result["hinge.w"].tolist()


def test_a_plot_has_a_panel_for_every_unit(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = mbfmu.load(MODELS / "Pendulum").simulate(stop=1)
    figure = result.plot(file=tmp_path / "p.png")
    assert [axis.get_ylabel() for axis in figure.axes] == ["[rad]", "[rad/s]", "[m]"]
    assert len(result.plot("bob.r_abs").axes[0].lines) == 2 and (tmp_path / "p.png").stat().st_size > 1000
    with pytest.raises(KeyError, match="no variable"):
        result.plot("zebra*")


def test_a_view_is_a_page_and_a_frame_in_a_notebook(tmp_path):
    result = mbfmu.load(MODELS / "Pendulum").simulate(stop=1)
    view = result.view()
    assert 25 <= len(view) <= 32
    page = view.save(tmp_path / "v.html").read_text()
    assert page.startswith("<!DOCTYPE html>") or "<html" in page[:200]
    assert view._repr_html_().startswith("<iframe srcdoc=") and "<script" not in view._repr_html_()
    assert view.save(tmp_path / "v.glb").read_bytes().startswith(b"glTF")
    assert "hinge.phi" in result._repr_html_()
    with pytest.raises(mbfmu.UsageError, match="without pictures"):
        mbfmu.load(MODELS / "Pendulum").simulate(stop=1, fps=None).view()


def test_check_and_pack_are_those_of_the_command(command, tmp_path):
    model = mbfmu.load(MODELS / "Pendulum")
    assert str(model.check()) == command("check", MODELS / "Pendulum").strip()
    # The command may know other libraries, those of `make platforms`.
    [library] = (pathlib.Path(mbfmu.__file__).parent / "lib").glob("*.so")
    command("pack", MODELS / "Pendulum", "--library", library, "-o", tmp_path / "command.fmu")
    packed = model.pack(tmp_path / "python.fmu")
    assert packed.read_bytes() == (tmp_path / "command.fmu").read_bytes()
    assert model.description_xml == command("describe", MODELS / "Pendulum")


def test_the_command_writes_parquet_with_types_and_units(command, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    (tmp_path / "model.toml").write_text(PENDULUM)
    # More values than are kept in memory.
    options = ["--stop", 300, "--step", 0.01, "--all"]
    for ending in ("csv", "parquet"):
        command("simulate", "model.toml", *options, "-o", f"r.{ending}", cwd=tmp_path)
    table = pandas.read_parquet(tmp_path / "r.parquet")
    assert table.size > 2**20
    text = pandas.read_csv(tmp_path / "r.csv")
    pandas.testing.assert_frame_equal(table, text, check_exact=True, check_dtype=False)
    result = mbfmu.load(PENDULUM).simulate(stop=1, outputs="all")
    assert result.descriptions["der(hinge.w)"] == "acceleration of angle of hinge"
    assert table.attrs == {"units": result.units, "descriptions": result.descriptions, "complete": True}
    result.to_parquet(tmp_path / "python.parquet")
    command("simulate", "model.toml", "--stop", 1, "--all", "-o", "command.parquet", cwd=tmp_path)
    both = [pandas.read_parquet(tmp_path / f"{name}.parquet") for name in ("python", "command")]
    pandas.testing.assert_frame_equal(*both, check_exact=True)
    assert both[0].attrs == both[1].attrs


def test_what_a_failed_run_leaves_as_parquet_is_marked(pytestconfig, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    (tmp_path / "model.toml").write_text(PENDULUM.replace('torque = "tau"', 'torque = "sqrt(0.5 - time)"'))
    program = str(pathlib.Path(pytestconfig.getoption("--mbfmu")).resolve())
    simulate = [program, "simulate", "model.toml", "-o", "r.parquet"]
    done = subprocess.run(simulate, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "marked as incomplete" in done.stderr
    table = pandas.read_parquet(tmp_path / "r.parquet")
    assert table["(incomplete)"].all() and len(table) > 10 and table.attrs["complete"] is False


def test_inputs_among_the_outputs_are_kept():
    model = mbfmu.load(PENDULUM.replace('outputs = ["hinge.phi"', 'outputs = ["tau", "L", "hinge.phi"'))
    result = model.simulate(stop=0.1, inputs={"tau": lambda t: 2 * t})
    assert result.names[:2] == ["L", "tau"] and (result["tau"][1:] == 2 * result.time[:-1]).all()


def fail(text):
    """Runs a model that cannot go on; for another process."""
    mbfmu.load(text).simulate(stop=1)


def test_results_and_the_exceptions_that_have_them_can_be_pickled():
    model = mbfmu.load(PENDULUM)
    result = model.simulate(stop=0.5, outputs="all")
    again = pickle.loads(pickle.dumps(result))
    assert again.names == result.names and again.units == result.units and again.events == result.events
    assert all((again[name] == result[name]).all() and again[name].dtype == result[name].dtype for name in result.names)
    assert again.stats == result.stats and again.complete and again.view().html == result.view().html
    with pytest.raises(KeyError, match="did you mean `hinge.phi`"):
        again["hinge.phii"]
    failing = PENDULUM.replace('torque = "tau"', 'torque = "sqrt(0.25 - time)"')
    with pytest.raises(mbfmu.SimulationError) as caught:
        fail(failing)
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error) == str(caught.value) and not error.result.complete
    assert (error.result.time == caught.value.result.time).all()
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        with pytest.raises(mbfmu.SimulationError) as caught:
            executor.submit(fail, failing).result()
        assert len(caught.value.result) == len(error.result)
        elsewhere = executor.submit(mbfmu.Model.simulate, model, stop=0.5).result()
        assert elsewhere.final("hinge.phi") == result.final("hinge.phi")
    stopped = pickle.loads(pickle.dumps(mbfmu.Interrupted("stopped", result)))
    assert str(stopped) == "stopped" and stopped.result.names == result.names


def test_a_result_lists_its_names():
    result = mbfmu.load(PENDULUM).simulate(stop=0.1)
    assert list(result) == result.names and "hinge.phi" in result
    with pytest.raises(TypeError, match="by name, not by 0"):
        result[0]


def test_errors_of_inputs_name_input_and_time():
    model = mbfmu.load(PENDULUM)
    for inputs, message in [
        (lambda t: {"tau": "a" if t > 0.05 else 0}, r"the input `tau` is 'a' at t = 0.06 s, but must be a number"),
        (lambda t: None, r"the inputs are None at t = 0 s, but must be a dictionary"),
        (lambda t: 3.0, r"the inputs are 3.0 at t = 0 s"),
        ({"tau": lambda t: None}, r"the input `tau` is None at t = 0 s"),
        (lambda t: {"tau": float("nan")}, r"the input `tau` is nan at t = 0 s, but must be a finite number"),
        ({"time": [0, 1], "tau": [1, "a"]}, r"row 1: `tau` is 'a', but must be a number"),
        ({"time": [0, 1], "tau": [1, float("nan")]}, r"row 1: `tau` is NaN, but must be a finite number"),
    ]:
        with pytest.raises(mbfmu.UsageError, match=message):
            model.simulate(stop=0.2, inputs=inputs)
    with pytest.raises(mbfmu.SimulationError, match="variable `tau` is NaN, but must be a finite number"):
        model.session()["tau"] = float("nan")
    with pytest.raises(ZeroDivisionError):
        model.simulate(stop=0.2, inputs=lambda t: {"tau": 1 / t})


def test_unknown_inputs_are_the_same_mistake_in_every_form():
    pandas = pytest.importorskip("pandas")
    model = mbfmu.load(PENDULUM)
    frame = pandas.DataFrame({"taus": [0.0, 1.0]}, index=[0.0, 1.0])
    for inputs in (lambda t: {"taus": 1}, frame, {"time": [0], "taus": [1]}, {"taus": 1}):
        with pytest.raises(mbfmu.SimulationError) as caught:
            model.simulate(stop=0.1, inputs=inputs)
        assert caught.value.hint == "did you mean `tau`?" and "did you mean" not in caught.value.message
