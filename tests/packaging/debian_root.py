# SPDX-License-Identifier: BSD-2-Clause
"""A minimal Debian 12 in a directory, and layers above it that tests change:

    root = Root.bootstrap("/usr/sbin/debootstrap", folder)
    with root.layer(elsewhere) as layer:
        layer.run("apt-get", "install", "-y", "/debs/sdtkit_0.1.0_amd64.deb")
        layer.files()       # what is there that was not there before

The layers are overlays. What runs in one has namespaces of its own for mounts
and processes, and it gets its packages from the archive that apt uses here.
"""

import contextlib
import pathlib
import re
import shutil
import subprocess

import pytest

SUITE = "bookworm"
NO_SERVICES = "#!/bin/sh\nexit 101\n"       # policy-rc.d: nothing is started
PATH = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
# $1: the directory of the layer; the rest is the command
INSIDE = """
set -e
layer=$1
shift
mount --make-rprivate /
mount -t proc proc "$layer/proc"
mount --rbind /sys "$layer/sys"
mount --rbind /dev "$layer/dev"
exec chroot "$layer" env -i HOME=/root LC_ALL=C.UTF-8 \\
    DEBIAN_FRONTEND=noninteractive %s "$@"
""" % PATH
# what dpkg, apt and the loader write of whatever is installed
KEPT = re.compile(
    "/(run|tmp|var/(cache|log|tmp|lib/(apt|dpkg|systemd/deb-systemd)))(/|$)"
    "|/etc/(ld.so.cache|passwd|group|g?shadow|subuid|subgid)-?$"
    "|/etc/[.]pwd[.]lock$|/var/lib/ucf")


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def archive():
    """(address, suite) of each list that apt has here of Debian 12."""
    lines = said("apt-get", "indextargets", "--format",
                 "$(REPO_URI) $(CODENAME)", "Created-By: Packages")
    return sorted({tuple(line.split()) for line in lines.splitlines()
                   if re.search(" %s(-updates|-security)?$" % SUITE, line)})


class Root:
    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def bootstrap(cls, debootstrap, folder):
        lists = archive()
        main = [uri for uri, suite in lists if suite == SUITE]
        if not main:
            pytest.skip("apt has no list of %s: run 'apt-get update'" % SUITE)
        done = subprocess.run(
            [debootstrap, "--variant=minbase", SUITE, folder, main[0]],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
        etc = folder / "etc"
        (etc / "apt/sources.list").write_text("".join(
            "deb %s %s main\n" % entry for entry in lists))
        (etc / "apt/apt.conf.d/90here").write_text(
            "".join(line + "\n" for line in said(
                "apt-config", "dump", "Acquire").splitlines()
                if "::proxy" in line.lower()) +
            'APT::Install-Recommends "no";\nAPT::Sandbox::User "root";\n')
        shutil.copy("/etc/resolv.conf", etc)
        (etc / "dpkg/dpkg.cfg.d/90here").write_text("force-unsafe-io\n")
        policy = folder / "usr/sbin/policy-rc.d"
        policy.write_text(NO_SERVICES)
        policy.chmod(0o755)
        root = cls(folder)
        root.run("apt-get", "update", "-q")
        return root

    def run(self, *command, check=True):
        """Runs a command in it; what it printed."""
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "sh", "-c", INSIDE, "sh",
             self.folder, *command], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0 or not check, done.stdout
        return done.stdout

    @contextlib.contextmanager
    def layer(self, folder):
        for name in "upper", "work", "all":
            (folder / name).mkdir(parents=True)
        subprocess.run(
            ["mount", "-t", "overlay", "overlay", "-o",
             "volatile,lowerdir=%s,upperdir=%s,workdir=%s" % (
                 self.folder, folder / "upper", folder / "work"),
             folder / "all"], check=True)
        try:
            yield Layer(folder / "all")
        finally:
            subprocess.run(["umount", folder / "all"], check=True)
            shutil.rmtree(folder)


class Layer(Root):
    def put(self, *paths):
        """Copies files into /debs; their names there."""
        (self.folder / "debs").mkdir(exist_ok=True)
        for path in paths:
            shutil.copy(path, self.folder / "debs")
        return ["/debs/" + pathlib.Path(path).name for path in paths]

    def files(self):
        """All files but those in which dpkg and apt keep books."""
        found = said("find", str(self.folder), "-xdev", "-printf", "/%P\n")
        return {name for name in found.splitlines()
                if not KEPT.match(name) and not name.startswith("/debs")}
