"""test_fields_docs: the table of fields in docs/engine.md is what kernels/der/fields.clh says.

`python3 tests/frame/test_fields_docs.py write` makes it anew.
"""
# labels: frame
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/engine.md"
TABLE = re.compile(r"(?s)(<!-- fields: .*? -->\n)(.*?)(<!-- end of fields -->\n)")
ROWS = {"SLOT": "vertex", "BUNDLE": "strand"}


def read_sizes(slots):
    """Numbers that macros stand for: {"SPAN_SIZE": 4, ...}."""
    return {name: int(value) for name, value in re.findall(r"(?m)^#define (\w+_SIZE) (\d+)$", slots)}


def read_fields(text, sizes):
    """The entries of the list: name, rows, count of numbers, role, geometry, start, unit, meaning."""
    body = text[text.index("#define DER_FIELDS(X)"):]
    fields = re.findall(r'\bX\((\w+), (\w+), (\w+), (\w+), (\w+), (\w+), "([^"]*)", "([^"]*)"\)', body)
    if len(fields) != body.count("X(") - "DER_FIELDS(X)".count("X("):
        raise ValueError("an entry of DER_FIELDS cannot be read")
    return [(name, rows, int(size) if size.isdigit() else sizes[size], *rest) for name, rows, size, *rest in fields]


def make_table(fields):
    lines = ["", "| field | a row per | numbers | role | under rotation | starts | unit | meaning |",
             "|---|---|---|---|---|---|---|---|"]
    for name, rows, size, role, geometry, start, unit, meaning in fields:
        shown = f"`{unit}`" if unit.endswith("*") else unit
        lines.append(f"| `{name}` | {ROWS[rows]} | {size} | {role.lower()} | {geometry.lower()} | {start.lower()} "
                     f"| {shown} | {meaning} |")
    totals = [sum(field[2] for field in fields if field[1] == rows) for rows in ROWS]
    lines += ["", f"That makes {totals[0]} numbers per vertex and {totals[1]} per strand.", ""]
    return "\n".join(lines) + "\n"


def current_table():
    sizes = read_sizes((SOURCE / "kernels/der/slots.clh").read_text())
    return make_table(read_fields((SOURCE / "kernels/der/fields.clh").read_text(), sizes))


def put_table(page, table):
    return TABLE.sub(lambda found: found[1] + table + found[3], page)


class FieldsDocs(unittest.TestCase):
    maxDiff = None

    def test_page_is_current(self):
        places = TABLE.findall(PAGE.read_text())
        self.assertEqual(len(places), 1, "docs/engine.md has no place, or several, for the table of fields")
        self.assertEqual(places[0][1], current_table(), "make the table anew: test_fields_docs.py write")

    def test_only_the_table_is_written(self):
        page = "a\n<!-- fields: how -->\nold\n<!-- end of fields -->\nb\n"
        self.assertEqual(put_table(page, "new\n"), page.replace("old", "new"))

    def test_a_line_is_a_row(self):
        text = '#define DER_FIELDS(X) \\\n    X(edge, SLOT, 3, STATE, VECTOR, PACKED, "m", "edge vector") \\\n' \
               '    X(clamp, BUNDLE, CLAMP_SIZE, CONSTANT, SCALAR, PACKED, "CLAMP_*", "root")\n'
        fields = read_fields(text, read_sizes("#define CLAMP_SIZE 9\n"))
        self.assertIn("| `clamp` | strand | 9 | constant | scalar | packed | `CLAMP_*` | root |", make_table(fields))
        self.assertIn("That makes 3 numbers per vertex and 9 per strand.", make_table(fields))

    def test_an_entry_that_cannot_be_read_is_an_error(self):
        with self.assertRaises(ValueError):
            read_fields("#define DER_FIELDS(X) X(edge, SLOT, 3, STATE, VECTOR)", {})


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        PAGE.write_text(put_table(PAGE.read_text(), current_table()))
    else:
        unittest.main()
