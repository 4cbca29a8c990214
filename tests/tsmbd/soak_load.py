# SPDX-License-Identifier: BSD-2-Clause
"""The load of soak.py: clients that know how many requests they made.

Most of them talk to a demo server, which is ended and started again. An actor
fires the probes of 10,000 clients and 100,000 files.
"""

import contextlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd")]

import demo_wire as w                       # noqa: E402
from actor import compile_actor             # noqa: E402
from demo_server import (LIMIT, Installed, state,  # noqa: E402
                         wait_until)

MANY = 100000       # requests of the actor at once


class Load:
    """Rounds of clients, one after the other, until stop(). sent[opcode] is
    exact between the rounds: inside "with load.paused"."""

    def __init__(self, build, source, folder, name, seed):
        self.build, self.folder = build, folder
        self.path = folder / "sbin" / name
        self.path.parent.mkdir()
        self.exchange_file()
        self.sent = {}
        self.paused = threading.Lock()
        self.random = random.Random(seed)
        self.idle = []
        self.failure = None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.server = Installed(build, self.path, folder)
        (folder / "actor").mkdir()
        self.actor = subprocess.Popen(
            [compile_actor(build, source, folder / "actor" / name),
             "from:0", "many:%d" % MANY, "hold", "again:1000000"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def exchange_file(self):
        """As a package does: the old file lives on in its processes."""
        new = self.path.with_name("new")
        shutil.copy(self.build / "examples" / "demo" / "demo-server", new)
        new.rename(self.path)

    def count(self, opcode, number=1):
        self.sent[opcode] = self.sent.get(opcode, 0) + number

    def total(self):
        return sum(self.sent.values())

    def copy(self):
        """Some clients at once, each with files of its own."""
        clients = [subprocess.Popen(
            [self.server.client_program, "--port", str(self.server.port),
             "--json", "--files", str(self.random.randint(1, 30)),
             "--size", str(self.random.choice((0, 100, 5000, 40000)))],
            stdout=subprocess.PIPE) for _ in range(self.random.randint(1, 4))]
        for client in clients:
            report = json.loads(client.communicate(timeout=LIMIT)[0])
            assert report["ok"], report
            for request in report["requests"].values():
                self.count(request["opcode"], request["sent"])

    def fail(self):
        """A client that asks for files that are not there, and stays."""
        connection = self.server.login()
        for opcode in (w.NEGOTIATE, w.SESSION_SETUP, w.TREE_CONNECT):
            self.count(opcode)
        for _ in range(self.random.randint(1, 20)):
            status, _ = connection.create(
                "none %d" % self.random.randrange(10 ** 6))
            assert status != w.OK
            self.count(w.CREATE)
        self.idle.append(connection)
        while len(self.idle) > 8:
            self.idle.pop(0).sock.close()

    def many(self):
        """One burst of the actor."""
        self.actor.stdin.write(b"\n")
        self.actor.stdin.flush()
        assert self.actor.stdout.readline() == b"hold\n"
        self.count(w.CREATE, MANY)

    def run(self):
        try:
            while not self.ended.is_set():
                with self.paused:
                    self.copy()
                    self.fail()
                self.ended.wait(2 * self.random.random())
        except (AssertionError, OSError, ValueError, w.Closed) as error:
            self.failure = "the load: %r" % error

    def replace(self, sign, exchange=False):
        """Ends the server, whose clients wait for nothing, and starts it
        again, from a new file if asked to. First all of its processes have to
        sleep: one that has answered may still be at the end of the request,
        which counts only when that is reached."""
        wait_until(lambda: all(state(child) in "SZX"
                               for child in self.server.children()),
                   "all of the server wait for clients")
        for child in self.server.children():
            with contextlib.suppress(ProcessLookupError):   # it has ended
                os.kill(child, sign)
        self.server.process.send_signal(sign)
        self.server.process.wait(LIMIT)
        self.server.process.stdout.close()
        self.drop_idle()
        if exchange:
            self.exchange_file()
        self.server = Installed(self.build, self.path, self.folder)

    def drop_idle(self):
        while self.idle:
            self.idle.pop().sock.close()

    def stop(self):
        self.ended.set()
        if self.thread.is_alive():
            self.thread.join(LIMIT)
        self.drop_idle()
        wait_until(self.server.idle, "clients served")
        time.sleep(0.1)

    def end(self):
        self.ended.set()
        for process in (self.actor, self.server.process):
            process.kill()
            process.wait()
            process.stdout.close()
        self.actor.stdin.close()
