"""Packs every model of fmus/ for all platforms at hand; runs it where it can be run."""

import pathlib
import subprocess
import zipfile

import pytest

from machines import KINDS
from model import FOLDERS, Unpacked
from table import Table


def folder(text):
    return pathlib.Path(text).resolve()


def pytest_addoption(parser):
    parser.addoption("--libraries", type=folder, help="the folder in which `make platforms` leaves libraries")
    parser.addoption("--wheels", type=folder, help="the folder in which `make wheels` leaves wheels")
    parser.addoption("--update-table", action="store_true", help="rewrite the table of docs/hosts.md")


@pytest.fixture(scope="session")
def machines(pytestconfig, tmp_path_factory):
    """By name: those that are there and have a library."""
    folder = tmp_path_factory.mktemp("machines")
    libraries = pytestconfig.getoption("--libraries")
    return {
        name: kind(name, target, folder)
        for name, (kind, target) in KINDS.items()
        if kind.why_missing is None and (name == "linux64" or (libraries / name).is_dir())
    }


@pytest.fixture
def machine(machines, request):
    """The machine of a test."""
    kind = KINDS[request.param][0]
    if request.param not in machines:
        pytest.skip(f"{request.param}: {kind.why_missing or 'no library; `make platforms` says why'}")
    return machines[request.param]


@pytest.fixture(scope="session")
def unpacked(mbfmu, machines, tmp_path_factory):
    """The unpacked FMU of a model, with the libraries of all machines."""
    folder = tmp_path_factory.mktemp("fmus")
    known = {}

    def unpack(name):
        if name not in known:
            source = FOLDERS[name] / "model.toml"
            command = mbfmu
            if not source.is_file():
                source = next(path for path in FOLDERS[name].glob("*.toml") if path.name != "Cargo.toml")
                command = mbfmu.parent / source.stem.replace("_", "-")
            archive = folder / f"{name}.fmu"
            chosen = ",".join(machines)
            subprocess.run([command, "pack", source, "-o", archive, "--platforms", chosen], check=True, capture_output=True)
            with zipfile.ZipFile(archive) as files:
                files.extractall(folder / name)
            known[name] = Unpacked(name, folder / name)
        return known[name]

    return unpack


@pytest.fixture(scope="session")
def table(pytestconfig):
    """What was run, for docs/hosts.md."""
    it = Table()
    yield it
    if pytestconfig.getoption("--update-table"):
        it.write()
