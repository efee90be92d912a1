"""Every model on every platform that this machine can play: the same bytes as on 64-bit Linux."""

import shutil

import pytest

from machines import KINDS, Failed
from model import FOLDERS, SPLIT

OTHERS = [name for name in KINDS if name != "linux64"]
EACH = pytest.mark.parametrize("machine", list(KINDS), indirect=True)
OTHER = pytest.mark.parametrize("machine", OTHERS, indirect=True)


def outcome(model, expected, make, first=0):
    """What a run gave, for the table."""
    try:
        difference = model.first_difference(expected, make(), first)
    except Failed as failure:
        return str(failure)
    return "same bytes" if difference is None else f"differs: {difference}"


@OTHER
@pytest.mark.parametrize("name", FOLDERS)
def test_a_whole_life_gives_the_bytes_of_linux(unpacked, machines, machine, table, name):
    model, linux = unpacked(name), machines["linux64"]
    rows = model.run(linux)
    results = {
        "run": outcome(model, rows, lambda: model.run(machine)),
        "saved state": "same bytes" if model.state(machine) == model.state(linux) else "differs",
        "state of linux64 goes on": outcome(model, rows[len(rows) * SPLIT // 100 :], lambda: model.resume(machine, linux), SPLIT),
    }
    for what, result in results.items():
        table.note(name, machine.name, what, result)
    assert set(results.values()) == {"same bytes"}, results


@pytest.mark.parametrize("name", ["BouncingSphere", "ConveyorSorting"])
def test_a_second_run_saves_the_same_state(unpacked, machines, name, tmp_path):
    """Just after an event, too, where the integrator has not taken a step yet."""
    model, linux = unpacked(name), machines["linux64"]
    model.run(linux)
    model.simulate(linux, "run", tmp_path / "state", tmp_path / "rows")
    assert (tmp_path / "state").read_bytes() == model.state(linux)


@EACH
def test_wrong_calls_are_refused(unpacked, machine):
    for name in ("Pendulum", "FourBar", "BouncingSphere"):
        unpacked(name).call(machine, "wrong")


@EACH
def test_a_panic_is_fatal_for_the_instance_and_nobody_else(machine, pytestconfig):
    folder = pytestconfig.getoption("--libraries") / machine.name
    probe = folder / ("probe.dll" if machine.ending == ".dll" else "libprobe.so")
    if not probe.is_file():
        pytest.skip(f"{probe} is missing")
    machine.run(machine.path(probe), "{probe-1}", "", "panic")


@EACH
def test_resources_are_found_from_every_location(unpacked, machine, tmp_path):
    """Under a long path with blanks and letters of other alphabets; the library lies elsewhere."""
    model = unpacked("Pendulum")
    folder = tmp_path / "mit Leerzeichen & ümläut 日本" / ("long" * 20) / ("path" * 20) / ("deep" * 20)
    resources = shutil.copytree(model.folder / "resources", folder / "resources")
    plain, uri = machine.path(resources), machine.uri(resources)
    locations = [plain, uri, uri + "/", uri.replace("file:///", "file:/"), uri.replace("file:///", "FILE://localhost/")]
    if machine.ending == ".dll":
        slashes = plain.replace("\\", "/")
        locations += [slashes, "\\\\?\\" + plain, uri.replace("file:///", "file://"), uri.replace("Z:", "z%3A")]
    library = tmp_path / f"Pendulum{machine.ending}"
    shutil.copy(model.folder / "binaries" / machine.name / library.name, library)
    machine.run(machine.path(library), model.guid, "", "find", *locations)


@EACH
def test_the_library_finds_the_resources_from_where_it_lies(unpacked, machine, tmp_path):
    """With locations that lead nowhere, and none."""
    folder = tmp_path / "mit Leerzeichen & ümläut 日本" / ("long" * 20) / ("path" * 20) / ("deep" * 20)
    shutil.copytree(unpacked("Pendulum").folder, folder)
    moved = type(unpacked("Pendulum"))("Pendulum", folder)
    moved.call(machine, "find", "-", "", "file:///nowhere", "%%%")
