"""Writes the tables of a model as TOML."""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Dict, List, Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")
#: Tables of named tables: each gets a header of its own.
_NAMED = ("objects", "joints", "forces", "sensors", "components", "instances", "paths", "actions")
#: Sections with one line per entry.
_LINES = ("experiment", "contact", "parameters", "inputs", "tables", "materials")
#: Keys of a state space that are matrices or names of files.
_MATRICES = ("A", "B", "C", "D")
#: Tables whose keys are names of the modeller's and whose texts are expressions.
_EXPRESSIONS = ("parameters", "arguments", "inputs", "outputs")


def dumps(document: Mapping[str, Any]) -> str:
    """The text of a model."""
    lines: List[str] = []
    sections = [key for key in document if _is_section(key, document[key])]
    for key, value in document.items():
        if key not in sections:
            lines.append(f"{_key(key)} = {_value(value)}")
    for key in sections:
        value = document[key]
        if key == "material_pairs":
            for pair in value:
                lines += ["", "[[material_pairs]]"] + _entries(pair)
        elif key == "assemblies":
            for name, assembly in value.items():
                _assembly(lines, f"assemblies.{_key(name)}", assembly)
        elif key in _NAMED:
            _named(lines, key, value)
        elif value:
            lines += ["", f"[{key}]"] + _entries(value)
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_section(key: str, value: Any) -> bool:
    if key == "material_pairs":
        return isinstance(value, list)
    return isinstance(value, Mapping) and (key in _NAMED or key in _LINES or key in ("assemblies", "outputs"))


def _named(lines: List[str], path: str, tables: Mapping[str, Any]) -> None:
    for name, values in tables.items():
        lines += ["", f"[{path}.{_key(name)}]"] + _entries(values)


def _assembly(lines: List[str], path: str, assembly: Mapping[str, Any]) -> None:
    lines += ["", f"[{path}]"] + _entries({key: value for key, value in assembly.items() if key not in _NAMED})
    for key in assembly:
        if key in _NAMED:
            _named(lines, f"{path}.{key}", assembly[key])


def _entries(values: Mapping[str, Any]) -> List[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in values.items() if value is not None]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if hasattr(value, "tolist"):
        # Arrays and numbers of numpy.
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inner = ", ".join(_entries(value))
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        if len(value) > 1 and all(isinstance(each, Mapping) for each in value):
            return "[\n" + "".join(f"    {_value(each)},\n" for each in value) + "]"
        return "[" + ", ".join(_value(each) for each in value) + "]"
    raise TypeError(f"{value!r} cannot stand in a model file: only texts, numbers, truths, lists and dictionaries can")


def with_absolute_files(document: Dict[str, Any], folder: str, own: Mapping[str, bytes]) -> Dict[str, Any]:
    """The same document with files named so that they are found from everywhere; those of `own` keep their names."""

    def place(path: str) -> str:
        return path if path in own else os.path.abspath(os.path.join(folder, path))

    def walk(value: Any) -> Any:
        if isinstance(value, Mapping):
            is_matrices = value.get("type") == "state-space"
            changed = {}
            for key, each in value.items():
                if key in _EXPRESSIONS:
                    changed[key] = each
                    continue
                is_file = key == "file" or (is_matrices and key in _MATRICES)
                changed[key] = place(each) if is_file and isinstance(each, str) else walk(each)
            return changed
        return [walk(each) for each in value] if isinstance(value, (list, tuple)) else value

    changed: Dict[str, Any] = walk(document)
    if isinstance(changed.get("include"), list):
        changed["include"] = [place(each) for each in changed["include"]]
    return changed
