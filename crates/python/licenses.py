"""Collects the licences of everything that is linked into the wheel, for its folder of licences.

    python crates/python/licenses.py TRIPLE
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAMES = ("license", "licence", "copying", "notice", "unlicense")


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def linked(triple):
    """Packages from registries that are linked into the module."""
    tree = cargo("tree", "--locked", "--package", "mbfmu-python", "--edges", "normal,no-proc-macro", "--prefix", "none",
                 "--format", "{p}", "--target", triple)
    labels = {line.removesuffix(" (*)") for line in tree.splitlines()}
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", triple))["packages"]
    chosen = [package for package in packages if package["source"] and f"{package['name']} v{package['version']}" in labels]
    return sorted(chosen, key=lambda package: (package["name"], package["version"]))


def texts(folder):
    """Licence files of a folder."""
    return sorted(file for file in pathlib.Path(folder).iterdir() if file.is_file() and file.name.lower().startswith(NAMES))


def viewer():
    """Packages in the page of the 3D viewer: names and folders with their licences."""
    folder = ROOT / "crates" / "present" / "viewer"
    lock = json.loads((folder / "package-lock.json").read_text())
    for name, package in lock["packages"].items():
        if name and not package.get("dev"):
            yield f"{name.removeprefix('node_modules/')} {package['version']}", folder / "licenses" / name.removeprefix("node_modules/")


def main():
    triple = sys.argv[1]
    sections, without = [], []

    def add(title, files):
        bodies = [f"--- {file.name}\n\n{file.read_text(encoding='utf-8', errors='replace').rstrip()}\n" for file in files]
        sections.append(f"{'=' * 78}\n{title}\n{'=' * 78}\n\n" + "\n".join(bodies))

    overview = []
    for package in linked(triple):
        folder = pathlib.Path(package["manifest_path"]).parent
        title = f"{package['name']} {package['version']}"
        overview.append(f"{title}: {package['license']}")
        files = texts(folder)
        if files:
            add(f"{title}: {package['license']}", files)
        else:
            without.append(title)
        if package["name"] == "sundials-sys":
            overview.append("SUNDIALS (IDA): BSD-3-Clause")
            add("SUNDIALS (IDA): BSD-3-Clause", texts(folder / "vendor"))
    for name in ("LLVM-libunwind", "zig"):
        overview.append(f"{name} (run-time support)")
        add(f"{name} (run-time support)", texts(ROOT / "crates" / "cli" / "licenses" / name))
    for name, folder in viewer():
        overview.append(f"{name} (3D viewer)")
        add(f"{name} (3D viewer)", texts(folder))
    overview.append("Rust standard library: MIT OR Apache-2.0")
    out = HERE / "licenses"
    out.mkdir(exist_ok=True)
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        (out / name).write_text((ROOT / name).read_text())
    head = "Software in this package, and its licences.\n\n" + "\n".join(overview) + "\n\n"
    if without:
        head += "Without a licence file of their own: " + ", ".join(without) + "\n\n"
    (out / "THIRD-PARTY.txt").write_text(head + "\n".join(sections), encoding="utf-8")
    print(f"licences of {len(overview)} parts, {len(without)} without a file of their own")


if __name__ == "__main__":
    main()
