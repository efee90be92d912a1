"""Models step by step."""

import importlib.util
import pickle
import signal
import subprocess
import sys
import time

import mbfmu
import numpy as np
import pytest
from models import MODELS, PENDULUM, ROOT


def test_steps_give_the_bits_of_a_run():
    model = mbfmu.load(MODELS / "Billiards4")
    result = model.simulate(stop=1)
    session = model.session()
    for k, t in enumerate(result.time):
        session.step_to(t)
        assert [session.get(name) for name in result.names] == [result[name][k] for name in result.names]


def test_values_are_got_and_set_by_name():
    session = mbfmu.load(PENDULUM).session(step=0.01, parameters={"L": 2})
    assert session.time == 0 and session["L"] == 2 and session.get("hinge.phi") == 0.5
    assert isinstance(session["tip.r_abs"], np.ndarray) and session["tip.r_abs"].shape == (3,)
    assert session.get(["hinge.phi", "L"]) == [0.5, 2.0]
    session["tau"] = 3.0
    session.step()
    session.step(0.02)
    assert session.time == 0.01 + 0.02 and session["tau"] == 3.0
    with pytest.raises(mbfmu.SimulationError, match="did you mean `hinge.phi`"):
        session.get("hinge.phii")
    with pytest.raises(mbfmu.SimulationError, match="parameter"):
        session["L"] = 1.0
    with pytest.raises(mbfmu.Error, match="not possible"):
        session.step(-1.0)
    with pytest.raises(TypeError):
        session["tau"] = [1]
    session.reset({"L": 1})
    assert session.time == 0 and session["L"] == 1 and session["tau"] == 0


def test_a_state_is_restored_here_and_elsewhere_with_the_same_bits():
    model = mbfmu.load(MODELS / "Billiards4")
    session = model.session(step=0.01)
    for _ in range(30):
        session.step()
    state = session.state()

    def go_on(session):
        values = []
        for _ in range(20):
            session.step()
            values.append(tuple(session["ball0.r_abs"]))
        return values

    expected = go_on(session)
    session.restore(state)
    assert session.time == state.time and go_on(session) == expected
    elsewhere = mbfmu.load(MODELS / "Billiards4").session(step=0.01)
    elsewhere.restore(pickle.loads(pickle.dumps(state)))
    assert go_on(elsewhere) == expected
    with pytest.raises(mbfmu.UsageError, match="another model"):
        mbfmu.load(PENDULUM).session().restore(state)
    with pytest.raises(mbfmu.UsageError, match="no state"):
        mbfmu.State.from_bytes(b"rubbish")
    whole = state.to_bytes()
    for place in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[place] ^= 0x41
        with pytest.raises(mbfmu.UsageError, match="no state"):
            mbfmu.State.from_bytes(bytes(changed))


def test_a_step_that_fails_leaves_the_session_where_it_was():
    session = mbfmu.load(PENDULUM.replace('torque = "tau"', 'torque = "sqrt(0.5 - time)"')).session(step=0.1)
    for _ in range(4):
        session.step()
    before = session.time, session["hinge.phi"]
    with pytest.raises(mbfmu.SimulationError):
        session.step(0.5)
    assert (session.time, session["hinge.phi"]) == before


def test_a_controller_in_python_costs_microseconds():
    """1 kHz: what a step costs beside that of the model, which is the time of the same steps in one call."""
    model, steps = mbfmu.load(PENDULUM), 5000
    # Every torque holds over its step: two rows of the same time are a jump.
    times = [k * 1e-3 for step in range(steps) for k in (step, step + 1)]
    costs = []
    for _ in range(5):
        session, torques = model.session(step=1e-3), []
        begin = time.process_time()
        for _ in range(steps):
            torque = -2.0 * session["hinge.phi"] - 0.5 * session["hinge.w"]
            session["tau"] = torque
            torques.append(torque)
            session.step()
        controlled = time.process_time() - begin
        begin = time.process_time()
        result = model.simulate(
            stop=steps * 1e-3, step=1e-3, fps=None, outputs=["hinge.phi", "hinge.w"],
            inputs={"time": times, "tau": [torque for torque in torques for _ in range(2)]},
        )
        alone = time.process_time() - begin
        assert abs(result.final("hinge.phi") - session["hinge.phi"]) < 1e-6
        costs.append((controlled - alone) / steps * 1e6)
    print(f"{min(costs):.1f} µs a step beside the {alone / steps * 1e6:.1f} µs of the model")
    assert min(costs) < 10


def test_equal_steps_end_at_the_points_of_a_run():
    model = mbfmu.load(PENDULUM)
    result = model.simulate(stop=1, step=0.1)
    session = model.session(step=0.1)
    steps = 0
    while session.time < 1:
        session.step()
        steps += 1
        if steps == 4:
            session.restore(pickle.loads(pickle.dumps(session.state())))
        assert session.time == steps * 0.1 and session["hinge.phi"] == result["hinge.phi"][steps]
    assert steps == 10 and session.time == 1
    session = model.session(start=0.7)
    for _ in range(3):
        session.step(0.1)
    assert session.time == 0.7 + 3 * 0.1
    session.step(0.25)
    session.step(0.1)
    assert session.time == 0.7 + 3 * 0.1 + 0.25 + 0.1


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_stops_a_step_and_leaves_the_session_where_it_was():
    code = f"""
import signal, time
import mbfmu
signal.signal(signal.SIGINT, signal.default_int_handler)
session = mbfmu.load({PENDULUM!r}).session(parameters={{"max_work": 1e300}})
session.step(0.5)
before = session.time, session["hinge.phi"]
print("ready", flush=True)
begin = time.monotonic()
try:
    session.step(1e9)
except mbfmu.Interrupted as error:
    after = session.time, session["hinge.phi"]
    session.step(0.5)
    print(time.monotonic() - begin, after == before, session.time, error)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    took, same, reached, *words = rest.split()
    assert same == "True" and reached == "1.0" and float(took) < 2
    assert "the session is at t = 0.5 s" in " ".join(words)


def test_the_environment_of_the_example_learns_nothing_but_works():
    file = ROOT / "examples" / "python" / "cartpole.py"
    specification = importlib.util.spec_from_file_location("cartpole", file)
    cartpole = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(cartpole)
    environment = cartpole.CartPole()
    first, _ = environment.reset(seed=1)
    again, _ = environment.reset(seed=1)
    assert np.array_equal(first, again)
    observation, reward, terminated, truncated, _ = environment.step(1)
    assert observation.shape == (4,) and reward == 1.0 and not terminated and not truncated
    if importlib.util.find_spec("gymnasium"):
        from gymnasium.utils.env_checker import check_env

        check_env(environment, skip_render_check=True)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "balanced" in done.stdout, done.stderr
