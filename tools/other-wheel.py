"""Makes the wheel for another platform of that for this one: other-wheel.py WHEEL TRIPLE MODULE LICENSES OUT

They have the same files but the module and the licences of what is linked into it. maturin would compile everything again for the
module; for Windows it fails, because the linker of the library inside FMUs gets the list of what the module exports as well.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

#: Tags of the platform and name of the module, by Rust target.
PLATFORMS = {
    "x86_64-pc-windows-gnu": (["win_amd64"], "_mbfmu.pyd"),
    "aarch64-unknown-linux-gnu": (["manylinux2014_aarch64", "manylinux_2_17_aarch64"], "_mbfmu.abi3.so"),
}


def line(name, data):
    """Of the list of files."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main():
    triple = sys.argv.pop(2)
    wheel, module, licenses, out = map(pathlib.Path, sys.argv[1:])
    tags, name_of_module = PLATFORMS[triple]
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    info = next(name for name in files if name.endswith(".dist-info/WHEEL")).removesuffix("WHEEL")
    del files["mbfmu/_mbfmu.abi3.so"], files[f"{info}RECORD"]
    files = {name: data for name, data in files.items() if "/sboms/" not in name}
    files[f"mbfmu/{name_of_module}"] = module.read_bytes()
    for name in files:
        if name.startswith(f"{info}licenses/"):
            files[name] = (licenses / pathlib.PurePosixPath(name).name).read_bytes()
    about = ["Wheel-Version: 1.0", "Generator: other-wheel (1.0)", "Root-Is-Purelib: false", *(f"Tag: cp39-abi3-{tag}" for tag in tags)]
    files[f"{info}WHEEL"] = "".join(f"{entry}\n" for entry in about).encode()
    record = "".join(line(name, data) for name, data in files.items()) + f"{info}RECORD,,\n"
    files[f"{info}RECORD"] = record.encode()
    target = out / f"{'-'.join(wheel.name.split('-')[:2])}-cp39-abi3-{'.'.join(tags)}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
