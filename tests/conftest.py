"""What the tests in Python share: the command under test."""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]


def pytest_addoption(parser):
    parser.addoption("--mbfmu", default=str(ROOT / "mbfmu"), help="the command under test")
    parser.addoption("--probe", help="a library built like those in FMUs that panics on request")
    parser.addoption("--judge", help="the host made with the crate fmi, see hosts/judge")


@pytest.fixture(scope="session")
def mbfmu(pytestconfig):
    """Path of the command under test."""
    path = pathlib.Path(pytestconfig.getoption("--mbfmu")).resolve()
    assert path.is_file(), f"{path} is missing; run `make build` first"
    return path
