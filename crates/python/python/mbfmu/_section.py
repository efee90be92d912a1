"""Sections of a model: tables by name, in the order of their making."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Dict, Iterator


def given(values: Dict[str, Any]) -> Dict[str, Any]:
    """The keys that were given."""
    return {key: value for key, value in values.items() if value is not None}


class Section(MutableMapping[str, Any]):
    """Tables of one section of a model file by their names. They may be read and changed as dictionaries."""

    _key = ""
    _noun = "table"

    def __init__(self, content: Any) -> None:
        self._content = content

    def _tables(self) -> Dict[str, Any]:
        tables = self._content().setdefault(self._key, {})
        if not isinstance(tables, dict):
            raise TypeError(f"`{self._key}` of this model is not a table but {tables!r}")
        return tables

    def _add(self, name: str, values: Dict[str, Any]) -> str:
        tables = self._tables()
        if name in tables:
            article = "an" if self._noun[0] in "aeiou" else "a"
            there = f"there is {article} {self._noun} `{name}` already"
            raise ValueError(f"{there}; delete or change it: model.{self._key}[{name!r}]")
        tables[name] = values
        return name

    def __getitem__(self, name: str) -> Any:
        return self._tables()[name]

    def __setitem__(self, name: str, values: Any) -> None:
        self._tables()[name] = values

    def __delitem__(self, name: str) -> None:
        del self._tables()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content().get(self._key, {}))

    def __len__(self) -> int:
        return len(self._content().get(self._key, {}))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self)})"
