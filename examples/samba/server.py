# SPDX-License-Identifier: BSD-2-Clause
"""smbd in a directory of its own, what a client does with it, and what its own
profiling counted.

    server = Smbd(tree, top)		# listens on a free port of 127.0.0.1
    drive(server.port, top, 200)	# smbclient: 200 files there and back
    torture(server.port)		# smbtorture: what smbclient never does
    server.profile()			# {"smb2_create_count": 603, ...}
    server.stop()
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

import source

SIZE = 10240
WAIT = 120	# seconds at most, for smbd to listen or a tracer to attach

CONFIGURATION = """[global]
	server role = standalone server
	map to guest = Bad User
	guest account = root
	passdb backend = smbpasswd:{top}/private/smbpasswd
	smb ports = {port}
	interfaces = lo
	bind interfaces only = yes
	private dir = {top}/private
	lock directory = {top}/lock
	state directory = {top}/state
	cache directory = {top}/cache
	pid directory = {top}/pid
	ncalrpc dir = {top}/ncalrpc
	log file = {top}/log.%m
	disable spoolss = yes
	load printers = no
	printing = bsd
	rpc start on demand helpers = no
	smbd profiling level = on
{more}
[share]
	path = {top}/share
	read only = no
	guest ok = yes
	force user = root
"""
# The one who logs in by name: each Debian has this user; whoever does not give
# a name is the guest. The hash is what a server keeps, MD4 of the UTF-16.
USER, PASSWORD = "daemon", "password"
PASSWORDS = USER + ":1:%s:8846F7EAEE8FB117AD06BDD830B7586C:[U          ]:" \
	"LCT-66000000:\n" % ("X" * 32)
DIRECTORIES = ["private", "lock", "state", "cache", "pid", "ncalrpc", "share"]

# Uploads files, lists, downloads and deletes them; then other commands.
COMMANDS = """prompt; mkdir d; cd d; lcd {there}; mput f*; ls; lcd {back};
mget f*; allinfo f0; rename f0 g; scopy g f0; setmode f0 +r; setmode f0 -r;
del f*; del g; cd \\; rmdir d; echo 3 hello; tdis; logoff"""

# Tests of Samba that send rare requests: a LOCK that waits and is withdrawn,
# or ends with its tree or session; a CHANGE_NOTIFY that is withdrawn, and one
# that waits while its client leaves; compounds, among them one that waits for
# an oplock, one for a notify, one for the disk; a second client that breaks the
# oplock of the first; the break of a lease.
TESTS = """lock.cancel lock.cancel-tdis lock.cancel-logoff
notify.tdis notify.tcp
compound_find.compound_find_related compound.compound-break compound.interim1
compound_async.flush_flush
oplock.exclusive2 lease.breaking1""".split()


def until(condition, what, process):
    """Waits for the condition while the process lives; what() is the error."""
    deadline = time.time() + WAIT
    while not condition():
        if time.time() > deadline or process.poll() is not None:
            raise source.Failed(what())
        time.sleep(0.1)


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def children_of(pid):
    """By the fourth field of /proc/PID/stat."""
    found = set()
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:		# it has just ended
            continue
        if int(fields[1]) == pid:
            found.add(int(path.parent.name))
    return found


class Smbd:
    """A server and its children. Its log is top/smbd.log. more: lines of the
    configuration, of [global] first."""

    def __init__(self, tree, top, environment=None, more=""):
        self.tree = tree
        self.log = top / "smbd.log"
        self.port = free_port()
        self.configuration = top / "smb.conf"
        for name in DIRECTORIES:
            (top / name).mkdir(exist_ok=True)
        self.configuration.write_text(CONFIGURATION.format(
            port=self.port, top=top, more=more))
        (top / "private" / "smbpasswd").write_text(PASSWORDS)
        self.start(environment)

    def words(self, *command):
        """What to run, to run that where the server is."""
        return list(map(str, command))

    def listens(self):
        return is_listening(self.port)

    def start(self, environment=None):
        """Also once more, after stop()."""
        with open(str(self.log), "w") as out:
            self.process = subprocess.Popen(
                self.words(self.tree / "bin/smbd", "-s", self.configuration,
                           "-F", "--no-process-group", "--debug-stdout"),
                stdin=subprocess.DEVNULL,	# it ends with a pipe's end
                stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
                env=environment)
        until(self.listens,
              lambda: "smbd does not listen: " + self.log.read_text()[-2000:],
              self.process)

    def pid(self):
        return self.process.pid

    def children(self):
        """The pids of its children."""
        return children_of(self.pid())

    def wait_for_goodbye(self, others):
        """Waits until only these children are left, but not for ever, as smbd
        may have started one of its own."""
        deadline = time.time() + 20
        while time.time() < deadline and not self.children() <= others:
            time.sleep(0.1)

    def profile(self):
        """Returns {counter: value} from smbstatus -P; {} without profiling."""
        program = self.tree / "bin/smbstatus"
        if not program.exists():
            return {}
        out = subprocess.run(
            [str(program), "-s", str(self.configuration), "-P"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            universal_newlines=True).stdout
        return {name: int(value) for name, value in
                re.findall(r"^(\w+): +(\d+)$", out, re.MULTILINE)}

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        finally:
            try:	# its session holds what is left of its children
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def make_files(top, files):
    """Makes a directory with so many files, and an empty one for them to come
    back to."""
    there, back = top / "there", top / "back"
    for path in (there, back):
        shutil.rmtree(str(path), ignore_errors=True)
        path.mkdir()
    for number in range(files):
        (there / ("f%d" % number)).write_bytes(os.urandom(SIZE))
    return there, back


def compare(there, back):
    """Raises Failed unless all files are the same in both directories."""
    for path in there.iterdir():
        copy = back / path.name
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            raise source.Failed("%s: not what was written" %
                                path.name)


def drive(port, top, files):
    """Copies so many files there and back, as a user does, and compares."""
    there, back = make_files(top, files)
    begun = time.time()
    done = subprocess.run(
        ["smbclient", "//127.0.0.1/share", "-p", str(port), "-N", "-mSMB3",
         "-t", "60", "-c", COMMANDS.format(there=there, back=back)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    taken = time.time() - begun
    if done.returncode:
        raise source.Failed("smbclient: %s" % done.stdout[-1000:])
    compare(there, back)
    print("smbclient: %d files of %d bytes there and back: %.1f s" % (
        files, SIZE, taken))


def torture(port):
    """Runs the tests of smbtorture; all of them have to succeed."""
    begun = time.time()
    done = subprocess.run(
        ["timeout", "300", "smbtorture", "//127.0.0.1/share", "-p", str(port),
         "-U%"] +
        ["smb2." + test for test in TESTS],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    if done.returncode:
        raise source.Failed("smbtorture: %s" % done.stdout[-2000:])
    print("smbtorture: %d tests: %.1f s" % (len(TESTS), time.time() - begun))
