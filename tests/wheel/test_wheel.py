"""What the wheel brings works where nothing else is."""

import email
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest


def test_there_is_no_rust(environment):
    programs, variables = environment
    assert shutil.which("cargo", path=variables["PATH"]) is None and shutil.which("rustc", path=variables["PATH"]) is None


def test_a_model_goes_all_the_way_to_a_host(run, environment, tmp_path):
    assert "wrote Swing/model.toml" in run("mbfmu", "new", "Swing", cwd=tmp_path)
    run("mbfmu", "new", "Car", "--template", "vehicle", cwd=tmp_path)
    assert run("mbfmu", "check", "Car", cwd=tmp_path).startswith("Car: 13 bodies")
    assert "1 joint" in run("mbfmu", "check", "Swing", cwd=tmp_path)
    run("mbfmu", "simulate", "Swing", "-o", "native.csv", cwd=tmp_path)
    run("mbfmu", "plot", "Swing", "hinge.phi", "-o", "swing.svg", cwd=tmp_path)
    run("mbfmu", "plot", "native.csv", "-o", "swing.png", cwd=tmp_path)
    run("mbfmu", "view", "Swing", "--stop", "1", cwd=tmp_path)
    run("mbfmu", "sweep", "Swing", "L=0.5:1.5:0.5", "--workers", "2", cwd=tmp_path)
    assert "runs with glibc 2." in run("mbfmu", "pack", "Swing", cwd=tmp_path)
    run("mbfmu", "simulate", "Swing.fmu", "-o", "fmu.csv", cwd=tmp_path)
    assert (tmp_path / "fmu.csv").read_bytes() == (tmp_path / "native.csv").read_bytes()
    for file in ("swing.svg", "swing.png", "Swing.html", "Swing_sweep.csv"):
        assert (tmp_path / file).stat().st_size > 100, file
    # The host is a program of this environment, not of the new one.
    host = "import fmpy; r = fmpy.simulate_fmu('Swing.fmu', stop_time=1); print(len(r), 'rows')"
    done = subprocess.run([sys.executable, "-c", host], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "rows" in done.stdout, done.stderr


def test_the_module_needs_numpy_only(run, tmp_path):
    script = (
        "import mbfmu; run = mbfmu.load('Swing').simulate(stop=1); run.to_csv('python.csv');"
        "mbfmu.load('Swing').pack('python.fmu'); run.view().save('python.html');"
        "print(run['hinge.phi'].shape, mbfmu.__version__)"
    )
    run("mbfmu", "new", "Swing", cwd=tmp_path)
    run("mbfmu", "simulate", "Swing", "--stop", "1", "-o", "command.csv", cwd=tmp_path)
    run("mbfmu", "pack", "Swing", "-o", "command.fmu", cwd=tmp_path)
    run("python", "-c", script, cwd=tmp_path)
    for ending in ("csv", "fmu"):
        assert (tmp_path / f"python.{ending}").read_bytes() == (tmp_path / f"command.{ending}").read_bytes()
    missing = "import mbfmu\ntry: mbfmu.load('Swing').simulate(stop=0.1).to_pandas()\nexcept ImportError as error: print(error)"
    assert "pip install 'mbfmu[pandas]'" in run("python", "-c", missing, cwd=tmp_path)


def test_the_archive_is_ready_for_publication(wheel):
    tag = r"(manylinux_2_17|manylinux2014)_x86_64"
    assert re.fullmatch(rf"mbfmu-[0-9.]+-cp39-abi3-{tag}(\.{tag})?\.whl", wheel.name), wheel.name
    archive = zipfile.ZipFile(wheel)
    names = archive.namelist()
    for file in ("mbfmu/py.typed", "mbfmu/_mbfmu.pyi", "mbfmu/lib/libmbfmu_shell.so", "mbfmu/model.schema.json", "mbfmu/_format.py"):
        assert file in names
    metadata = email.message_from_bytes(archive.read(next(name for name in names if name.endswith("dist-info/METADATA"))))
    assert metadata["Requires-Python"] == ">=3.9" and metadata["License-Expression"] == "MIT OR Apache-2.0"
    assert {"pandas", "parquet", "plot", "progress", "all"} <= set(metadata.get_all("Provides-Extra"))
    assert "mbfmu.load" in metadata.get_payload() or "mbfmu.Model" in metadata.get_payload()
    licenses = next(name for name in names if name.endswith("THIRD-PARTY.txt"))
    text = archive.read(licenses).decode()
    for part in ("SUNDIALS", "LLVM-libunwind", "zig", "pyo3 ", "nalgebra ", "three", "tiny-skia ", "clap ", "serde_json "):
        assert part in text, part


@pytest.mark.skipif(not os.path.exists("/usr/bin/readelf"), reason="needs readelf")
def test_old_systems_have_all_it_needs(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    for library in tmp_path.glob("mbfmu/**/*.so"):
        dynamic = subprocess.run(["readelf", "-dV", library], capture_output=True, text=True, check=True).stdout
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
        assert needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "librt.so.1"}, library
        versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", dynamic)}
        assert max(versions) <= (2, 17), library
