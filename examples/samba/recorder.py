# SPDX-License-Identifier: BSD-2-Clause
"""smbd with sdtkit's flight recorder, put into it by LD_PRELOAD, or run by
`sdtkit trace`: one of its children is killed by signal 11, and what was
recorded is held against what was on the wire. Also an smbd whose recorder
counts spans: its numbers are held against those of the kernel.

    recorder.show(tree, build, files)
    recorder.show_traced(tree, build, files)
    recorder.show_counted(tree, build, files)

Three clients work through relay.py. The first leaves. The second stays, and so
does its child of smbd. The child of the third is killed. Then the file has to
have each request of each of the three.
"""

import collections
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from relay import NAMES, Relay
import server
from server import children_of
import source
import tracer
import ways

# those two tell at the end of a request what other probes have told: they
# would be six hits a file more
PATTERNS = ("smb2:*,!smb2:request_summary,!smb2:request_details,"
            "!smb2:request_notes,smbnet:*,vfs:*")
# smbd's other providers have spans that begin before a client does something.
SPANS = ["smb2:*", "smbnet:*", "vfs:*"]
# enough for the hits of SAMBA_FILES files; a thread has its ring in memory
OPTIONS = "dir={directory},ring=4M,size=256M"
MEMORY = "/dev/shm"
LAST = 8	# lines of the killed child that are shown
LIMIT = 60


def library(build):
    return build / "lib" / "record" / "libsdtkit-recorder.so"


def environment(build, directory):
    """What the environment of smbd has more, to have a recorder whose file is
    in the directory."""
    return {"LD_PRELOAD": library(build).name,
            "LD_LIBRARY_PATH": str(library(build).parent),
            "SDTKIT_RECORDER": PATTERNS,
            "SDTKIT_RECORDER_OPTIONS": OPTIONS.format(directory=directory)}


def file_in(directory, kind="recorder"):
    """The recorder's file, or its dump."""
    found = sorted(directory.glob("sdtkit-%s-*" % kind))
    if len(found) != 1:
        raise source.Failed("%d files sdtkit-%s-* in %s" % (
            len(found), kind, directory))
    return found[0]


class Client:
    """An smbclient that uploads files, and again each time that it is told to;
    meanwhile it stays."""

    def __init__(self, smbd, port, top, files, uploads):
        before = smbd.children()
        there, _ = server.make_files(top, 0)
        self.fifo = top / "go"
        os.mkfifo(str(self.fifo))
        commands = ["prompt"]
        for number in range(uploads):
            name = "%s%d-" % (top.name, number)
            for file in range(files):
                (there / (name + str(file))).write_bytes(
                    os.urandom(server.SIZE))
            commands += ["mput %s*" % name, "!echo done",
                         "!cat %s" % self.fifo]
        # all at once: smbclient does not see a second line that comes with
        # the first
        (top / "commands").write_text("\n".join(commands) + "\n")
        with (top / "commands").open() as stdin:
            self.process = subprocess.Popen(
                ["smbclient", "//127.0.0.1/share", "-p", str(port), "-N",
                 "-mSMB3"], cwd=str(there), text=True, stdin=stdin,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True)
        self.wait()
        (self.child,) = smbd.children() - before

    def wait(self):
        """Until an upload is done."""
        said = []
        for line in self.process.stdout:
            if line.endswith("done\n"):
                return
            said.append(line)
        raise source.Failed("smbclient: %s" % "".join(said)[-500:])

    def go_on(self):
        """Uploads once more."""
        self.fifo.write_text("")
        self.wait()

    def leave(self):
        self.fifo.write_text("")
        self.process.communicate(timeout=LIMIT)

    def end(self):
        """Ends it, and the command that waits for the FIFO."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def work(smbd, between, top, files, clients):
    """Returns {pid of a child: what became of it}; appends to clients."""
    for name, uploads in (("one", 1), ("two", 2), ("three", 2)):
        (top / name).mkdir()
        clients.append(Client(smbd, between.port, top / name, files, uploads))
    leaving, staying, dying = clients
    leaving.leave()
    os.kill(dying.child, signal.SIGSEGV)
    server.until(lambda: not {leaving.child, dying.child} & smbd.children(),
                 lambda: "a child of smbd stays", smbd.process)
    staying.go_on()
    return {leaving.child: "left", staying.child: "serves its client",
            dying.child: "killed by signal 11"}


def snapshot(build, file, output, *options):
    """The lines that sdtkit trace makes of the file."""
    command = [str(build / "lib/tool/sdtkit"), "trace", "--snapshot",
               str(file), "-o", str(output), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, timeout=LIMIT)
    if done.returncode:
        raise source.Failed("%s: %s" % (" ".join(command), done.stdout))
    return output.read_text().splitlines()


class Recorded:
    """What a file has, by child."""

    def __init__(self, lines):
        self.times = collections.defaultdict(list)
        self.requests = collections.defaultdict(collections.Counter)
        self.lost = 0
        for line in map(json.loads, lines):
            self.lost += line.get("lost", 0)
            if "probe" in line and "time" in line:
                self.add(line)

    def add(self, hit):
        self.times[hit["pid"]].append(hit["time"])
        if (hit["provider"], hit["probe"]) == ("smb2", "request_start"):
            opcode = next(argument["value"] for argument in hit["arguments"]
                          if argument["name"] == "opcode")
            self.requests[hit["pid"]][NAMES[opcode]] += 1

    def seconds(self, pid):
        """The time from the first to the last hit."""
        times = self.times[pid]
        return (max(times) - min(times)) / 1e9 if times else 0


def compare(sent, recorded, fates):
    """Prints a line for each child; raises Failed if a request is missing."""
    print("%-8s %-22s %8s %8s %8s" % ("child", "", "requests", "hits",
                                      "seconds"))
    for pid, fate in fates.items():
        print("%-8d %-22s %8d %8d %8.1f" % (
            pid, fate, sum(recorded.requests[pid].values()),
            len(recorded.times[pid]), recorded.seconds(pid)))
    total = sum((recorded.requests[pid] for pid in fates),
                collections.Counter())
    print("%-31s %8d" % ("all", sum(total.values())))
    print("%-31s %8d" % ("on the wire", sum(sent.values())))
    if recorded.lost or total != sent:
        raise source.Failed("%d hits lost; on the wire: %s; recorded: %s" % (
            recorded.lost, dict(sent - total), dict(total - sent)))


def killed(fates):
    return next(pid for pid, fate in fates.items()
                if fate.startswith("killed"))


def show_last(lines, pid):
    """Prints the last lines of the child that was killed."""
    print("\nthe last that the killed child did:")
    for line in [line for line in lines
                 if str(pid) in line.split()[:2]][-LAST:]:
        print(line)


class Traced(server.Smbd):
    """One that `sdtkit trace` runs."""

    def __init__(self, tree, top, build):
        self.command = [build / "lib/tool/sdtkit", "trace", "-q", "-j", "-o",
                        top / "hits", PATTERNS, "--"]
        super().__init__(tree, top)

    def words(self, *command):
        return super().words(*self.command, *command)

    def pid(self):
        (pid,) = children_of(self.process.pid)
        return pid


def show_traced(tree, build, files):
    """Raises Failed if a request is missing in what `sdtkit trace` prints."""
    clients = []
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        smbd = Traced(tree, top, build)
        try:
            between = Relay(smbd.port)
            fates = work(smbd, between, top, files, clients)
            sent = between.sent()
        finally:
            for client in clients:
                client.end()
            smbd.stop()
        between.close()
        compare(sent, Recorded((top / "hits").read_text().splitlines()), fates)


def show(tree, build, files):
    """Raises Failed if a request is missing in the file, or one of the killed
    child in its dump."""
    clients = []
    with tempfile.TemporaryDirectory() as name, \
            tempfile.TemporaryDirectory(dir=MEMORY) as memory:
        top, directory = pathlib.Path(name), pathlib.Path(memory)
        smbd = server.Smbd(tree, top, dict(os.environ, **environment(
            build, directory)))
        try:
            between = Relay(smbd.port)
            fates = work(smbd, between, top, files, clients)
            sent = between.sent()
            recorded = Recorded(snapshot(build, file_in(directory),
                                         top / "json", "-j"))
            dump = file_in(directory, "dump")
            dumped = Recorded(snapshot(build, dump, top / "json", "-j"))
            lines = snapshot(build, dump, top / "lines", "smb2:*")
        finally:
            for client in clients:
                client.end()
            smbd.stop()
    between.close()
    compare(sent, recorded, fates)
    pid = killed(fates)
    if dumped.requests[pid] != recorded.requests[pid]:
        raise source.Failed("%s has other requests: %s" % (
            dump.name, dict(dumped.requests[pid])))
    show_last(lines, pid)


def show_counted(tree, build, files):
    """Raises Failed unless the recorder and the kernel count the same."""
    with tempfile.TemporaryDirectory() as name, \
            tempfile.TemporaryDirectory(dir=MEMORY) as memory:
        top = pathlib.Path(name)
        smbd = server.Smbd(tree, top, dict(os.environ, **ways.preloaded(
            build, memory, ",".join(SPANS))))
        try:
            with tracer.running(ways.tops(build, smbd.pid(), SPANS),
                                top) as texts:
                others = smbd.children()
                server.drive(smbd.port, top, files)
                server.torture(smbd.port)
                smbd.wait_for_goodbye(others)
        finally:
            smbd.stop()
    ways.compare(*(ways.report(texts[way]) for way in ways.WAYS))
