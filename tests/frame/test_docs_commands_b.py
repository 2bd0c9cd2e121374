"""test_docs_commands_b: every `sheaf` command line shown in the second third of README.md and docs/ works as shown."""
# labels: frame (30 s)
import unittest

from shown_commands import PAGES, ShownCommands


class DocsCommands(ShownCommands):
    def test_shown_commands_work(self):
        self.run_pages(PAGES[1::3])


if __name__ == "__main__":
    unittest.main()
