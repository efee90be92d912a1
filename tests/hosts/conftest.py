"""Packs every model of fmus/ once; the tests get the archives."""

import subprocess

import pytest

from golden import FOLDERS


@pytest.fixture(scope="session")
def sources(mbfmu):
    """Command and model of every model, by name: a crate with components of its own has its own command."""
    found = {}
    for name, folder in FOLDERS.items():
        if (folder / "model.toml").is_file():
            found[name] = (mbfmu, folder)
        else:
            model = next(path for path in folder.glob("*.toml") if path.name != "Cargo.toml")
            found[name] = (mbfmu.parent / model.stem.replace("_", "-"), model)
    return found


@pytest.fixture(scope="session")
def archives(sources, tmp_path_factory):
    """Archive of every model, by name."""
    folder = tmp_path_factory.mktemp("fmus")
    packed = {}
    for name, (command, model) in sources.items():
        packed[name] = folder / name / f"{name}.fmu"
        packed[name].parent.mkdir()
        subprocess.run([command, "pack", model, "-o", packed[name]], check=True, cwd=folder, capture_output=True)
    return packed
