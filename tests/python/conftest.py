"""What the tests of the Python module share: the command whose results are the measure."""

import subprocess

import pytest

@pytest.fixture(scope="session")
def command(mbfmu):
    """Runs the command; gives its output."""

    def run(*arguments, cwd=None):
        done = subprocess.run([str(mbfmu), *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
