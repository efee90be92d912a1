"""Functions in random order with random arguments, wrong ones included: nothing crashes, and all platforms answer the same."""

import pytest

from machines import HERE, KINDS

# Parts that come and go, impacts, stiction on a moving table, loops, components, contacts.
MODELS = ["ConveyorSorting", "Billiards4", "TiltingTable", "NFourBar", "ServoArm", "GripperWithInputs"]
FIRST, LAST, CALLS = 0, 1, 500


@pytest.fixture(scope="module")
def fuzz(machines, unpacked):
    """What the program of `tests/hosts` says of a model on a machine: how many calls and comparisons, and a sum of all answers."""
    programs, known = {}, {}

    def run(name, machine):
        if machine.name not in programs:
            programs[machine.name] = machine.build(HERE.parent / "hosts" / "fuzz.c")
        if (name, machine.name) not in known:
            model = unpacked(name)
            arguments = [model.library(machine), model.guid, machine.uri(model.folder / "resources"), FIRST, LAST, CALLS]
            known[name, machine.name] = machine.call(programs[machine.name], *arguments)
        return known[name, machine.name]

    return run


@pytest.mark.parametrize("machine", [name for name in KINDS if name != "linux64"], indirect=True)
@pytest.mark.parametrize("name", MODELS)
def test_random_calls_are_answered_as_on_linux(fuzz, machines, machine, name):
    expected = fuzz(name, machines["linux64"])
    assert "comparisons, sum 0x" in expected and fuzz(name, machine) == expected
