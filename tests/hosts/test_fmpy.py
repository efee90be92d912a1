"""FMPy, an independent host, judges every FMU."""

import ctypes
import os
import pathlib
import subprocess
import sys

import fmpy
import pytest
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

from golden import NAMES, Golden


@pytest.mark.parametrize("name", NAMES)
def test_validation_reports_nothing(archives, name):
    assert validate_fmu(str(archives[name])) == []


@pytest.mark.parametrize("name", NAMES)
def test_simulation_gives_the_golden_result(archives, name, capfd):
    golden = Golden(name)
    # The host's default logger prints; one handed to simulate_fmu would be called after Python has freed it.
    result = fmpy.simulate_fmu(
        str(archives[name]), fmi_type="CoSimulation", start_time=golden.start, stop_time=golden.stop, output_interval=golden.step
    )
    assert capfd.readouterr() == ("", "")
    golden.check([[row[column] for column in golden.columns] for row in result])


def test_box_planar_motion_is_exact(archives):
    result = fmpy.simulate_fmu(str(archives["BoxPlanarMotion"]), stop_time=4.0, output_interval=0.04)
    exact = {"slide_x.v": 1, "slide_x.s": 3, "slide_y.v": -2, "slide_y.s": -1, "hinge.w": 3, "hinge.phi": 12}
    for variable, value in exact.items():
        assert abs(result[variable][-1] - value) < 1e-6, variable


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


def test_a_library_whose_instance_had_helpers_is_unloaded(mbfmu, tmp_path):
    model, archive = tmp_path / "Boxes.toml", tmp_path / "Boxes.fmu"
    boxes = pathlib.Path(__file__).parents[2] / "benches" / "boxes.py"
    with model.open("w") as text:
        subprocess.run([sys.executable, boxes, "--layers", "1"], check=True, stdout=text)
    subprocess.run([mbfmu, "pack", model, "-o", archive], check=True, capture_output=True)
    description = fmpy.read_model_description(str(archive))
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    results = []
    for threads in (1, 2):
        unpacked = fmpy.extract(str(archive), tmp_path / str(threads))
        slave = FMU2Slave(guid=description.guid, unzipDirectory=unpacked, instanceName="boxes",
                          modelIdentifier=description.coSimulation.modelIdentifier)
        slave.instantiate()
        slave.setInteger([references["threads"]], [threads])
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        before = len(os.listdir("/proc/self/task"))
        for k in range(20):
            slave.doStep(currentCommunicationPoint=0.015 * k, communicationStepSize=0.015)
        helpers = len(os.listdir("/proc/self/task")) - before
        assert helpers == min(threads, len(os.sched_getaffinity(0))) - 1
        results.append(slave.getReal([references["energy.kinetic"]]) + slave.getInteger([references["number_of_contacts"]]))
        slave.terminate()
        slave.freeInstance()
        assert str(unpacked) not in pathlib.Path("/proc/self/maps").read_text(), f"{threads} threads"
    assert results[0] == results[1] and results[0][1] >= 16
