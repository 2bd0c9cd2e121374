"""test_report: the page that `sheaf report` makes of a run: whole, true to the files, and harmless whatever these hold."""
import html.parser
import json
import re
import unittest

from command import ROD, CommandTest

VOID = {"meta", "img", "br", "link", "stop", "path", "line", "rect", "circle", "polyline"}


class Page(html.parser.HTMLParser):
    """Elements are closed in order, and nothing is loaded from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.words, self.tags = [], [], "", set()
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.words += data


class Report(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD.replace("a rod", "\"a <script>alert('rod')</script> & more\""))
        self.sheaf("run", "rod.yaml", "--device", "ref")

    def page(self):
        return Page((self.folder / "rod.run/report.html").read_text())

    def test_links_are_not_followed(self):
        """A page is for others to see: what a planted link points to stays out of it."""
        (self.folder / "secret.svg").write_text("<svg>secret</svg>")
        for picture in self.folder.rglob("picture.svg"):
            picture.unlink()
            picture.symlink_to(self.folder / "secret.svg")
            self.sheaf("report", str(picture.parent), "-o", "page.html")
            self.assertNotIn("secret", (self.folder / "page.html").read_text())

    def test_tells_what_the_files_tell(self):
        self.sheaf("report", "rod.run")
        page = self.page()
        record = json.loads((self.folder / "rod.run/run.json").read_text())
        for word in ["a <script>alert('rod')</script> & more", "Settings", "Timing", "Strands to look at", "Files",
                     f"{record['worst_strain']:.1e}", "vertex-steps per second", "bdf2", "among the fastest"]:
            self.assertIn(word, page.words)
        self.assertNotIn("script", page.tags)
        self.assertEqual(page.words.count("time (s)"), 4)
        links = [link for link in page.links if not link.startswith("data:image/svg+xml;base64,")]
        self.assertEqual(len(page.links) - len(links), 1)
        for link in links:
            self.assertTrue((self.folder / "rod.run" / link).is_file(), link)
        self.sheaf("report", "rod.run", "-o", "page.html")
        self.sheaf("run", "rod.yaml", "--device", "ref", "--overwrite")  # a page belongs to the run
        self.assertFalse((self.folder / "rod.run/report.html").exists())

    def test_unfinished_runs(self):
        folder = self.folder / "rod.run"
        for name in ["picture.svg", "trajectory.vtkhdf", "strands.csv"]:
            (folder / name).unlink()
        record = json.loads((folder / "run.json").read_text())
        record.update(exit=None, incidents=[{"strand": 3, "vertex": 2, "step": 7, "quantity": "<b>", "value": 1}])
        (folder / "run.json").write_text(json.dumps(record))
        lines = (folder / "thermo.csv").read_text().splitlines(True)
        (folder / "thermo.csv").write_text("".join(lines[:3]) + lines[3][:20])
        self.sheaf("report", "rod.run")
        page = self.page()
        self.assertIn("still running, or killed", page.words)
        self.assertIn("diverged at step 7: <b> of vertex 2", page.words)
        (folder / "thermo.csv").write_text(lines[0])
        self.sheaf("report", "rod.run")
        self.page()

    def test_only_pages_are_replaced(self):
        record = (self.folder / "rod.run/run.json").read_bytes()
        for name in ["rod.run/run.json", "rod.yaml"]:
            self.assertIn("is no page", self.sheaf("report", "rod.run", "-o", name, expect=7).stderr)
        self.assertEqual((self.folder / "rod.run/run.json").read_bytes(), record)
        for _ in range(2):
            self.sheaf("report", "rod.run", "-o", "page.html")

    def test_refusals(self):
        self.assertIn("cannot read", self.sheaf("report", "nothing", expect=7).stderr)
        (self.folder / "rod.run/run.json").write_text("{}")
        self.assertTrue(re.search("not the record", self.sheaf("report", "rod.run", expect=3).stderr))
        self.assertFalse((self.folder / "rod.run/report.html").exists())


if __name__ == "__main__":
    unittest.main()
