"""Robots of other formats are the models that the command makes of them."""

import pickle

import mbfmu
import numpy as np
import pytest
from models import ROOT

DATA = ROOT / "crates" / "cli" / "tests" / "data"
TETRAHEDRON = "v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
ARM = """<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://arm_parts/hand.obj"/></geometry></visual>
    <collision><geometry><mesh filename="package://arm_parts/hand.obj"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="2"/>
  </joint>
  <transmission name="drive"/>
</robot>
"""


@pytest.fixture
def arm(tmp_path):
    """A robot with a mesh in a package that is not around it."""
    package = tmp_path / "elsewhere" / "arm_parts"
    package.mkdir(parents=True)
    (package / "hand.obj").write_text(TETRAHEDRON)
    (tmp_path / "robot").mkdir()
    path = tmp_path / "robot" / "arm.urdf"
    path.write_text(ARM)
    return path


def same(command, tmp_path, model, robot, *arguments, **run):
    """Whether a model is the one of `mbfmu import`, to the last bit of a run."""
    command("import", robot, "-o", tmp_path / "imported", *arguments)
    imported = mbfmu.load(tmp_path / "imported")
    assert imported == model and imported.name == model.name
    ours, theirs = model.simulate(outputs="all", **run), imported.simulate(outputs="all", **run)
    assert ours.names == theirs.names and len(ours.names) > 5
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours.names)


@pytest.mark.filterwarnings("ignore::mbfmu.RobotWarning")
@pytest.mark.parametrize("options, arguments", [
    ({}, []),
    ({"drive": "position", "limits": False}, ["--drive", "position", "--no-limits"]),
    ({"base": "floating", "drive": "none", "shapes": "visual"}, ["--base", "floating", "--drive", "none", "--shapes", "visual"]),
], ids=["plain", "servos", "floating"])
def test_a_urdf_is_the_model_of_the_command(command, tmp_path, arm, options, arguments):
    model = mbfmu.from_urdf(arm, packages=[tmp_path / "elsewhere"], **options)
    assert list(model.files) == ["meshes/hand.obj"]
    assert mbfmu.from_urdf(arm, packages=str(tmp_path / "elsewhere"), **options) == model
    same(command, tmp_path, model, arm, "--package-path", tmp_path / "elsewhere", *arguments, stop=0.2)


@pytest.mark.filterwarnings("ignore::mbfmu.RobotWarning")
def test_an_mjcf_is_the_model_of_the_command(command, tmp_path):
    legs = DATA / "legs.xml"
    same(command, tmp_path, mbfmu.from_mjcf(legs, limits=False), legs, "--no-limits", stop=0.2)
    assert mbfmu.load(legs) == mbfmu.from_mjcf(legs)


def test_what_was_not_taken_over_is_told(arm):
    with pytest.warns(mbfmu.RobotWarning, match="import_notes") as caught:
        model = mbfmu.from_urdf(arm)
    assert caught[0].filename == __file__
    note = next(note for note in model.import_notes if "transmission" in note.element)
    assert note.file == str(arm) and ARM.splitlines()[note.line - 1].strip().startswith("<transmission")
    assert str(note).startswith(f"{arm}:{note.line}: <transmission \"drive\">: ignored")
    # Without the folder of the package, the mesh is one of the things that are missing.
    assert any("hand.obj" in note.message for note in model.import_notes) and not model.files
    assert mbfmu.Model("Empty").import_notes == []


@pytest.mark.filterwarnings("ignore::mbfmu.RobotWarning")
def test_a_robot_can_be_changed_written_packed_pickled_and_read_again(command, tmp_path, arm):
    model = mbfmu.from_urdf(arm, packages=[tmp_path / "elsewhere"])
    again = mbfmu.load(model.to_toml(), files=model.files)
    assert again == model
    (tmp_path / "copy").mkdir()
    model.to_toml(tmp_path / "copy" / "model.toml")
    assert mbfmu.load(tmp_path / "copy") == model
    command("check", model.pack(tmp_path / "arm.fmu"))
    copy = pickle.loads(pickle.dumps(model))
    assert copy == model and copy.files == model.files and copy.import_notes == model.import_notes
    before = model.simulate(stop=0.5, outputs="hinge.phi", parameters={"hinge_tau": 3}).final("hinge.phi")
    model.joints["hinge"]["damping"] = 5
    after = model.simulate(stop=0.5, outputs="hinge.phi", parameters={"hinge_tau": 3}).final("hinge.phi")
    assert 0 < after < before


def test_mistakes_stand_in_the_description(tmp_path, arm):
    arm.write_text(ARM.replace('<child link="rod"/>', '<child link="rood"/>'))
    with pytest.raises(mbfmu.ModelError, match="there is no link `rood`") as caught:
        mbfmu.from_urdf(arm)
    assert caught.value.file == str(arm) and "rood" in arm.read_text().splitlines()[caught.value.line - 1]
    with pytest.raises(mbfmu.ModelError, match="does not exist"):
        mbfmu.from_urdf(tmp_path / "nothing.urdf")


def test_wrong_options_and_formats_are_named(arm):
    with pytest.raises(mbfmu.UsageError, match='`drive` cannot be "servo"; it is one of "torque", "position"'):
        mbfmu.from_urdf(arm, drive="servo")
    with pytest.raises(mbfmu.UsageError, match="legs.xml is an MJCF file; read it with `from_mjcf`"):
        mbfmu.from_urdf(DATA / "legs.xml")
    with pytest.raises(mbfmu.UsageError, match="is a URDF file; read it with `from_urdf`"):
        mbfmu.from_mjcf(arm)
