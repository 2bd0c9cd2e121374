"""shown_commands: runs every `sheaf` command line that pages of README.md and docs/ show.

Blocks marked sh are read line by line; lines that start with `sheaf` or `build/release/sheaf` are run by bash, in
order, in a folder of the page's own that holds the scenes, the scenes that it asks to save as `name.yaml`, and a groom
`fringe.hair`.
A line that ends in "# exits N" must end with that code. Runs that say no length are cut short, so that a page is
checked in seconds.
"""
import os
import re
import shutil
import subprocess

from command import SHEAF, SOURCE, CommandTest, has_method

PAGES = sorted(page for page in [SOURCE / "README.md", *(SOURCE / "docs").glob("**/*.md")]
               if page.stem != "cables" or has_method("cable"))

SHORTENED = """#!/usr/bin/env bash
words=("$@")
if [ "${1:-}" = run ]; then
    case " $* " in *" --time"* | *" -t "* | *" --steps"* | *" -n "* | *" --help "*) ;; *) words+=(--steps 3) ;; esac
fi
if [ "${1:-}" = render ]; then
    case " $* " in *" --size"* | *" -s "* | *" --help "*) ;; *) words+=(--size 160x90) ;; esac
    case " $* " in *" --time"* | *" -t "* | *" --help "*) ;; *) words+=(--time 0.05) ;; esac
fi
if [ "${1:-}" = bench ]; then
    words+=(--quick)
fi
exec "$REAL_SHEAF" "${words[@]}"
"""


def saved_scenes(text):
    return re.findall(r"(?ms)\bas `([\w-]+\.yaml)`:\n\n```yaml\n(.*?)^```", text)


def command_lines(text):
    for block in re.findall(r"(?ms)^```(?:sh|bash|console)\n(.*?)^```", text):
        for line in block.replace("\\\n", " ").splitlines():
            line = line.strip().removeprefix("$ ")
            if re.match(r"(build/release/)?sheaf\b", line):
                yield line


class ShownCommands(CommandTest):
    """A test has some of the pages, so that no test takes long."""

    def lay_out(self, folder):
        shim = folder / "build/release/sheaf"
        shim.parent.mkdir(parents=True)
        shim.write_text(SHORTENED)
        shim.chmod(0o755)
        if (SOURCE / "scenes").exists():
            shutil.copytree(SOURCE / "scenes", folder / "scenes")
        shutil.copy(SOURCE / "tests/data/files/fringe.hair", folder)

    def run_line(self, folder, line):
        path = f"{folder}/build/release:{os.environ['PATH']}"
        result = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=300,
                                env={**os.environ, "PATH": path, "REAL_SHEAF": SHEAF})
        expected = re.search(r"# exits (\d+)$", line)
        self.assertEqual(result.returncode, int(expected[1]) if expected else 0,
                         f"{line}\n{result.stdout}{result.stderr}")

    def run_page(self, page):
        folder = self.folder / page.stem
        folder.mkdir()
        self.lay_out(folder)
        for name, scene in saved_scenes(page.read_text()):
            (folder / name).write_text(scene)
        for line in command_lines(page.read_text()):
            with self.subTest(page=page.name, line=line):
                self.run_line(folder, line)

    def run_pages(self, pages):
        for page in pages:
            self.run_page(page)
