"""The library for macOS, which nothing here can run: what its headers promise."""

import re
import subprocess
import zipfile

import pytest

import macho
from model import ROOT

FUNCTIONS = {"_fmi2" + name for name in re.findall(r"^    X\([^,]+, (\w+),", (ROOT / "tests" / "fmi2.h").read_text(), re.MULTILINE)}


@pytest.fixture(scope="module")
def library(mbfmu, pytestconfig, tmp_path_factory):
    """As it lies in an FMU."""
    if not (pytestconfig.getoption("--libraries") / "darwin64").is_dir():
        pytest.skip("no library for macOS; `make platforms` says why")
    archive = tmp_path_factory.mktemp("macos") / "Pendulum.fmu"
    return pack(mbfmu, archive, "darwin64")["binaries/darwin64/Pendulum.dylib"]


def pack(mbfmu, archive, platforms):
    subprocess.run([mbfmu, "pack", ROOT / "fmus" / "Pendulum", "-o", archive, "--platforms", platforms], check=True, capture_output=True)
    with zipfile.ZipFile(archive) as files:
        return {name: files.read(name) for name in files.namelist() if name.startswith("binaries/")}


@pytest.fixture(scope="module")
def slices(library):
    return macho.slices(library)


def test_both_processors_have_a_slice(slices):
    assert [slice.processor for slice in slices] == ["x86_64", "arm64"]


def test_nothing_but_the_functions_of_fmi_is_exported(slices):
    for slice in slices:
        assert len(FUNCTIONS) == 34 and slice.exports == FUNCTIONS, slice.processor


def test_nothing_but_the_system_is_needed(slices):
    for slice in slices:
        assert slice.needed == ["/usr/lib/libSystem.B.dylib"], slice.processor


def test_the_library_may_lie_anywhere(slices, library):
    for slice in slices:
        assert slice.name.startswith("@rpath/") and not slice.search_paths, slice
    assert str(ROOT).encode() not in library


def test_macos_of_2020_is_new_enough(slices):
    for slice in slices:
        assert slice.minimum == (11, 0), slice.processor


def test_every_page_of_both_slices_is_signed(slices):
    for slice in slices:
        assert slice.signature_fault is None, f"{slice.processor}: {slice.signature_fault}"


def test_a_changed_page_is_noticed(library):
    begin = len(library) // 4
    changed = library[:begin] + bytes([library[begin] ^ 1]) + library[begin + 1 :]
    faults = [slice.signature_fault for slice in macho.slices(changed)]
    assert re.fullmatch(r"page \d+ was changed", faults[0]) and faults[1] is None


def test_hosts_that_ask_for_arm_find_it_where_they_look(library, mbfmu, tmp_path):
    inside = pack(mbfmu, tmp_path / "both.fmu", "darwin64,aarch64-darwin")
    assert inside == {f"binaries/{folder}/Pendulum.dylib": library for folder in ("darwin64", "aarch64-darwin")}
