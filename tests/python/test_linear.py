"""Equilibria and linearised models against the command and closed forms."""

import json
import signal
import subprocess
import sys
import textwrap
import time

import mbfmu
import pytest
from models import MODELS, PENDULUM

np = pytest.importorskip("numpy")


def pendulum():
    return mbfmu.load(PENDULUM)


def test_an_equilibrium_is_a_start_at_which_a_model_rests():
    model = pendulum()
    found = model.equilibrium(fix="hinge.phi", trim="tau")
    hinge = found.coordinates["hinge.phi"]
    assert (hinge.position, hinge.role, hinge.unit) == (0.5, "held", "rad")
    assert found.trims["tau"] == found["tau"] != 0
    result = model.starting_from(found).simulate()
    assert np.ptp(result["hinge.phi"]) < 1e-7 and result["hinge.phi"][0] == 0.5
    assert model.equilibrium(trim="tau", targets={"hinge.phi": 0.5})["tau"] == pytest.approx(found["tau"])
    assert "found" in str(model.equilibrium())


def test_a_linear_model_is_that_of_the_equilibrium_that_is_asked_for():
    model = pendulum()
    held = model.linearize(equilibrium=True, fix="hinge.phi", trim="tau")
    found = model.equilibrium(fix="hinge.phi", trim="tau")
    assert held.A[1, 0] == pytest.approx(model.starting_from(found).linearize().A[1, 0])
    assert held.A[1, 0] == pytest.approx(np.cos(0.5) * model.linearize(equilibrium=True).A[1, 0])
    with pytest.raises(ValueError, match="equilibrium=True"):
        model.linearize(fix="hinge.phi")


def test_ctrl_c_ends_the_search_for_an_equilibrium():
    script = textwrap.dedent(f"""
        import signal
        import mbfmu
        signal.signal(signal.SIGINT, signal.default_int_handler)
        model = mbfmu.load({str(MODELS / "SpherePile")!r})
        print("ready", flush=True)
        try:
            model.equilibrium(parameters={{"n": 300}})
        except KeyboardInterrupt:
            print("stopped")
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=20)[0] == "stopped\n"
        finally:
            process.kill()


def test_what_cannot_rest_is_an_error():
    with pytest.raises(mbfmu.Error, match="`hinge.phi` cannot rest where it is held"):
        pendulum().equilibrium(fix="hinge")


def test_a_linear_model_is_that_of_the_command(command, tmp_path):
    model = pendulum()
    linear = model.linearize(equilibrium=True)
    assert linear.states == ["hinge.phi", "hinge.w"] and linear.inputs == ["tau"]
    # A rod of 1 m: omega² = 3 g/(2 L), up to the thickness of the rod.
    assert linear.frequencies[0] == pytest.approx(np.sqrt(1.5 * 9.81) / (2 * np.pi), rel=2e-3)
    assert linear.A[0].tolist() == [0, 1] and linear.units["hinge.w"] == "rad/s"
    (tmp_path / "model.toml").write_text(PENDULUM)
    command("linearize", tmp_path, "--equilibrium", "-o", tmp_path / "lin.json")
    assert json.loads((tmp_path / "lin.json").read_text())["A"] == linear.A.tolist()
    command("linearize", tmp_path, "--equilibrium", "-o", tmp_path / "lin.npz")
    with np.load(tmp_path / "lin.npz") as file:
        assert file["A"].tolist() == linear.A.tolist() and list(file["states"]) == linear.states
        assert file["eigenvalues"].tolist() == linear.eigenvalues.tolist()
    gain = linear.response([0])[0, linear.outputs.index("hinge.phi"), 0]
    assert gain == pytest.approx(-linear.B[1, 0] / linear.A[1, 0])


BALL = """
name = "Ball"
gravity = [0, 0, -9.81]
outputs = ["z.s"]
[[material_pairs]]
materials = ["Steel", "Steel"]
cor = 0.5
mu_k = 0
[objects.floor]
fixed = true
solid = { shape = "half_space", material = "Steel", collides = true }
[objects.ball]
solid = { shape = "sphere", diameter = 0.2, material = "Steel", collides = true }
[joints.z]
type = "prismatic"
from = "world"
to = "ball"
axis = "z"
collides = true
s = 0.6
"""


def test_a_contact_is_damped_at_a_start_as_at_the_equilibrium():
    model = mbfmu.load(BALL)
    found = model.equilibrium()
    assert any("`ball` by 0.5" in note for note in found.notes)
    at_rest, at_start = model.linearize(equilibrium=True), model.starting_from(found).linearize()
    assert at_start.A == pytest.approx(at_rest.A, rel=1e-4)
    assert at_rest.A[1, 1] ** 2 <= 4 * abs(at_rest.A[1, 0]) * (1 + 1e-6)
    assert at_start.notes == []
