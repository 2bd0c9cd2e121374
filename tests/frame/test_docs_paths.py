"""test_docs_paths: what the pages name is there: files and folders of the source tree, functions in them, other pages.

Paths are words that start with a folder of the source tree; one with a word in capitals in it, as host/METHOD/ref, is
a pattern. "`path` `name`" says that the file has that name in it; "`path` `a`, `b`" says it of several. Links lead to
files, and their anchors to headings.
"""
# labels: frame
import pathlib
import re
import unittest

from command import has_method

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted([*SOURCE.glob("*.md"), *(SOURCE / "docs").glob("**/*.md")])
FOLDERS = "benchmarks|cmake|docs|host|include|kernels|scenes|tests"
PATH = re.compile(rf"(?<![\w./-])(?:{FOLDERS})/[\w./*{{}},-]*[\w/*}}]")
NAMES = re.compile(rf"`((?:{FOLDERS})/[\w./-]+\.\w+)`\s+(`\w+`(?:, `\w+`)*)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def is_pattern(path):
    return re.search(r"(?<![A-Za-z])[A-Z]{2,}", path) is not None


def is_removed(path):
    """Of a method that was taken out: its folders are gone, the pages still tell of it."""
    return re.match(r"(host|kernels|tests)/cable(/|$)", path) is not None and not has_method("cable")


def expand(path):
    """a/{b,c}.h as a/b.h and a/c.h."""
    found = re.search(r"\{([^}]*)\}", path)
    if found is None:
        return [path]
    return [one for word in found[1].split(",") for one in expand(path[:found.start()] + word + path[found.end():])]


def missing_paths(text):
    for path in PATH.findall(text):
        if not is_pattern(path) and not is_removed(path):
            yield from (one for one in expand(path) if not any(SOURCE.glob(one.rstrip("/"))))


def missing_names(text):
    for path, names in NAMES.findall(text):
        if is_removed(path):
            continue
        file = SOURCE / path
        content = file.read_text() if file.is_file() else ""
        yield from (f"{path} {name}" for name in re.findall(r"\w+", names) if not re.search(rf"\b{name}\b", content))


def anchors(text):
    text = re.sub(r"(?ms)^```.*?^```", "", text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"(?m)^#+ (.*)$", text)}


def missing_links(page, text):
    for link in LINK.findall(re.sub(r"(?ms)^```.*?^```", "", text)):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if re.match(r"\w+:", link):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
            yield link


class DocsPaths(unittest.TestCase):
    def test_everything_named_is_there(self):
        self.assertGreater(len(PAGES), 10)
        for page in PAGES:
            text = page.read_text()
            with self.subTest(page=page.name):
                self.assertEqual(list(missing_paths(text)), [], "no such path")
                self.assertEqual(list(missing_names(text)), [], "no such name in the file")
                self.assertEqual(list(missing_links(page, text)), [], "links that lead nowhere")

    def test_what_is_not_there_is_found(self):
        self.assertEqual(list(missing_paths("`host/nobody.c`, host/cl/engine.h, host/METHOD/ref, host/{cl,no}/engine.h")),
                         ["host/nobody.c", "host/no/engine.h"])
        self.assertEqual(list(missing_names("`host/cl/engine.h` `engine_open`, `engine_nap`")),
                         ["host/cl/engine.h engine_nap"])
        self.assertEqual(list(missing_links(SOURCE / "README.md", "[a](docs/no.md) [b](docs/engine.md#no-such) [c](#sheaf)"
                                            " [d](docs/engine.md#one-step)")), ["docs/no.md", "docs/engine.md#no-such"])


if __name__ == "__main__":
    unittest.main()
