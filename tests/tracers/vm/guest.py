# SPDX-License-Identifier: BSD-2-Clause
"""A machine of its own for a kernel module: Debian's kernel in qemu, without
KVM. It boots once for a whole run of tests, which takes 5 to 15 seconds, and
then runs shell scripts:

    status, said = run("ls main", folder)

Whatever tests keep below one directory of /tmp is there under the same name,
and so is the host's /usr: what the host has installed can run, and a program
has the path for which a SystemTap script was compiled. Kernel modules are in
the initial RAM disk. Threads may call run(); one script runs at a time.

Guest() itself takes other kernels, and with them other machines:

    Guest(share, kernel=debian.kernel_of("trixie"), more=[build, source])
"""

import atexit
import collections
import os
import pathlib
import platform
import select
import shutil
import subprocess
import tempfile
import threading
import time

from . import HERE, debian
from programs import which

LIMIT = 180         # seconds for the boot, and for a script
LIFE = 1800         # seconds until qemu ends in any case
# no_timer_check: a busy host is late with the interrupts of the timer that the
# kernel looks for, and then it panics
OPTIONS = "panic=-1 quiet no_timer_check"
BUSYBOX = "/bin/busybox"
# console: the kernel's name of the serial line; device: of 9p's devices;
# busybox: one of that machine, statically linked; usr: its /usr
Machine = collections.namedtuple("Machine",
                                 "qemu words console device busybox usr")
# With a thread for each of two processors, Linux 7.2 panicked (qemu 7.2) while
# it rewrote its own code.
X86 = Machine("qemu-system-x86_64",
              ("-accel", "tcg,thread=single", "-cpu", "max"), "ttyS0",
              "virtio-9p-pci", BUSYBOX, "/usr")
QEMU = X86.qemu
_LOCK = threading.Lock()
_GUESTS = {}
GROUPS = ("root:x:0:\n"
          "stapusr:x:901:root\nstapsys:x:902:root\nstapdev:x:903:root\n")


def lacks():
    """Why there can be no guest; None if there can."""
    if platform.machine() != "x86_64":
        return "the guest is an x86-64 one"
    if not which(QEMU):
        return "%s is not installed (package qemu-system-x86)" % QEMU
    if not os.path.exists(BUSYBOX):
        return BUSYBOX + " is not installed (package busybox-static)"
    if not os.path.islink("/lib"):
        return "/lib is not a link to /usr/lib, and the guest gets only that"
    try:
        debian.kernel()
    except debian.Lacking as reason:
        return str(reason)
    return None


def run(script, folder):
    """(exit status, what it said) of a shell script that needs this folder."""
    temporary = pathlib.Path(tempfile.gettempdir())
    share = temporary / folder.relative_to(temporary).parts[0]
    with _LOCK:
        if share not in _GUESTS:
            _GUESTS[share] = Guest(share)
            atexit.register(_GUESTS[share].end)
        try:
            return _GUESTS[share].run(script)
        except AssertionError:
            _GUESTS.pop(share).end()    # who knows what it still does
            raise


class Guest:
    """A running one, which has the directory ``share`` of the host, and those
    of ``more``, which it cannot change."""

    def __init__(self, share, kernel=None, machine=X86, more=(), memory="1G",
                 limit=LIMIT, life=LIFE, processors=1, words=(), options=""):
        self._qemu = None
        self._options = options     # for the kernel's command line
        self._share = share
        self._kernel = kernel or debian.kernel()
        self._machine = machine
        self._more = [str(path) for path in more]
        self._limit = limit
        self._command = ["timeout", str(life), machine.qemu, *machine.words,
                         "-smp", str(processors), "-m", memory, *words]
        self._scripts = 0
        self._own = tempfile.TemporaryDirectory(prefix="guest.",
                                                dir=str(share))
        self._folder = pathlib.Path(self._own.name)
        try:
            self._qemu = self._boot()
            self._wait("guest: ready")
        except BaseException:
            self.end()
            raise

    def run(self, script):
        """As run() above."""
        self._scripts += 1
        path = self._folder / ("script%d" % self._scripts)
        path.write_text(script)
        self._qemu.stdin.write(b"%s\n" % os.fsencode(path))
        self._qemu.stdin.flush()
        status = int(self._wait("guest: done").split()[-1])
        return status, pathlib.Path(str(path) + ".out").read_text()

    def end(self):
        """For good. Its disks are directories of the host: nothing to save."""
        if self._qemu:
            self._qemu.terminate()
            self._qemu.communicate()
            self._qemu = None
        self._own.cleanup()

    def _boot(self):
        initrd = self._folder / "initrd"
        shares = [(self._machine.usr, "/usr", "ro"),
                  (self._share, self._share, "rw"),
                  *((path, path, "ro") for path in self._more)]
        initrd.write_bytes(self._ram_disk(shares))
        command = [
            *self._command, "-nodefaults", "-no-reboot", "-display", "none",
            "-monitor", "none", "-serial", "stdio", "-kernel",
            self._kernel / "vmlinuz", "-initrd", initrd, "-append",
            "console=%s %s %s" % (self._machine.console, OPTIONS,
                                  self._options)]
        for number, (path, _, mode) in enumerate(shares):
            command += [
                "-fsdev", "local,id=host%d,path=%s,security_model=none%s" % (
                    number, str(path).replace(",", ",,"),
                    ",readonly=on" if mode == "ro" else ""),
                "-device", "%s,fsdev=host%d,mount_tag=host%d" % (
                    self._machine.device, number, number)]
        return subprocess.Popen([str(word) for word in command],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def _ram_disk(self, shares):
        """An archive of cpio's "newc" format, which the kernel unpacks."""
        root = self._folder / "root"
        (root / "etc").mkdir(parents=True)
        for name in "bin", "sbin", "lib", "lib64":
            (root / name).symlink_to("usr/" + name)
        shutil.copy(self._machine.busybox, root / "busybox")
        shutil.copy(HERE / "init", root / "init")
        modules = debian.modules(self._kernel)
        for path in modules:
            shutil.copy(path, root)
        for name, text in (
                ("etc/modules", "".join(path.name + "\n"
                                        for path in modules)),
                ("etc/shares", "".join(
                    "host%d %s %s\n" % (number, mode, path)
                    for number, (_, path, mode) in enumerate(shares))),
                ("etc/passwd", "root:x:0:0::/:/bin/sh\n"),
                ("etc/group", GROUPS)):
            (root / name).write_text(text)
        names = "\n".join(str(path.relative_to(root))
                          for path in sorted(root.rglob("*")))
        return subprocess.run([BUSYBOX, "cpio", "-o", "-H", "newc"],
                              input=names.encode(), cwd=str(root), check=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    def _wait(self, text):
        """The console's next line with this text: some kernels write into the
        middle of a line. It echoes what it gets."""
        end = time.monotonic() + self._limit
        seen = ""
        out = self._qemu.stdout.fileno()
        while True:
            left = end - time.monotonic()
            more = b""
            if left > 0 and select.select([out], [], [], left)[0]:
                more = os.read(out, 65536)
            if not more:
                raise AssertionError("the guest did not say %r but: %s" % (
                    text, seen[-2000:]))
            seen += more.decode(errors="replace")
            for line in seen.splitlines(keepends=True):
                if text in line and line.endswith("\n"):
                    return line
