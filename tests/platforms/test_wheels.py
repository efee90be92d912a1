"""The wheels of `make wheels`: what is in them, what they need, and that they do on Windows and ARM what the command does on Linux."""

import os
import re
import subprocess
import zipfile

import pytest

import pe
from model import FOLDERS
from pythons import KINDS, Missing

DATE = {"SOURCE_DATE_EPOCH": "1700000000"}
LIBRARIES = {
    "linux64/libmbfmu_shell.so",
    "win64/mbfmu_shell.dll",
    "aarch64-linux/libmbfmu_shell.so",
    "darwin64/libmbfmu_shell.dylib",
}
SCRIPT = (
    "import mbfmu; model = mbfmu.load('Swing'); run = model.simulate(stop=1); run.to_csv('python.csv'); model.pack('python.fmu');"
    "run.view().save('python.html'); print(run['hinge.phi'].shape, mbfmu.__version__)"
)
EACH = pytest.mark.parametrize("platform", list(KINDS))


@pytest.fixture(scope="session")
def wheels(pytestconfig):
    """By platform."""
    folder = pytestconfig.getoption("--wheels")
    if folder is None:
        pytest.skip("`make test-wheels` tries the wheels")
    found = {name: list(folder.resolve().glob(f"mbfmu-*{ending}.whl")) for name, (ending, _, _) in KINDS.items()}
    assert all(len(files) == 1 for files in found.values()), found
    return {name: files[0] for name, files in found.items()}


@pytest.fixture(scope="session")
def contents(wheels):
    """Files of a wheel by name."""

    def read(platform):
        with zipfile.ZipFile(wheels[platform]) as files:
            return {name: files.read(name) for name in files.namelist()}

    return read


@pytest.fixture(scope="session")
def python(wheels, machines, tmp_path_factory):
    """A Python of the platform with the wheel."""
    known = {}

    def get(platform):
        if platform not in machines:
            pytest.skip(f"{platform} cannot be played here")
        if platform not in known:
            try:
                known[platform] = KINDS[platform][2](machines[platform], tmp_path_factory.mktemp("python"), wheels[platform])
            except Missing as reason:
                known[platform] = reason
        if isinstance(known[platform], Missing):
            pytest.skip(str(known[platform]))
        return known[platform]

    return get


@EACH
def test_everything_is_in_it(wheels, contents, platform):
    ending, module, _ = KINDS[platform]
    system = r"win_amd64" if platform == "win64" else rf"(manylinux_2_17|manylinux2014)_{ending}(\.(manylinux_2_17|manylinux2014)_{ending})?"
    assert re.fullmatch(rf"mbfmu-[0-9.]+-cp39-abi3-{system}\.whl", wheels[platform].name)
    files = contents(platform)
    parts = {"py.typed", "_mbfmu.pyi", "model.schema.json", "_format.py", module} | {f"lib/platforms/{name}" for name in LIBRARIES}
    assert {f"mbfmu/{name}" for name in parts} <= set(files)
    entry = next(text for name, text in files.items() if name.endswith("dist-info/entry_points.txt"))
    assert b"mbfmu=mbfmu.__main__:main" in entry.replace(b" ", b"")
    tags = next(text for name, text in files.items() if name.endswith("dist-info/WHEEL")).decode()
    assert set(re.findall("^Tag: cp39-abi3-(.*)$", tags, re.MULTILINE)) == set(wheels[platform].stem.split("-")[-1].split("."))


def test_the_libraries_are_those_of_make_platforms(contents, pytestconfig):
    built = pytestconfig.getoption("--libraries")
    for platform in KINDS:
        files = contents(platform)
        for name in LIBRARIES:
            assert files[f"mbfmu/lib/platforms/{name}"] == (built / name).read_bytes(), (platform, name)


def test_windows_has_all_that_the_module_needs(contents):
    needed = pe.imports(contents("win64")["mbfmu/_mbfmu.pyd"])
    own = re.compile(r"api-ms-win-(crt|core)-[-a-z0-9]+\.dll|(kernel32|ntdll|bcrypt|bcryptprimitives|advapi32|ws2_32|userenv|shell32|ole32|user32)\.dll")
    assert "python3.dll" in needed and {name for name in needed if not own.fullmatch(name)} == {"python3.dll"}


def test_linux_on_arm_has_all_that_the_module_needs(contents, tmp_path):
    module = tmp_path / "module.so"
    module.write_bytes(contents("aarch64-linux")["mbfmu/_mbfmu.abi3.so"])
    told = subprocess.run(["readelf", "-hdV", module], capture_output=True, text=True, check=True).stdout
    assert "AArch64" in told
    assert set(re.findall(r"NEEDED.*\[(.*)\]", told)) <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-aarch64.so.1", "librt.so.1"}
    assert max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", told)) <= (2, 17)


@pytest.mark.parametrize("platform", ["win64", "aarch64-linux"])
def test_command_and_module_do_what_the_command_does_on_linux(python, mbfmu, platform, tmp_path):
    """From a new model to an FMU that runs, with the same files to the byte."""
    there = python(platform)
    here, theirs = tmp_path / "linux", tmp_path / "there"
    here.mkdir(), theirs.mkdir()

    def both(*arguments):
        said = [
            subprocess.run([mbfmu, *arguments], cwd=here, env=os.environ | DATE, capture_output=True, text=True, check=True),
            there.run("-m", "mbfmu", *arguments, cwd=theirs, variables=DATE),
        ]
        assert (said[0].stdout + said[0].stderr).replace("\\", "/") == said[1]

    both("new", "Swing")
    both("check", "Swing")
    both("simulate", "Swing", "-o", "native.csv")
    both("plot", "Swing", "hinge.phi", "-o", "swing.svg")
    both("view", "Swing", "--stop", "1")
    both("pack", "Swing")
    both("check", "Swing.fmu")
    both("simulate", "Swing.fmu", "-o", "fmu.csv")
    both("describe", "Swing.fmu", "--libraries")
    both("schema")
    names = sorted(path.name for path in here.iterdir())
    assert names == sorted(path.name for path in theirs.iterdir()) and {"Swing.fmu", "Swing.html", "swing.svg"} <= set(names)
    assert [name for name in names if (here / name).is_file() and (here / name).read_bytes() != (theirs / name).read_bytes()] == []
    assert (theirs / "fmu.csv").read_bytes() == (theirs / "native.csv").read_bytes()
    there.run("-m", "mbfmu", "simulate", "Swing", "--stop", "1", "-o", "command.csv", cwd=theirs)
    assert "0.1.0" in there.run("-c", SCRIPT, cwd=theirs, variables=DATE)
    assert (theirs / "python.csv").read_bytes() == (theirs / "command.csv").read_bytes()
    assert (theirs / "python.fmu").read_bytes() == (theirs / "Swing.fmu").read_bytes()
    assert (theirs / "python.html").stat().st_size > 1000


@pytest.mark.parametrize("platform", [name for name, (_, _, kind) in KINDS.items() if kind])
@pytest.mark.parametrize("name", ["Billiards4", "FourBar", "YouBotAttach"])
def test_models_give_the_bytes_of_linux(python, mbfmu, platform, name, tmp_path):
    there = python(platform)
    model = there.machine.path(FOLDERS[name])
    subprocess.run([mbfmu, "simulate", FOLDERS[name], "-o", tmp_path / "linux.csv"], check=True, capture_output=True)
    there.run("-m", "mbfmu", "simulate", model, "-o", "there.csv", cwd=tmp_path)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "linux.csv").read_bytes()
