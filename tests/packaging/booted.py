# SPDX-License-Identifier: BSD-2-Clause
"""systemd as the first process of a Debian in a directory, on the kernel that
runs:

    with Booted.start(root.folder) as system:
        system.run("systemctl", "start", "tsmbd")

It has namespaces of its own of all kinds but that of users, and a control group
of its own below that of the tests. What a container has read-only, so that its
services leave the kernel's settings alone, is read-only here: /sys, /proc/sys.
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time

PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
BOOT_SECONDS = 300
# $1: the directory; $2: the control group
BOOT = """
set -e
mount --make-rprivate /
cd "$1"
ip link set lo up
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o bind,remount,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
    touch dev/$name
    mount --bind /dev/$name dev/$name
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mkdir run/old
pivot_root . run/old
umount -l /run/old
rmdir /run/old
exec env -i container=sdtkit %s /lib/systemd/systemd --show-status=false
""" % PATH


def cgroup2():
    """Where the control groups of version 2 are, or None."""
    for line in pathlib.Path("/proc/mounts").read_text().splitlines():
        words = line.split()
        if words[2] == "cgroup2":
            return pathlib.Path(words[1])
    return None


def joins(group):
    """Moves the process that calls it into the group."""
    return lambda: (group / "cgroup.procs").write_text("0")


class Booted:
    def __init__(self, folder, group, log):
        self.group = group
        self.process = subprocess.Popen(
            ["unshare", "--cgroup", "--pid", "--fork", "--kill-child",
             "--mount", "--uts", "--ipc", "--net", "sh", "-c", BOOT, "sh",
             folder], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, preexec_fn=joins(group))
        self.log = log

    @classmethod
    @contextlib.contextmanager
    def start(cls, folder, log):
        """Yields it when it has started all of its services."""
        group = cgroup2() / ("sdtkit-%d" % os.getpid())
        group.mkdir()
        with open(log, "w") as said:
            system = cls(folder, group, said)
        try:
            system.wait(log)
            yield system
        finally:
            system.end()

    def first(self):
        """The number that its first process has here."""
        pid = self.process.pid
        path = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid))
        found = path.read_text().split()
        return int(found[0]) if found else None

    def wait(self, log):
        end = time.monotonic() + BOOT_SECONDS
        while self.state() not in ("running", "degraded"):
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)

    def state(self):
        name = pathlib.Path("/proc/%s/comm" % self.first())
        if not name.exists() or name.read_text() != "systemd\n":
            return "no systemd yet"
        return self.run("systemctl", "is-system-running", "--wait",
                        check=False).strip()

    def enter(self, *kinds):
        return ["nsenter", "-t", str(self.first()), *kinds]

    def run(self, *command, check=True):
        """Runs a command beside it; what it printed."""
        done = subprocess.run(
            [*self.enter("-m", "-p", "-n", "-u", "-i", "-C"), "env", "-i",
             PATH, "LC_ALL=C.UTF-8", *command], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0 or not check, done.stdout
        return done.stdout

    def get(self, address):
        """What a server there answers, asked by our own Python."""
        return subprocess.run(
            [*self.enter("-n"), sys.executable, "-c",
             "import sys, urllib.request; sys.stdout.write("
             "urllib.request.urlopen(sys.argv[1]).read().decode())", address],
            check=True, stdout=subprocess.PIPE, text=True).stdout

    def end(self):
        """The kernel ends all of its processes with the first one."""
        if self.process.poll() is None and self.first():
            os.kill(self.first(), signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        groups = [pathlib.Path(path) for path, _, _ in os.walk(self.group)]
        for group in reversed(groups):
            while "populated 1" in (group / "cgroup.events").read_text():
                time.sleep(0.1)
            group.rmdir()
