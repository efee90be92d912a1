"""The command for Windows does what that for Linux does, to the byte."""

import os
import shutil
import subprocess

import pytest

from machines import KINDS, WINE
from model import FOLDERS

#: With a picture, meshes, contacts, a closed loop, a structure that changes.
PACKED = ("Billiards16", "MeshBody", "CarOnTerrain", "FourBar", "YouBotAttach")
DATE = {"SOURCE_DATE_EPOCH": "1700000000"}


class Desk:
    """A folder in which a command works."""

    def __init__(self, folder, command, environment, is_noise=lambda line: False):
        self.folder, self.command, self.environment, self.is_noise = folder, command, environment, is_noise
        folder.mkdir()

    def run(self, *arguments, code=0):
        """What the command says, with the separators of Linux."""
        done = subprocess.run([*self.command, *map(str, arguments)], cwd=self.folder, env=self.environment, capture_output=True, text=True, errors="replace", timeout=600)
        said = "".join(line for line in (done.stdout + done.stderr).splitlines(True) if not self.is_noise(line))
        assert done.returncode == code, said
        return said.replace("\\", "/")

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def installed(machines, pytestconfig):
    """The command with the libraries of all platforms, as a user unpacks them; and the machine that it is for."""
    if "win64" not in machines:
        pytest.skip(KINDS["win64"][0].why_missing or "no library; `make platforms` says why")
    libraries = pytestconfig.getoption("--libraries")
    machine = machines["win64"]
    folder = machine.folder / "command"
    shutil.copytree(libraries, folder / "platforms")
    for file in (libraries / "win64" / "mbfmu.exe", libraries / "win64" / "mbfmu_shell.dll", machine.folder / "bcryptprimitives.dll"):
        shutil.copy(file, folder)
    return folder / "mbfmu.exe", machine


@pytest.fixture
def desks(installed, mbfmu, tmp_path):
    """One with the command for Linux, one with that for Windows."""
    program, machine = installed
    windows = Desk(tmp_path / "windows", [WINE, program], machine.environment() | DATE, machine.is_noise)
    return Desk(tmp_path / "linux", [mbfmu], os.environ | DATE), windows


def test_a_model_goes_all_the_way(desks):
    said = []
    for desk in desks:
        said.append(desk.run("new", "Swing"))
        said.append(desk.run("check", "Swing"))
        desk.run("simulate", "Swing", "-o", "native.csv")
        desk.run("plot", "Swing", "hinge.phi", "-o", "swing.svg")
        desk.run("plot", "native.csv", "-o", "swing.png")
        desk.run("view", "Swing", "--stop", "1")
        desk.run("pack", "Swing")
        desk.run("check", "Swing.fmu")
        desk.run("simulate", "Swing.fmu", "-o", "fmu.csv")
        said.append(desk.run("describe", "Swing.fmu", "--libraries"))
    assert said[:3] == said[3:] and "win64" in said[2]
    linux, windows = (desk.files() for desk in desks)
    assert set(linux) == set(windows) >= {"native.csv", "swing.svg", "swing.png", "Swing.html", "Swing.fmu"}
    assert [name for name in linux if linux[name] != windows[name]] == []
    assert windows["fmu.csv"] == windows["native.csv"]


@pytest.mark.parametrize("name", PACKED)
def test_archives_packed_on_windows_are_those_packed_on_linux(desks, installed, name):
    linux, windows = desks
    _, machine = installed
    linux.run("pack", FOLDERS[name], "-o", "it.fmu")
    windows.run("pack", machine.path(FOLDERS[name]), "-o", "it.fmu")
    assert linux.files() == windows.files()


def test_mistakes_are_told_as_on_linux(desks):
    said = []
    for desk in desks:
        desk.run("new", "Swing")
        model = desk.folder / "Swing" / "model.toml"
        model.write_text(model.read_text().replace('type = "revolute"', 'type = "revolving"'))
        said.append(desk.run("check", "Swing", code=1))
    assert said[0] == said[1] and "Swing/model.toml" in said[0] and "revolving" in said[0]
