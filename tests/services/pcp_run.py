# SPDX-License-Identifier: BSD-2-Clause
"""Performance Co-Pilot's daemon, with nothing but pmdaopenmetrics, in a
directory of the test."""

import getpass
import os
import pathlib
import re
import subprocess

from demo_server import LIMIT, wait_until

PMDA = "/usr/lib/pcp/pmdas/openmetrics/pmdaopenmetrics.python"
# Debian's, since that is what python3-pcp is for
CONFIGURATION = """openmetrics 144 pipe binary notready /usr/bin/python3 %s \
-c %s/urls -l %s/openmetrics.log

[access]
allow ".*" : all;
allow ":*" : all;
"""
NAMES = "root {\n\topenmetrics\t144:*:*\n}\n"
PATHS = {"PCP_RUN_DIR": "run", "PCP_LOG_DIR": "log", "PCP_VAR_DIR": "var",
         "PCP_TMP_DIR": "tmp"}


class Pcp:
    """urls: {name: URL}"""

    def __init__(self, pmcd, pminfo, folder, port, urls):
        self.pminfo, self.folder, self.port = pminfo, folder, port
        for name in [*PATHS.values(), "urls", "var/config/pmda"]:
            (folder / name).mkdir(parents=True)
        for name, url in urls.items():
            (folder / "urls" / (name + ".url")).write_text(url + "\n")
        (folder / "pmcd.conf").write_text(
            CONFIGURATION % (PMDA, folder, folder))
        (folder / "names").write_text(NAMES)
        self.environment = dict(os.environ, PCP_CONF=self.paths())
        self.process = subprocess.Popen(
            [pmcd, "-A", "-f", "-U", getpass.getuser(), "-i", "127.0.0.1",
             "-p", str(port), "-s", str(folder / "socket"),
             "-c", str(folder / "pmcd.conf"), "-n", str(folder / "names"),
             "-l", str(folder / "pmcd.log")], env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def paths(self):
        """Where it finds and writes what is not in the package."""
        text = pathlib.Path("/etc/pcp.conf").read_text()
        for name, place in PATHS.items():
            text = re.sub("^%s=.*" % name, "%s=%s/%s" % (
                name, self.folder, place), text, flags=re.M)
        path = self.folder / "pcp.conf"
        path.write_text(text)
        return str(path)

    def ask(self, *words):
        """What pminfo prints."""
        return subprocess.run(
            [self.pminfo, "-h", "127.0.0.1:%d" % self.port, *words],
            env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=LIMIT).stdout.decode()

    def logs(self):
        return "".join(path.read_text() for path in
                       sorted(self.folder.glob("*.log")))

    def wait_for(self, metric):
        def known():
            assert self.process.poll() is None, self.logs()
            return "value" in self.ask("-f", metric)
        try:
            wait_until(known, "PCP has " + metric)
        except AssertionError:
            raise AssertionError(self.logs())

    def values(self, metric):
        """{labels, as in "command:read": value}; "" without labels"""
        said = self.ask("-f", metric)
        found = re.findall(r'^    inst \[\d+ or "\d+ (.*?)"\] value (\S+)$',
                           said, re.M | re.S)
        found += [("", value) for value in
                  re.findall(r"^    value (\S+)$", said, re.M)]
        return {labels: float(value) for labels, value in found}

    def end(self):
        self.process.terminate()
        self.process.wait(LIMIT)
