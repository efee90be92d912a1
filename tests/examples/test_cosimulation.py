"""Two coupled FMUs against the same system as one model."""

import compare
import numpy as np
import pytest


@pytest.fixture(scope="module")
def runs(mbfmu, tmp_path_factory):
    """Rows of the table by master and setting, records, and the reference."""
    folder = tmp_path_factory.mktemp("cosimulation")
    table, records, truth = compare.compare(mbfmu, folder, [4e-3, 2e-3, 1e-3], [1e-1, 1e-2, 1e-3])
    compare.write_table(table, folder / "work.csv")
    compare.plot_motion(records["adaptive", 1e-2], truth, folder / "motion.svg")
    compare.plot_work(table, folder / "work.svg")
    assert all((folder / name).stat().st_size > 100 for name in ("work.csv", "motion.svg", "work.svg"))
    return {(row["master"], row["setting"]): row for row in table}, records, truth


def test_steps_of_one_length_converge_with_first_order(runs):
    errors = [runs[0]["jacobi", length]["error"] for length in (4e-3, 2e-3, 1e-3)]
    assert errors[0] > 1.5 * errors[1] > 2.25 * errors[2]


def test_a_smaller_tolerance_gives_a_smaller_error(runs):
    errors = [runs[0]["adaptive", tolerance]["error"] for tolerance in (1e-1, 1e-2, 1e-3)]
    assert errors[0] > 3 * errors[1] > 9 * errors[2]


def test_rollback_saves_most_of_the_work(runs):
    plain, adaptive = runs[0]["jacobi", 1e-3], runs[0]["adaptive", 1e-2]
    assert adaptive["error"] < plain["error"] / 5
    assert adaptive["fmu_steps"] < plain["fmu_steps"] / 2
    assert adaptive["taken_back"] > 0


def test_short_steps_are_taken_where_the_wagons_touch(runs):
    record = runs[1]["adaptive", 1e-2]
    lengths, forces = np.diff(record.times), np.array(record.rows)[1:, 2]
    assert np.median(lengths[forces > 0]) < 0.1 * np.max(lengths[forces == 0])


def test_taking_steps_back_leaves_no_trace(runs, mbfmu, tmp_path):
    """The same run twice gives the same bits, however many steps were tried in between."""
    archives = compare.pack(mbfmu, tmp_path)
    record, _ = compare.run(archives, compare.adaptive, 1e-2, compare.MARK)
    assert record == runs[1]["adaptive", 1e-2]
