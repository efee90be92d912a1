"""Exceptions say where, what and what would be right; nothing that was computed is lost."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import mbfmu
import pytest
from models import MODELS, PENDULUM

MODULE = os.path.dirname(os.path.dirname(mbfmu.__file__))


def test_a_mistake_has_file_line_object_and_hint(tmp_path):
    file = tmp_path / "model.toml"
    file.write_text(PENDULUM.replace('axis = "z"', 'axsi = "z"').replace('parent = "rod"', 'parent = "rood"'))
    with pytest.raises(mbfmu.ModelError) as caught:
        mbfmu.load(file)
    error = caught.value
    assert error.file == str(file) and error.object == "joints.hinge" and error.hint == "did you mean `axis`?"
    assert file.read_text().splitlines()[error.line - 1].startswith("axsi")
    assert "-->" in str(error) and "unknown key `axsi`" in error.problems[0].message + error.problems[-1].message
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.hint, str(again)) == (error.line, error.hint, str(error))


def test_a_mistake_in_a_built_model_names_its_object():
    model = mbfmu.Model("Wrong")
    model.objects.add("ball", free=True, solid=mbfmu.solid.sphere(diameter="D", material="Steel"))
    with pytest.raises(mbfmu.ModelError, match="D") as caught:
        model.check()
    assert caught.value.object == "objects.ball" and caught.value.line


def test_wrong_arguments():
    model = mbfmu.load(PENDULUM)
    with pytest.raises(mbfmu.UsageError, match="before the start time"):
        model.simulate(stop=-1)
    with pytest.raises(mbfmu.SimulationError, match="there is no parameter or input `l`") as caught:
        model.simulate(parameters={"l": 1})
    assert caught.value.object == "l" and "L" in caught.value.hint
    with pytest.raises(mbfmu.Error, match="did you mean `hinge.phi`"):
        model.simulate(outputs=["hinge.phii"])
    with pytest.raises(mbfmu.ModelError, match="no model"):
        mbfmu.load("nowhere")
    for read in (mbfmu.load, mbfmu.from_urdf):
        for name in ("nowhere.toml", "nowhere.urdf"):
            with pytest.raises(mbfmu.ModelError, match=name) as caught:
                read(name)
            assert caught.value.problems[0].message == caught.value.message
    with pytest.raises(mbfmu.UsageError, match="no times"):
        model.simulate(inputs={"tau": [1, 2]})
    with pytest.raises(mbfmu.Error, match="0.01"):
        model.simulate(parameters={"L": -1})


def test_words_that_an_argument_may_be_are_known_to_type_checkers(tmp_path):
    pytest.importorskip("mypy")
    file = tmp_path / "wrong.py"
    file.write_text("import mbfmu\nm = mbfmu.from_urdf('a', drive='servo')\nmbfmu.sweep(m, {}, sampling='random')\n")
    check = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(file)]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "MYPYPATH": MODULE})
    lines = [line for line in done.stdout.splitlines() if "wrong.py" in line]
    assert len(lines) == 2 and "drive" in lines[0] and "sampling" in lines[1], done.stdout


def test_packing_for_other_platforms_says_what_can_be_done():
    pack = [sys.executable, "-m", "mbfmu", "pack", str(MODELS / "Pendulum"), "--platforms", "win64", "-o", os.devnull]
    done = subprocess.run(pack, capture_output=True, text=True)
    assert done.returncode == 1 and "there is no library for win64" in done.stderr
    assert "this installation brings that of its own platform" in done.stderr and "--library" in done.stderr


def test_nothing_is_plotted_for_an_empty_list_of_names():
    result = mbfmu.load(PENDULUM).simulate(stop=0.1)
    pytest.importorskip("matplotlib")
    with pytest.raises(mbfmu.UsageError, match="nothing to plot: the list of names is empty"):
        result.plot([])
    with pytest.raises(mbfmu.UsageError, match="plotted by name, not by 3"):
        result.plot([3])
    assert len(result.plot(["hinge.phi", "hinge.w"]).axes) == 2


def test_a_run_that_fails_keeps_what_was_computed():
    model = mbfmu.load(PENDULUM.replace('torque = "tau"', 'torque = "sqrt(0.5 - time)"'))
    with pytest.raises(mbfmu.SimulationError) as caught:
        model.simulate(step=0.1)
    result = caught.value.result
    assert not result.complete and 0.3 < result.time[-1] <= 0.5
    assert len(result["hinge.phi"]) == len(result.time) and model.last_result is result
    assert len(result.view()) > 0


def test_an_exception_in_a_function_ends_the_run():
    def torque(t):
        if t > 0.5:
            raise RuntimeError("enough")
        return 0.0

    with pytest.raises(RuntimeError, match="enough") as caught:
        mbfmu.load(PENDULUM).simulate(inputs={"tau": torque})
    assert caught.value.result.time[-1] > 0.5


def test_files_of_a_run_that_failed_say_so(tmp_path):
    model = mbfmu.load(PENDULUM.replace('torque = "tau"', 'torque = "sqrt(0.45 - time)"'))
    with pytest.raises(mbfmu.SimulationError):
        model.simulate(step=0.1)
    result = model.last_result
    lines = result.to_csv(tmp_path / "r.csv").read_text().splitlines()
    assert lines[0].endswith(",(incomplete)") and len(lines) == 6 and all(line.endswith(",1") for line in lines[1:])
    assert result.to_pandas().attrs["complete"] is False
    assert mbfmu.load(PENDULUM).simulate(stop=0.1).to_pandas().attrs["complete"] is True


def test_the_limit_of_wall_time_ends_a_run_in_the_middle_of_a_step():
    model = mbfmu.load(PENDULUM.replace('torque = "tau"', 'torque = "sin(100*time)"'))
    with pytest.raises(mbfmu.SimulationError, match="the limit of 0.2 s of wall time is reached") as caught:
        model.simulate(stop=1e9, step=1e9, parameters={"max_work": 1e300}, wall_limit=0.2)
    assert len(caught.value.result) == 1
    with pytest.raises(mbfmu.UsageError, match="must be positive"):
        model.simulate(wall_limit=0)


@pytest.mark.parametrize("how", ["stop=1e5, step=0.001", "stop=1e5, step=1e5, parameters={'max_work': 1e300}"])
def test_an_interrupt_stops_and_keeps_what_was_computed(how):
    # A shell that starts this in the background lets its children ignore interrupts.
    script = textwrap.dedent(f"""
        import signal
        import mbfmu
        signal.signal(signal.SIGINT, signal.default_int_handler)
        model = mbfmu.load({str(MODELS / 'DoublePendulum')!r})
        print("ready", flush=True)
        try:
            model.simulate({how}, fps=None)
        except KeyboardInterrupt as stopped:
            result = stopped.result
            print(isinstance(stopped, mbfmu.Interrupted), result.complete, len(result) > 0, result is model.last_result)
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=30)[0] == "True False True True\n"
        finally:
            process.kill()


def test_other_threads_go_on_during_a_run():
    model, counted = mbfmu.load(MODELS / "Billiards16"), []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    model.simulate(stop=2, fps=None)
    seconds = time.perf_counter() - begin
    stop.set()
    thread.join()
    during = [moment for moment in counted if begin < moment < begin + seconds]
    assert len(during) > 10, f"{len(during)} turns in {seconds} s"


def test_a_package_that_is_missing_is_named_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(mbfmu.MissingPackage, match=r"pip install 'mbfmu\[pandas\]'"):
        mbfmu.load(PENDULUM).simulate(stop=0.1).to_pandas()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 'mbfmu\[plot\]'"):
        mbfmu.load(PENDULUM).simulate(stop=0.1).plot()


def test_a_bar_shows_progress(capsys):
    pytest.importorskip("tqdm")
    mbfmu.load(MODELS / "Billiards16").simulate(stop=1, step=0.001, progress=True)
    assert "s [" in capsys.readouterr().err
    mbfmu.load(MODELS / "Billiards16").simulate(stop=0.1)
    assert capsys.readouterr().err == ""


def test_a_time_that_is_no_number_is_named():
    with pytest.raises(TypeError, match="stop must be a number of seconds, not 'a'"):
        mbfmu.load(MODELS / "DoublePendulum").simulate(stop="a")
