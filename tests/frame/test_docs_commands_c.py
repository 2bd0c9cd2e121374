"""test_docs_commands_c: every `sheaf` command line shown in the third third of README.md and docs/ works as shown."""
# labels: frame (30 s)
import unittest

from shown_commands import PAGES, ShownCommands


class DocsCommands(ShownCommands):
    def test_shown_commands_work(self):
        self.run_pages(PAGES[2::3])


if __name__ == "__main__":
    unittest.main()
