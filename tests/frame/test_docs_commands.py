"""test_docs_commands: every `sheaf` command line shown in the first third of README.md and docs/ works as shown."""
# labels: frame (30 s)
import unittest

from shown_commands import PAGES, ShownCommands, command_lines


class DocsCommands(ShownCommands):
    def test_shown_commands_work(self):
        self.run_pages(PAGES[0::3])

    def test_lines_are_found(self):
        page = "text\n```sh\n$ sheaf check a.yaml   # exits 3\nls\nbuild/release/sheaf run \\\n  b.yaml\n```\n```c\nsheaf x\n```\n"
        self.assertEqual(list(command_lines(page)),
                         ["sheaf check a.yaml   # exits 3", "build/release/sheaf run    b.yaml"])


if __name__ == "__main__":
    unittest.main()
