"""devices: what the tests of the command on OpenCL devices share."""
import contextlib
import json
import os
import pathlib
import shutil

from command import ROD, CommandTest

ON_REFERENCE = "sheaf: running on the reference: "


class DeviceTest(CommandTest):
    """Shares one cache between tests, so that kernels are compiled once; those who spoil it copy it first."""

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "/tmp/sheaf-test-cache"))
        cls.shared.mkdir(parents=True, exist_ok=True)

    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD.replace("200 GPa", "2 GPa").replace("1/100", "1/1000"))
        self.environment = {"XDG_CACHE_HOME": str(self.shared)}

    def run_rod(self, *words, expect=0, **changes):
        return self.sheaf("run", "rod.yaml", "--overwrite", "-q", "--json", *words, expect=expect,
                          env={**self.environment, **changes})

    def copy_cache(self):
        cache = self.folder / "cache"
        with contextlib.suppress(shutil.Error):  # temporary files of other tests come and go
            shutil.copytree(self.shared / "sheaf", cache / "sheaf")
        self.environment["XDG_CACHE_HOME"] = str(cache)
        return cache / "sheaf"

    def assert_on_reference(self, result, reason):
        self.assertEqual(json.loads(result.stdout)["device"], "reference")
        notices = [line for line in result.stderr.splitlines() if line.startswith(ON_REFERENCE)]
        self.assertEqual(len(notices), 1, result.stderr)
        self.assertIn(reason, notices[0])

    def assert_on_device(self, result):
        record = json.loads(result.stdout)
        self.assertRegex(record["form"], "^float(1|4|8|16)$")
        self.assertEqual(record["precision"], "single")
