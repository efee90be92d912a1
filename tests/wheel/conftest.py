"""The wheel, installed into a new environment without Rust."""

import os
import pathlib
import subprocess
import sys

import pytest


def pytest_addoption(parser):
    parser.addoption("--wheel", required=True, help="the wheel under test")


@pytest.fixture(scope="session")
def wheel(pytestconfig):
    return pathlib.Path(pytestconfig.getoption("--wheel")).resolve()


@pytest.fixture(scope="session")
def environment(wheel, tmp_path_factory):
    """Folder of the programs of a new environment, and variables with a PATH that has no Rust."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    programs = folder / "bin"
    variables = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, wheel], check=True, env={**os.environ, "PATH": variables["PATH"]})
    return programs, variables


@pytest.fixture(scope="session")
def run(environment):
    """Runs a program of the environment; gives its output."""
    programs, variables = environment

    def run(program, *arguments, cwd):
        command = [programs / program, *map(str, arguments)]
        done = subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
