"""FMPy, an independent host, judges every FMU."""

import csv
import ctypes
import pathlib
import shutil
import subprocess
import zipfile

import fmpy
import numpy as np
import pytest
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

from conftest import MODELS

NAMES = [path.name for path in MODELS]
FOLDERS = {path.name: path for path in MODELS}


def golden(name):
    with open(FOLDERS[name] / "golden.csv", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], np.array(rows[1:], dtype=float)


def simulate(archive, name, **options):
    _, values = golden(name)
    start, stop = values[0, 0], values[-1, 0]
    return fmpy.simulate_fmu(
        str(archive), fmi_type="CoSimulation", start_time=start, stop_time=stop, output_interval=(stop - start) / (len(values) - 1), **options
    )


@pytest.mark.parametrize("name", NAMES)
def test_validation_reports_nothing(archives, name):
    assert validate_fmu(str(archives[name])) == []


@pytest.mark.parametrize("name", NAMES)
def test_simulation_gives_the_golden_result(archives, name, capfd):
    # The host's default logger prints; one handed to simulate_fmu would be called after Python has freed it.
    result = simulate(archives[name], name)
    columns, values = golden(name)
    assert capfd.readouterr() == ("", "")
    for k, column in enumerate(columns[1:], start=1):
        expected, found = values[:, k], result[column]
        assert len(found) == len(expected)
        scale = max(1.0, np.max(np.abs(expected)))
        assert np.max(np.abs(found - expected)) / scale < 2e-5, column


def test_box_planar_motion_is_exact(archives):
    result = fmpy.simulate_fmu(str(archives["BoxPlanarMotion"]), stop_time=4.0, output_interval=0.04)
    exact = {"slide_x.v": 1, "slide_x.s": 3, "slide_y.v": -2, "slide_y.s": -1, "hinge.w": 3, "hinge.phi": 12}
    for variable, value in exact.items():
        assert abs(result[variable][-1] - value) < 1e-6, variable


@pytest.mark.parametrize("name", NAMES)
def test_the_library_exports_the_functions_of_fmi_and_needs_the_c_library_only(archives, name, tmp_path):
    with zipfile.ZipFile(archives[name]) as archive:
        library = archive.extract(f"binaries/linux64/{name}.so", tmp_path)
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
    assert len(exported) == 34 and all(symbol.startswith("fmi2") for symbol in exported)
    needed = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    libraries = {line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line}
    assert libraries <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}, libraries


def test_a_wrong_guid_is_refused(archives, tmp_path):
    description = fmpy.read_model_description(str(archives["Pendulum"]))
    unpacked = fmpy.extract(str(archives["Pendulum"]), tmp_path)
    slave = FMU2Slave(guid="{00000000-0000-0000-0000-000000000000}", unzipDirectory=unpacked,
                      modelIdentifier=description.coSimulation.modelIdentifier, instanceName="stranger")
    with pytest.raises(Exception):
        slave.instantiate()


def test_geometry_parameters_take_effect_at_initialization(archives):
    short = fmpy.simulate_fmu(str(archives["Pendulum"]), stop_time=0.5, start_values={"L": 0.25})
    long = fmpy.simulate_fmu(str(archives["Pendulum"]), stop_time=1.0, start_values={"L": 1.0})
    # Without damping the motion scales with the square root of the length.
    assert abs(short["hinge.phi"][-1] - long["hinge.phi"][-1]) < 1e-4


def test_resources_are_found_without_the_hosts_help(archives, tmp_path):
    unpacked = pathlib.Path(fmpy.extract(str(archives["Pendulum"]), tmp_path / "an odd folder"))
    description = fmpy.read_model_description(str(unpacked))
    library = ctypes.cdll.LoadLibrary(str(unpacked / "binaries" / "linux64" / "Pendulum.so"))
    library.fmi2Instantiate.restype = ctypes.c_void_p
    library.fmi2Instantiate.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    library.fmi2FreeInstance.argtypes = [ctypes.c_void_p]
    callbacks = (ctypes.c_void_p * 5)()
    for location in (None, b"", b"file:///does/not/exist", b"nonsense"):
        instance = library.fmi2Instantiate(b"a", 1, description.guid.encode(), location, callbacks, 0, 0)
        assert instance, location
        library.fmi2FreeInstance(instance)


def test_native_and_fmu_runs_give_the_same_bytes(mbfmu, archives, tmp_path):
    for name in NAMES:
        outputs = []
        for source in (FOLDERS[name], archives[name]):
            out = tmp_path / f"{name}{len(outputs)}.csv"
            subprocess.run([mbfmu, "simulate", source, "-o", out], check=True, capture_output=True)
            outputs.append(out.read_bytes())
        assert outputs[0] == outputs[1], name
    shutil.rmtree(tmp_path)
