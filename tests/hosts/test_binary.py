"""The shared library in the archives: what it needs, what it shows, and how it comes and goes."""

import pathlib
import platform
import re
import subprocess
import sys
import zipfile

import fmpy
import pytest

# Newest version of the GNU C library whose symbols may be used: that of the oldest systems still found in industry.
OLDEST_GLIBC = (2, 17)
# Since version 2.34 the C library contains libpthread and libdl and keeps empty ones for older programs.
C_LIBRARY = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}

# The folder of this machine's library; archives may hold others.
FOLDER = "linux64" if platform.machine() == "x86_64" else "aarch64-linux"
# What C libraries compute differently: the library has its own.
ELEMENTARY = re.compile(r"a?(sin|cos|tan)h?|atan2|sincos|exp(2|10|m1)?|log(2|10|1p)?|pow|hypot|cbrt|fma|tgamma|lgamma|erfc?")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def extracted(archive, folder):
    return pathlib.Path(fmpy.extract(str(archive), folder))


@pytest.fixture(scope="session")
def unpacked(archives, tmp_path_factory):
    return extracted(archives["BouncingSphere"], tmp_path_factory.mktemp("unpacked") / "with blanks")


@pytest.fixture(scope="session")
def library(unpacked):
    return next((unpacked / "binaries").glob(f"{FOLDER}/BouncingSphere.so"))


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The host in C."""
    program = tmp_path_factory.mktemp("host") / "host"
    source = pathlib.Path(__file__).with_name("host.c")
    subprocess.run(["cc", "-std=gnu11", "-Wall", "-Werror", "-o", program, source, "-ldl", "-lpthread"], check=True)
    return program


def call(program, unpacked, mode, resources=None):
    """Runs the host in C with nothing in its environment, in the root folder; it must be silent."""
    library = next((unpacked / "binaries" / FOLDER).glob("*.so"))
    guid = fmpy.read_model_description(str(unpacked)).guid
    resources = (unpacked / "resources").as_uri() if resources is None else resources
    done = subprocess.run([program, library, guid, resources, mode], env={}, cwd="/", capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), mode


@pytest.fixture(scope="session")
def host(program, unpacked):
    return lambda mode, resources=None: call(program, unpacked, mode, resources)


def test_all_archives_hold_the_same_library(archives, sources):
    """But for those with components of their own."""
    contents = {}
    for name, archive in archives.items():
        with zipfile.ZipFile(archive) as files:
            library = next(files.read(entry) for entry in files.namelist() if f"/{FOLDER}/" in entry and entry.endswith(".so"))
        contents.setdefault(sources[name][0], set()).add(library)
    assert len(contents) == 2 and all(len(libraries) == 1 for libraries in contents.values())


def test_the_library_exports_the_functions_of_fmi_and_nothing_else(library):
    exported = {line.split()[-1].split("@")[0] for line in output("nm", "-D", "--defined-only", library).splitlines()}
    assert len(exported) == 34 and all(symbol.startswith("fmi2") for symbol in exported)


def test_the_library_needs_the_c_library_only(library):
    dynamic = output("readelf", "-dW", library)
    assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)) <= C_LIBRARY
    assert not re.search(r"\((RPATH|RUNPATH|TEXTREL)\)", dynamic)


def test_the_library_takes_no_elementary_function_from_the_system(library):
    undefined = {line.split()[-1].split("@")[0] for line in output("nm", "-D", "--undefined-only", library).splitlines()}
    assert not [symbol for symbol in undefined if ELEMENTARY.fullmatch(symbol)]


def test_the_library_loads_on_old_systems(library):
    symbols = output("objdump", "-T", library)
    versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", symbols)}
    assert versions and max(versions) <= OLDEST_GLIBC, max(versions)
    undefined = [line.split() for line in output("nm", "-D", "--undefined-only", library).splitlines()]
    # What has no version is there only if the system happens to have it.
    assert all("@" in name for kind, name in undefined if kind == "U")


def test_the_library_has_no_executable_stack_and_no_writable_code(library):
    for line in output("readelf", "-lW", library).splitlines():
        if line.split()[:1] == ["GNU_STACK"] or line.split()[:1] == ["LOAD"]:
            assert "RWE" not in line


def test_the_library_runs_with_an_empty_environment(host):
    host("run")


@pytest.mark.parametrize("resources", ["", "nonsense", "file:///does/not/exist", "file:///%zz"])
def test_the_library_finds_its_resources_alone(host, resources):
    host("run", resources)


def test_loading_a_hundred_times_leaves_nothing_behind(host):
    host("reload")


def test_memory_does_not_grow_while_parts_come_and_go(archives, program, tmp_path):
    """In 200 s a conveyor inserts, moves and deletes some hundred parts."""
    call(program, extracted(archives["ConveyorSorting"], tmp_path), "soak")


def test_the_library_may_go_while_threads_that_used_it_live_on(host):
    host("threads")


def test_the_library_in_python_runs_with_an_empty_environment(unpacked, tmp_path):
    """The same in a host that brings many libraries of its own; PATH and HOME are missing too."""
    program = f"import fmpy; print(fmpy.simulate_fmu({str(unpacked)!r}, stop_time=1.0)['time'][-1])"
    python = pathlib.Path(sys.executable)
    done = subprocess.run([python, "-c", program], env={}, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1.0\n", "")
