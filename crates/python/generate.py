"""Writes the part of the builder that follows from the model format: python/mbfmu/_format.py.

    python crates/python/generate.py            writes the file
    python crates/python/generate.py --check    says whether it is what the schema asks for
"""

import argparse
import json
import keyword
import pathlib
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE.parents[1] / "docs" / "model.schema.json"
TARGET = HERE / "python" / "mbfmu" / "_format.py"

# Sections whose tables are told apart by their type, and those of one kind: section, definition, class, noun.
TYPED = [
    ("joints", "joints_NAME", "Joints", "joint"),
    ("forces", "forces_NAME", "Forces", "force element"),
    ("sensors", "sensors_NAME", "Sensors", "sensor"),
    ("components", "components_NAME", "Components", "component"),
]
PLAIN = [
    ("objects", "objects_NAME", "Objects", "object"),
    ("instances", "instances_NAME", "Instances", "instance of an assembly"),
    ("paths", "paths_NAME", "Paths", "reference path"),
    ("actions", "actions_NAME", "Actions", "action program"),
    ("parameters", "parameters_NAME", "Parameters", "parameter"),
    ("inputs", "inputs_NAME", "Inputs", "input"),
    ("tables", "tables_NAME", "Tables", "table"),
    ("materials", "materials_NAME", "Materials", "material"),
]
SHAPES = [("solid", "Shapes with mass."), ("visual", "Shapes that are only drawn.")]
# Given without its name.
POSITIONAL = {"parameters_NAME": "value"}

HEAD = '''"""The tables of a model file as methods. Generated from the model format by crates/python/generate.py."""

from __future__ import annotations

from typing import Any, Mapping, Sequence, TypedDict, Union

from ._section import Section, given

Number = Union[float, str]
Vector = Sequence[Number]

'''


def identifier(word):
    word = word.replace("-", "_")
    return word + "_" if keyword.iskeyword(word) or word in ("type", "list", "float") else word


def is_tag(table, key):
    """Whether a key says which kind of table it is."""
    return "const" in table["properties"].get(key, {})


def class_name(definition):
    return "".join(part.capitalize() for part in definition.replace("_NAME", "").split("_"))


class Generator:
    def __init__(self, schema):
        self.definitions = schema["definitions"]

    def kind(self, schema):
        """The type of a value in Python."""
        if "allOf" in schema:
            return self.kind(schema["allOf"][0])
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            return "Mapping[str, Any]" if "oneOf" in self.definitions[name] else class_name(name)
        if "anyOf" in schema:
            kinds = list(dict.fromkeys(self.kind(each) for each in schema["anyOf"]))
            return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        if "enum" in schema or "const" in schema:
            return "str"
        return {
            "boolean": lambda: "bool",
            "string": lambda: "str",
            "array": lambda: f"Sequence[{self.kind(schema['items'])}]",
            "object": lambda: f"Mapping[str, {self.kind(schema['additionalProperties'])}]",
        }.get(schema["type"] if isinstance(schema["type"], str) else "", lambda: "Number")()

    def keys(self, table):
        """Keys without the type, required ones first: name, schema, whether it is required."""
        required = [key for key in table["required"] if not is_tag(table, key)]
        rest = [key for key in table["properties"] if not is_tag(table, key) and key not in required]
        return [(key, table["properties"][key], key in required) for key in required + rest]

    def typed_dicts(self):
        skipped = {definition for _, definition, *_ in TYPED + PLAIN} | {"solid", "visual", "assemblies_NAME", "outputs_NAME"}
        for name, table in self.definitions.items():
            if name in skipped or "oneOf" in table:
                continue
            fields = "".join(f'    "{key}": "{self.kind(schema)}",\n' for key, schema, _ in self.keys(table))
            yield f'{class_name(name)} = TypedDict("{class_name(name)}", {{\n{fields}}}, total=False)\n{docs(table.get("description", name.replace("_", " ").capitalize() + "."))}\n'

    def method(self, name, table, tag=None, is_section=True, first=None):
        """A method, or a function outside a class, that makes one table."""
        keys = self.keys(table)
        indent = "    " if is_section else ""
        positional = [key for key, _, _ in keys if key == first]
        parameters = [f"{identifier(key)}: {self.kind(schema)}" for key, schema, _ in keys if key in positional]
        parameters.append("*")
        for key, schema, is_required in keys:
            if key not in positional:
                kind = self.kind(schema)
                parameters.append(f"{identifier(key)}: {kind}" if is_required else f"{identifier(key)}: {kind} | None = None")
        more = "patternProperties" in table
        if more:
            parameters.append("**more: Number")
        if parameters == ["*"]:
            parameters = []
        if is_section:
            parameters = ["self", "name: str"] + parameters
        lines = "".join(f"{indent}    {parameter},\n" for parameter in parameters)
        result = "str" if is_section else "dict[str, Any]"
        entries = [f'"type": "{tag}"'] if tag and is_section else [f'"shape": "{tag}"'] if tag else []
        entries += [f'"{key}": {identifier(key)}' for key, _, _ in keys]
        entries += ["**more"] if more else []
        body = "given({" + ", ".join(entries) + "})"
        body = f"self._add(name, {body})" if is_section else body
        text = table.get("description", "").strip() or tag or name
        arguments = [f"{identifier(key)}: {schema.get('description', '')}" for key, schema, _ in keys]
        documentation = docs(text + "\n\n" + "\n".join(arguments), indent + "    ")
        return f"{indent}def {name}(\n{lines}{indent}) -> {result}:\n{documentation}{indent}    return {body}\n"

    def sections(self):
        for section, definition, name, noun in TYPED:
            table = self.definitions[definition]
            yield f'\n\nclass {name}(Section):\n{docs(table.get("description", noun.capitalize() + "s."), "    ")}\n    _key = "{section}"\n    _noun = "{noun}"\n'
            for variant in table["oneOf"]:
                yield "\n" + self.method(identifier(variant["title"]), variant, variant["title"])
        for section, definition, name, noun in PLAIN:
            table = self.definitions[definition]
            yield f'\n\nclass {name}(Section):\n{docs(table.get("description", noun.capitalize() + "s."), "    ")}\n    _key = "{section}"\n    _noun = "{noun}"\n'
            yield "\n" + self.method("add", table, first=POSITIONAL.get(definition))

    def shapes(self):
        for definition, what in SHAPES:
            yield f'\n\nclass {definition}:\n    """{what}"""\n'
            for variant in self.definitions[definition]["oneOf"]:
                function = self.method(identifier(variant["title"]), variant, variant["title"], is_section=False)
                yield "\n" + textwrap.indent("@staticmethod\n" + function, "    ")


def docs(text, indent=""):
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = []
    for paragraph in text.split("\n"):
        lines += textwrap.wrap(paragraph, 100, subsequent_indent="    " if ": " in paragraph[:30] else "") or [""]
    if lines and lines[-1].endswith('"'):
        lines[-1] += " "
    if len(lines) == 1:
        return f'{indent}"""{lines[0]}"""\n'
    return f'{indent}"""' + "\n".join((indent + line) if k and line else line for k, line in enumerate(lines)) + f'\n{indent}"""\n'


def generated():
    generator = Generator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    parts = [HEAD, *("\n" + part for part in generator.typed_dicts()), *generator.sections(), *generator.shapes()]
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail when the file is stale")
    arguments = parser.parse_args()
    text = generated()
    if arguments.check:
        sys.exit(0 if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text else f"{TARGET} is stale: run {__file__}")
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
