"""Robots of packages from PyPI."""

import importlib.metadata
import importlib.util
import pathlib


def urdf_robots():
    """All URDF files of example-robot-data, by a short name."""
    files = importlib.metadata.files("example-robot-data")
    found = {}
    for file in files:
        if file.suffix == ".urdf":
            path = pathlib.Path(file.locate())
            parts = path.parts[path.parts.index("robots") + 1 :]
            found[f"{parts[0].removesuffix('_description')}/{path.stem}"] = path
    return dict(sorted(found.items()))


def mjcf_models():
    """All MJCF models of dm_control, gymnasium and gymnasium-robotics, by package and path."""
    found = {}
    for package in ("dm_control", "gymnasium", "gymnasium_robotics"):
        folder = pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])
        for path in folder.rglob("*.xml"):
            text = path.read_text(errors="replace")
            # Parts of models and files of other kinds are left.
            if "<mujoco" in text and "<mujocoinclude" not in text and "<worldbody" in text + included(path, text):
                found[f"{package}/{path.relative_to(folder)}"] = path
    return dict(sorted(found.items()))


def included(path, text):
    import re

    parts = [path.parent / name for name in re.findall(r'<include\s+file="([^"]*)"', text)]
    return "".join(part.read_text(errors="replace") for part in parts if part.is_file())
