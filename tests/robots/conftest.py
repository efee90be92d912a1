import pytest


def pytest_addoption(parser):
    parser.addoption("--all-robots", action="store_true", help="all models of the packages, not a few of them")
    parser.addoption("--update-table", action="store_true", help="write the tables of docs/import.md anew")
