"""Models built in Python, and models as text."""

import pathlib
import pickle
import subprocess
import sys

import mbfmu
import numpy as np
import pytest
from models import MODELS, PENDULUM, ROOT

# A component of its own is in this one, which the package does not have.
ALL = sorted(path.parent.name for path in MODELS.glob("*/model.toml") if path.parent.name != "VanDerPol")


@pytest.mark.parametrize("name", ALL)
def test_a_model_written_as_text_is_the_same_model(name):
    model = mbfmu.load(MODELS / name)
    again = mbfmu.load(model.to_toml())
    assert again == model
    assert again.name == name


def test_a_pendulum_built_here_is_the_one_of_the_file():
    m = mbfmu.Model("Swing", gravity=[0, -9.81, 0], experiment={"stop": 2, "step": 0.02, "tolerance": 1e-8})
    m.parameters.add("L", 1.0, unit="m", min=0.01)
    m.parameters.add("phi0", 0.5, unit="rad")
    m.inputs.add("tau", unit="N.m")
    rod = m.objects.add("rod", solid=mbfmu.solid.box(lengths=[0.04, "L", 0.04], r=[0, "-L/2", 0], material="Steel"))
    tip = m.objects.add("tip", parent=rod, r=[0, "-L", 0], expose=True)
    m.joints.revolute("hinge", from_="world", to=rod, axis="z", phi="phi0", torque="tau")
    m.outputs = ["hinge.phi", "hinge.w"]
    m.output(f"{tip}.r_abs")
    m.output("energy")
    assert m == mbfmu.load(PENDULUM)
    assert np.array_equal(m.simulate()["hinge.phi"], mbfmu.load(PENDULUM).simulate()["hinge.phi"])


def test_every_part_of_a_model_can_be_built():
    m = mbfmu.Model("Parts", description="A bit of everything", gravity=[0, 0, -9.81])
    m.tables.add("push", points=[[0, 0], [1, 5]])
    m.materials.add("Brass", density=8500, youngs_modulus=1e11, poissons_ratio=0.35)
    m.material_pair("Brass", "Steel", cor=0.6, mu_k=0.4, mu_r=0.001)
    ground = m.objects.add("ground", fixed=True, solid=mbfmu.solid.box(lengths=[1, 1, 0.1], r=[0, 0, -0.05], material="Steel", massless=True, collides=True))
    ball = m.objects.add("ball", free={"v": [0.1, 0, 0]}, r=[0, 0, 0.1], lockable=False,
                         solid=mbfmu.solid.sphere(diameter=0.05, material="Brass", collides=True),
                         visual=mbfmu.visual.cone(axis="z", diameter=0.01, length=0.02, color="red"))
    block = m.objects.add("block", solid=mbfmu.solid.box(lengths=np.array([0.1, 0.1, 0.1]), r=[0, 0, 0.3], mass=np.float64(2)))
    m.joints.prismatic("slide", from_="world", to=block, axis="x", damping=3, stops={"lower": -0.2, "upper": 0.2, "stiffness": 1e4}, force="drive.y")
    m.forces.spring_damper("coil", from_=ground, to=block, stiffness=10, rest_length=0.3, damping=0.1)
    m.forces.world("wind", at=block, force=["push(time)", 0, 0])
    m.sensors.motion("gauge", frame=block, measure=["velocity"])
    m.components.pi("drive", u="0.05 - slide.s", k=20, T=0.5)
    m.components.sum("both", u1="slide.s", k=[1, 2], u2="slide.v")
    arm = m.assembly("Arm", "A link")
    arm.parameters.add("L", 1.0)
    arm.objects.add("link", solid=mbfmu.solid.capsule(axis="x", diameter=0.05, length="L", r=["L/2", 0, 0], mass=1))
    arm.objects.add("end", parent="link", r=["L", 0, 0])
    arm.joints.revolute("rev", from_="origin", to="link", axis="y")
    m.instances.add("arms", assembly=arm.name, count=2, r=[0, "i", 1], arguments={"L": "0.5*i"})
    m.actions.add("note", steps=[{"wait": 0.1}, {"until": "slide.s > 10"}])
    m.output("x", "slide.s", unit="m")
    m.output("arms[2].rev.phi")
    assert mbfmu.load(m.to_toml()) == m
    result = m.simulate(stop=0.2)
    assert result.complete and set(result.names) == {"x", "arms[2].rev.phi"}
    assert m.check().joints == 3


def test_changes_count_and_names_are_taken_once():
    m = mbfmu.load(PENDULUM)
    before = m.simulate(stop=1).final("hinge.phi")
    m.joints["hinge"]["damping"] = 1.0
    assert m.simulate(stop=1).final("hinge.phi") != before
    del m.joints["hinge"]["damping"]
    assert m.simulate(stop=1).final("hinge.phi") == before and m == mbfmu.load(PENDULUM)
    with pytest.raises(ValueError, match="there is a joint `hinge` already"):
        m.joints.fixed("hinge", from_="world", to="rod")
    with pytest.raises(ValueError, match="there is an object `rod` already"):
        m.objects.add("rod", free=True)
    assert list(m.objects) == ["rod", "tip"]


def test_a_model_goes_to_another_process_with_its_files():
    model = mbfmu.load(MODELS / "MeshBody")
    again = pickle.loads(pickle.dumps(model))
    assert again == model
    assert np.array_equal(again.simulate(stop=0.1).time, model.simulate(stop=0.1).time)


def test_a_file_is_written(tmp_path):
    model = mbfmu.load(MODELS / "MeshBody")
    model.to_toml(tmp_path / "new" / "folder" / "copy.toml")
    model.to_toml(tmp_path / "copy.toml")
    assert mbfmu.load(tmp_path / "copy.toml") == model


def test_variables_and_schema():
    variables = mbfmu.load(PENDULUM).variables
    assert variables["L"].role == "parameter" and variables["L"].min == 0.01 and variables["L"].unit == "m"
    assert variables["tau"].role == "input" and variables["hinge.phi"].role == "output"
    assert '"$schema"' in mbfmu.schema()


def test_the_builder_is_what_the_format_asks_for():
    subprocess.run([sys.executable, ROOT / "crates" / "python" / "generate.py", "--check"], check=True)


def test_the_types_hold(tmp_path):
    pytest.importorskip("mypy")
    use = tmp_path / "use.py"
    use.write_text(
        "import mbfmu\n"
        "m = mbfmu.Model('A')\n"
        "rod: str = m.objects.add('rod', solid=mbfmu.solid.sphere(diameter=1, mass=1))\n"
        "m.joints.revolute('hinge', from_='world', to=rod, axis='z', stops={'lower': 0, 'stiffness': 1})\n"
        "r: mbfmu.Result = m.simulate(stop=1, parameters={'L': 1}, inputs=lambda t: {'F': t})\n"
        "n: int = len(r['hinge.phi'])\n"
        "s: mbfmu.Session = m.session()\n"
        "s.step(0.1)\n"
    )
    package = pathlib.Path(mbfmu.__file__).parent
    check = [sys.executable, "-m", "mypy", "--config-file", ROOT / "crates" / "python" / "pyproject.toml"]
    done = subprocess.run([*check, package, use], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    use.write_text("import mbfmu\nmbfmu.Model('A').joints.revolute('hinge', from_='world', to=1, axis='z')\n")
    done = subprocess.run([*check, use], cwd=tmp_path, capture_output=True, text=True)
    assert 'Argument "to"' in done.stdout
