# SPDX-License-Identifier: BSD-2-Clause
"""A session of LTTng-UST that nobody else uses: a lttng-sessiond of its own, in
a home of its own, that ends with it. Root would get the daemon that the machine
shares, so root becomes the user "nobody" for it.

    with Session(program) as session:
        with Target(session.command, 1, env=session.environment) as target:
            target.fire(1000)
        session.close()
        session.counted, session.discarded
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

COMMANDS = ["lttng", "lttng-sessiond", "babeltrace2"]
NOBODY = 65534
SUB_BUFFERS, SUB_BUFFER_SIZE = "4", "4M"
SHARED = pathlib.Path("/dev/shm")
LIMIT = 60


def lacks():
    """What is missing for it, or None."""
    missing = [command for command in COMMANDS if not shutil.which(command)]
    if subprocess.run(["gcc", "-E", "-x", "c", "-"], stderr=subprocess.DEVNULL,
                      input="#include <lttng/tracepoint.h>\n", text=True,
                      stdout=subprocess.DEVNULL).returncode != 0:
        missing.append("<lttng/tracepoint.h>")
    if missing:
        return "%s: packages liblttng-ust-dev, lttng-tools, babeltrace2" % (
            ", ".join(missing))
    return None


class Session:
    """From enable-event to destroy."""

    def __init__(self, program):
        # the directory for temporary files may be root's alone
        self.home = pathlib.Path(tempfile.mkdtemp(
            prefix="sdtkit-lttng-", dir="/tmp" if os.geteuid() == 0 else None))
        self.before = set(SHARED.glob("lttng-ust-wait-*"))
        self.environment = dict(
            os.environ, HOME=str(self.home), LTTNG_HOME=str(self.home),
            LTTNG_UST_REGISTER_TIMEOUT="-1")
        self.prefix = []
        copy = shutil.copy(program, self.home)
        if os.geteuid() == 0:
            os.chown(self.home, NOBODY, NOBODY)
            os.chmod(copy, 0o755)
            self.prefix = ["setpriv", "--reuid=%d" % NOBODY,
                           "--regid=%d" % NOBODY, "--clear-groups"]
        self.command = [*self.prefix, copy]
        self.daemon = None
        self.counted = self.discarded = None

    def run(self, *words):
        return subprocess.run(
            [*self.prefix, *words], env=self.environment, cwd=str(self.home),
            check=True, stdout=subprocess.PIPE, timeout=LIMIT,
            stderr=subprocess.STDOUT, text=True).stdout

    def wait_for_daemon(self):
        until = time.monotonic() + LIMIT
        while time.monotonic() < until and self.daemon.poll() is None:
            try:
                self.run("lttng", "--no-sessiond", "list")
                return
            except subprocess.CalledProcessError:
                time.sleep(0.05)
        raise SystemExit("lttng-sessiond did not start: " +
                         (self.home / "log").read_text())

    def __enter__(self):
        with (self.home / "log").open("w") as log:
            self.daemon = subprocess.Popen(
                [*self.prefix, "lttng-sessiond", "--no-kernel"], stdout=log,
                cwd=str(self.home), env=self.environment,
                stderr=subprocess.STDOUT)
        try:
            self.wait_for_daemon()
            self.run("lttng", "create", "s", "-o", self.home / "trace")
            self.run("lttng", "enable-channel", "-u", "-s", "s", "c",
                     "--discard", "--buffers-uid", "--num-subbuf", SUB_BUFFERS,
                     "--subbuf-size", SUB_BUFFER_SIZE)
            self.run("lttng", "enable-event", "-u", "-s", "s", "-c", "c",
                     "on:hit")
            self.run("lttng", "start", "s")
        except BaseException:
            self.__exit__()
            raise
        return self

    def close(self):
        """Stops recording, and counts."""
        self.run("lttng", "stop", "s")
        said = self.run("lttng", "list", "s")
        self.discarded = sum(map(int, re.findall(
            r"(?:Discarded|Lost)[a-z -]*: *(\d+)", said)))
        self.run("lttng", "destroy", "s")
        counts = self.run("babeltrace2", self.home / "trace",
                          "--component=sink.utils.counter")
        self.counted = int(re.findall(r"(\d+) Event messages", counts)[-1])

    def __exit__(self, *_):
        self.daemon.terminate()
        try:
            self.daemon.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
            self.daemon.wait()
        shutil.rmtree(self.home, ignore_errors=True)
        for file in set(SHARED.glob("lttng-ust-wait-*")) - self.before:
            file.unlink()
