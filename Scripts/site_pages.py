"""Converts the Markdown pages of the repository to HTML, for Scripts/docs. Checks their links.

    python3 Scripts/site_pages.py FOLDER
"""

import html
import os
import pathlib
import re
import shutil
import sys

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The sections of the menu, with their pages in order. Other pages follow in the order of their names.
MENU = {
    "Start": ["README.md", "docs/install.md", "docs/tour.md"],
    "Guides": ["docs/*.md", "Integrations/*/README.md", "Examples/*/README.md"],
    "Formats": ["docs/formats/README.md", "docs/formats/*.md"],
    "Project": ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/contributing/*.md", "docs/targets/*.md", "Benchmarks/README.md"],
}

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 48rem); }
nav { padding: 1.5rem; border-right: 1px solid var(--line); font-size: 14px; }
nav h2 { font-size: 13px; margin: 1rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav [aria-current] { font-weight: bold; }
main { padding: 1.5rem 2rem 4rem; }
pre { padding: 0.75rem 1rem; overflow-x: auto; background: var(--soft); border-radius: 6px; }
code { font: 0.9em ui-monospace, monospace; }
:not(pre) > code { background: var(--soft); border-radius: 4px; padding: 0.1em 0.25em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
@media (max-width: 60rem) { body { display: block; } nav { border: 0; border-bottom: 1px solid var(--line); } }
"""


def slug(text: str) -> str:
    """Returns the anchor that GitHub creates for a heading."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def target(page: pathlib.PurePath) -> str:
    """Returns the path of a page's file in the site."""
    if page.name == "README.md":
        return str(page.parent / "index.html")
    return str(page.with_suffix(".html"))


def title(text: str) -> str:
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].replace("`", "") if found else "storetool"


class Site:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.parser = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=4, slug_func=slug)
        self.menu = {}
        for section, patterns in MENU.items():
            pages = [path.relative_to(ROOT) for pattern in patterns for path in sorted(ROOT.glob(pattern))]
            known = [page for others in self.menu.values() for page in others]
            self.menu[section] = [page for page in dict.fromkeys(pages) if page not in known]
        self.texts = {page: (ROOT / page).read_text() for pages in self.menu.values() for page in pages}
        self.tokens = {page: self.parser.parse(text) for page, text in self.texts.items()}
        self.anchors = {
            page: {token.attrs["id"] for token in tokens if token.type == "heading_open" and "id" in token.attrs}
            for page, tokens in self.tokens.items()
        }
        self.faults = []

    def write(self):
        for page, tokens in self.tokens.items():
            for token in tokens:
                for child in token.children or []:
                    self.convert(page, child)
            body = self.parser.renderer.render(tokens, self.parser.options, {})
            path = self.folder / target(page)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.document(page, body))

    def convert(self, page, token):
        """Changes the link or the image of a token."""
        if token.type == "link_open" and ":" not in token.attrs["href"]:
            address = self.link(page, token.attrs["href"])
            token.attrs = {} if address is None else {"href": address}
        elif token.type == "image" and ":" not in token.attrs["src"]:
            source = self.file(page, token.attrs["src"])
            copy = self.folder / source
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / source, copy)

    def file(self, page, address):
        """Returns a file of the repository to which a page refers."""
        path = pathlib.Path(os.path.normpath(page.parent / address))
        if not (ROOT / path).exists():
            self.faults.append(f"{page}: there is no file '{address}'")
        return path

    def link(self, page, address):
        address, _, anchor = address.partition("#")
        path = self.file(page, address) if address else page
        if (ROOT / path).is_dir() and (ROOT / path / "README.md").exists():
            path /= "README.md"
        if path in self.texts:
            if anchor and anchor not in self.anchors[path]:
                self.faults.append(f"{page}: '{path}' has no heading '#{anchor}'")
            result = self.relative(page, target(path))
            return f"{result}#{anchor}" if anchor else result
        if path.parent.suffix == ".docc":
            article = "" if path.stem == path.parent.stem else f"/{path.stem.lower()}"
            return self.relative(page, f"api/documentation/{path.parent.stem.lower()}{article}/index.html")
        # Other files of the repository aren't part of the site, so the text remains without a link.
        return None

    @staticmethod
    def relative(page, path):
        return os.path.relpath(path, pathlib.Path(target(page)).parent)

    def document(self, page, body):
        menu = ""
        for section, pages in self.menu.items():
            items = "".join(self.item(page, other) for other in pages)
            if section == "Guides":
                items += f'<li><a href="{self.relative(page, "api/documentation/index.html")}">Swift API</a></li>'
            menu += f"<h2>{section}</h2><ul>{items}</ul>"
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(title(self.texts[page]))}</title><style>{STYLE}</style>"
            f"<nav>{menu}</nav><main>{body}</main></html>\n"
        )

    def item(self, page, other):
        current = ' aria-current="page"' if other == page else ""
        name = html.escape(title(self.texts[other]))
        return f'<li><a href="{self.relative(page, target(other))}"{current}>{name}</a></li>'


site = Site(pathlib.Path(sys.argv[1]).resolve())
site.write()
for fault in site.faults:
    print(f"error: {fault}", file=sys.stderr)
sys.exit(1 if site.faults else 0)
