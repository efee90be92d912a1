#!/usr/bin/env python3
"""Builds the documentation site: docs.py MDBOOK OUT

Pages of docs/ link to files beside that folder: READMEs of models, examples, sources. The site has all of them, so
that it works from a folder, without network: the READMEs become pages of their own, other files are copied. So the
book is built from a copy of docs/ with more pages and other links; then every link of the HTML is checked.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
#: Files beside docs/ that become pages: heading in the table of contents, patterns.
MORE = [
    ("Models", ["fmus/*/README.md"]),
    ("Examples", ["examples/*/README.md"]),
    ("Inside", ["README.md", "ARCHITECTURE.md", "NOTATION.md", "CONTRIBUTING.md", "CHANGELOG.md", "benches/*/README.md"]),
]
LINK = re.compile(r"(?P<head>\]\()(?P<target>[^)\s]+)(?P<tail>\))")


def main():
    mdbook, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        book = pathlib.Path(folder) / "docs"
        Copy(book).write()
        subprocess.run([mdbook, "build", str(book), "--dest-dir", str(out)], check=True)
    wrong = broken_links(out)
    if wrong:
        sys.exit("\n".join(["links that lead nowhere:", *wrong]))
    print(f"wrote {os.path.relpath(out / 'index.html')}")


class Copy:
    """The folder docs with pages for files beside it."""

    def __init__(self, book):
        self.book = book
        self.groups = [(title, [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]) for title, patterns in MORE]
        self.places = {path: book / "more" / path.relative_to(ROOT) for _, group in self.groups for path in group}
        # A README would become the index of its folder, whose name mdBook gives to no other file.
        self.places = {path: to.with_name("about.md") if to.name == "README.md" else to for path, to in self.places.items()}

    def write(self):
        shutil.copytree(ROOT / "docs", self.book, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        for page in (ROOT / "docs").rglob("*.md"):
            to = self.book / page.relative_to(ROOT / "docs")
            to.write_text(self.relinked(page, to), encoding="utf-8")
        for page, to in self.places.items():
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(self.relinked(page, to) + self.appendix(page), encoding="utf-8")
        summary = self.book / "SUMMARY.md"
        summary.write_text(summary.read_text(encoding="utf-8") + self.contents(), encoding="utf-8")

    def appendix(self, page):
        """The model behind its description."""
        model = page.with_name("model.toml")
        return f"\n## The model file\n\n```toml\n{model.read_text(encoding='utf-8')}```\n" if model.exists() else ""

    def contents(self):
        lines = []
        for title, group in self.groups:
            lines += ["", f"# {title}", ""]
            for page in group:
                name = page.parent.name if page.name == "README.md" and page.parent != ROOT else page.stem.capitalize()
                lines.append(f"- [{name}]({self.places[page].relative_to(self.book).as_posix()})")
        return "\n".join(lines) + "\n"

    def relinked(self, page, to):
        def replaced(link):
            target, mark, anchor = link["target"].partition("#")
            if not target or "://" in target or target.startswith("mailto:"):
                return link[0]
            return f"{link['head']}{self.place(page, to, target)}{mark}{anchor}{link['tail']}"

        parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        # Code between the parts is left alone.
        return "".join(part if number % 2 else LINK.sub(replaced, part) for number, part in enumerate(parts))

    def place(self, page, to, target):
        """Where a link of a page leads in the book."""
        path = (page.parent / target).resolve()
        if path.is_dir() and (path / "README.md").exists():
            path = path / "README.md"
        if path in self.places:
            goal = self.places[path]
        elif ROOT / "docs" in path.parents:
            goal = self.book / path.relative_to(ROOT / "docs")
        elif path.is_file() and ROOT in path.parents:
            goal = self.book / "more" / path.relative_to(ROOT)
            # The browser shows text under this ending, whatever it is.
            goal = goal if goal.suffix in (".png", ".svg", ".csv", ".txt", ".html") else goal.with_name(goal.name + ".txt")
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, goal)
        else:
            sys.exit(f"{page.relative_to(ROOT)}: {target} cannot be part of the site")
        return pathlib.PurePath(os.path.relpath(goal, to.parent)).as_posix()


class Page(html.parser.HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        self.links += [values[key] for key in ("href", "src") if values.get(key)]


def broken_links(out):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in out.rglob("*.html") if path.name != "print.html"}
    wrong, count = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchors = pages[target].anchors if target in pages else None
            if not target.exists() or (parts.fragment and anchors is not None and urllib.parse.unquote(parts.fragment) not in anchors):
                wrong.append(f"{path.relative_to(out)}: {link}")
    print(f"{len(pages)} pages, {count} links")
    return wrong


if __name__ == "__main__":
    main()
