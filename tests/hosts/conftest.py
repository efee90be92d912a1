"""Packs every model of fmus/ once; the tests get the archives."""

import subprocess

import pytest

from golden import FOLDERS


@pytest.fixture(scope="session")
def archives(mbfmu, tmp_path_factory):
    """Archive of every model, by name."""
    folder = tmp_path_factory.mktemp("fmus")
    packed = {}
    for name, model in FOLDERS.items():
        packed[name] = folder / f"{name}.fmu"
        subprocess.run([mbfmu, "pack", model, "-o", packed[name]], check=True, cwd=folder, capture_output=True)
    return packed
