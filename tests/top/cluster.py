# SPDX-License-Identifier: BSD-2-Clause
"""A private cluster of Debian's PostgreSQL, unchanged: its server belongs to
an ordinary user, listens on a socket in its own directory only, and counts
queries itself (pg_stat_statements)."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from programs import asked, given

HOMES = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
CONFIGURATION = """
listen_addresses = ''
unix_socket_directories = '%s'
shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.track = 'top'
compute_query_id = on
autovacuum = off
fsync = off
jit = off
max_parallel_workers_per_gather = 0
log_min_messages = fatal
"""


def home():
    """Where the programs are; None if PostgreSQL is not installed."""
    if not given("--services") and not asked("postgresql-15"):
        return None
    whole = [path for path in HOMES
             if (path / "initdb").exists() and (path / "pgbench").exists()]
    return whole[-1] if whole else None


def unprivileged():
    """Options of subprocess: the server refuses to be root's."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


class Cluster:
    """Begins with a database of pgbench's, and ends with close(). Its programs
    are in a directory of Debian's, or in a copy."""

    def __init__(self, programs=None):
        self.bin = programs or home()
        self.server = self.bin / "postgres"
        self.place = tempfile.mkdtemp(prefix="sdtkit-pg-")
        if os.geteuid() == 0:
            shutil.chown(self.place, "nobody", "nogroup")
        self.data = os.path.join(self.place, "data")
        self.call("initdb", "-D", self.data, "-U", "test", "-A", "trust",
                  "-N", "--locale=C", "-E", "UTF8")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as file:
            file.write(CONFIGURATION % self.place)
        self.control("start", "-l", os.path.join(self.place, "log"))
        try:
            self.sql("create database bench", "postgres")
            self.sql("create extension pg_stat_statements")
            self.call("pgbench", *self.where(), "-i", "-q", "-s", "1")
        except BaseException:
            self.close()
            raise

    def control(self, *words):
        self.call("pg_ctl", "-D", self.data, "-w", "-s", *words)

    def restart(self):
        """Forgets the pages in its memory."""
        self.control("restart", "-m", "fast", "-l",
                     os.path.join(self.place, "log"))

    def where(self):
        return ["-h", self.place, "-U", "test", "bench"]

    def call(self, program, *arguments):
        """Runs a program of PostgreSQL's; returns its output."""
        done = subprocess.run(
            [str(self.bin / program), *arguments], cwd=self.place,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=300, env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
            **unprivileged())
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sql(self, text, database="bench", fails=False):
        """Runs one statement; returns the rows as lists of strings."""
        output = self.call(
            "psql", "-h", self.place, "-U", "test", "-X", "-q", "-A", "-t",
            "-F", "\t", *([] if fails else ["-v", "ON_ERROR_STOP=1"]),
            "-d", database, "-f", self.script(text))
        return [line.split("\t") for line in output.split("\n") if line]

    def script(self, text):
        """A file with this text, which the server's user can read."""
        handle, path = tempfile.mkstemp(dir=self.place)
        with os.fdopen(handle, "w") as file:
            file.write(text + "\n")
        os.chmod(path, 0o644)
        return path

    def pgbench(self, *arguments):
        """Runs pgbench; returns how many transactions it has made, and their
        average latency in microseconds, as it tells them."""
        output = self.call("pgbench", "-n", *arguments, *self.where())
        count = re.search(r"actually processed: (\d+)", output).group(1)
        latency = re.search(r"latency average = ([0-9.]+) ms", output)
        return int(count), 1000 * float(latency.group(1))

    def forget(self):
        """Sets the counters of pg_stat_statements to 0."""
        self.sql("select pg_stat_statements_reset()")

    def statements(self):
        """By query: how often it ran, and the microseconds of all runs."""
        rows = self.sql("select query, calls, total_exec_time * 1000 "
                        "from pg_stat_statements "
                        "where query not like '%pg_stat_statements%'")
        return {query: (int(calls), float(us)) for query, calls, us in rows}

    def close(self):
        subprocess.run(
            [str(self.bin / "pg_ctl"), "-D", self.data, "-w", "-s", "-m",
             "immediate", "stop"], **unprivileged())
        shutil.rmtree(self.place)
