"""The table of docs/hosts.md that these tests write."""

from machines import KINDS
from model import FOLDERS, ROOT

PAGE = ROOT / "docs" / "hosts.md"
BEGIN, END = "<!-- platforms: begin -->\n", "<!-- platforms: end -->\n"
MACHINES = [name for name in KINDS if name != "linux64"]


class Table:
    """Results by model and machine: those of this run, else those of the page."""

    def __init__(self):
        self.results = {}

    def note(self, model, machine, what, result):
        self.results.setdefault((model, machine), {})[what] = result

    def cell(self, model, machine, before):
        result = self.results.get((model, machine))
        if result is None:
            return before.get((model, machine), "not run")
        return "; ".join(f"{what}: {it}" for what, it in result.items())

    def text(self, before):
        rows = [["model", *MACHINES], ["---"] * (len(MACHINES) + 1)]
        rows += [[model, *(self.cell(model, machine, before) for machine in MACHINES)] for model in FOLDERS]
        return "".join(f"| {' | '.join(row)} |\n" for row in rows)

    def write(self, page=PAGE):
        head, rest = page.read_text().split(BEGIN)
        old, tail = rest.split(END)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in old.splitlines()]
        before = {(row[0], machine): cell for row in rows[2:] for machine, cell in zip(MACHINES, row[1:])}
        page.write_text(head + BEGIN + self.text(before) + END + tail)
