"""Packs every model of fmus/ once; the tests get the archives."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted(path.parent for path in (ROOT / "fmus").glob("*/model.toml"))


@pytest.fixture(scope="session")
def mbfmu(pytestconfig):
    """Path of the command under test."""
    path = pathlib.Path(pytestconfig.getoption("--mbfmu")).resolve()
    assert path.is_file(), f"{path} is missing; run `make build` first"
    return path


def pytest_addoption(parser):
    parser.addoption("--mbfmu", default=str(ROOT / "target" / "release" / "mbfmu"))


@pytest.fixture(scope="session")
def archives(mbfmu, tmp_path_factory):
    """Archive of every model, by name."""
    folder = tmp_path_factory.mktemp("fmus")
    packed = {}
    for model in MODELS:
        archive = folder / f"{model.name}.fmu"
        subprocess.run([mbfmu, "pack", model, "-o", archive], check=True, cwd=folder)
        packed[model.name] = archive
    return packed
