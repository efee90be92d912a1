"""The Python in the documentation runs."""

import os
import pathlib
import re
import warnings

import mbfmu
import numpy as np
import pytest
from models import PENDULUM, ROOT

PAGES = ["README.md", "crates/python/README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?:<!-- needs: (?P<needs>\w+) -->\n)?```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
ARM = re.compile(r"^```toml\n(?P<model>name = \"Arm\".*?)^```$", re.MULTILINE | re.DOTALL)
ROBOT = """<robot name="panda">
  <link name="base"/>
  <link name="link1"><inertial><origin xyz="0 0 0.2"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="panda_joint1" type="continuous"><parent link="base"/><child link="link1"/><axis xyz="0 1 0"/></joint>
  <transmission name="drive"/>
</robot>
"""


def blocks(page):
    return [(match["code"], match["needs"]) for match in BLOCK.finditer((ROOT / page).read_text(encoding="utf-8"))]


@pytest.fixture
def desk(tmp_path, monkeypatch, command):
    """A folder with what the pages take for granted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    os.symlink(ROOT / "fmus", tmp_path / "fmus")
    (tmp_path / "panda.urdf").write_text(ROBOT)
    (tmp_path / "humanoid.xml").write_text((ROOT / "crates" / "cli" / "tests" / "data" / "legs.xml").read_text())
    (tmp_path / "model.toml").write_text(PENDULUM.replace('axis = "z"', 'axsi = "z"'))
    (tmp_path / "Panda").mkdir()
    (tmp_path / "Arm").mkdir()
    (tmp_path / "Arm" / "model.toml").write_text(ARM.search((ROOT / "docs/cookbook/feedforward.md").read_text())["model"])
    command("new", "Swing")
    command("new", "Pendulum")
    command("new", "MyRobot", "--template", "robot")
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)])
def test_the_examples_of_a_page_run_one_after_the_other(desk, command, page):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    names = {"np": np}
    for code, needs in blocks(page):
        if needs == "fmpy":
            pytest.importorskip("fmpy")
            command("pack", "MyRobot")
        if "import fmpy" in code:
            pytest.importorskip("fmpy")
            command("pack", "fmus/Pendulum")
        if page == "docs/python.md":
            # Few runs, and the model that the text means.
            code = code.replace("n=500", "n=4")
            if "mbfmu.sweep(m" in code or "m.session(" in code:
                names["m"] = mbfmu.load(PENDULUM)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mbfmu.RobotWarning)
            exec(compile(code, page, "exec"), names)
    assert pathlib.Path("Panda/model.toml").exists() or page != "docs/python.md"
    if page == "docs/tutorial/10.md":
        assert names["robot"]["box.r_abs[3]"] >= 0.1 and names["robot"].time < 4
