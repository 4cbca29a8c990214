# SPDX-License-Identifier: BSD-2-Clause
"""What is got from Debian's archive, once, and kept in the cache directory:
$SDTKIT_TRACERS_CACHE, else ~/.cache/sdtkit. Remove it to get things anew.

    linux-6.1.0-56-amd64/   vmlinuz and the modules of the guest
    lttng-6.1.0-56-amd64/   LTTng's modules for it: see lttng.py
    dtrace/root/            DTrace and all libraries it needs, the C library
                            too: of unstable, as Debian 12 has no DTrace
    bpftrace/root/          likewise, as Debian 12 has only 0.17
    python3.9/root/         Debian 11's, whose function__entry fires
    systemtap/              stap's own cache, and its corrected runtime

A thing is made under another name and then renamed: what is there is whole.
What cannot be had is a Lacking, with what apt said.
"""

import contextlib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

LIMIT = 300     # seconds for a command of apt; a slow mirror needs some
MODULES = pathlib.Path("/lib/modules")

# What the guest needs to see a directory of the host, in the order in which
# they want to be loaded.
GUEST_MODULES = (
    "drivers/virtio/virtio_ring", "drivers/virtio/virtio",
    "drivers/virtio/virtio_pci_legacy_dev",
    "drivers/virtio/virtio_pci_modern_dev", "drivers/virtio/virtio_pci",
    "net/9p/9pnet", "net/9p/9pnet_virtio", "fs/netfs/netfs",
    "fs/fscache/fscache", "fs/9p/9p")

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Lacking(Exception):
    """It cannot be had here; says why."""


def cache():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(os.environ.get("SDTKIT_TRACERS_CACHE")
                        or os.path.join(home, "sdtkit"))


@functools.lru_cache(maxsize=None)
def headers():
    """Release of the newest kernel whose headers are installed."""
    releases = [path.parent.name for path in MODULES.glob("*/build")
                if (path / ".config").exists()]
    if not releases:
        raise Lacking("no kernel's headers (package linux-headers-amd64)")
    return max(releases, key=lambda one: [
        int(number) for number in re.findall(r"\d+", one)])


def kernel():
    """Directory with vmlinuz and the GUEST_MODULES of release headers()."""
    release = headers()
    with made("linux-" + release) as (path, folder):
        if folder:
            _fetch_kernel(release, folder)
    return path


def dtrace():
    """Directory with DTrace in it."""
    with made("dtrace") as (path, folder):
        if folder:
            _fetch_dtrace(folder)
    return path


def bpftrace():
    """Directory with a newer bpftrace in it."""
    with made("bpftrace") as (path, folder):
        if folder:
            _fetch_other("unstable", ["bpftrace"], folder)
    return path


def python():
    """Directory with Debian 11's python3.9 in it: as little as there is."""
    with made("python3.9") as (path, folder):
        if folder:
            _fetch_other("bullseye", ["python3.9-minimal",
                                      "libpython3.9-minimal"], folder)
    return path


@contextlib.contextmanager
def made(name):
    """(path, None) if the cache has it; else (path, folder), and what then is
    made in the folder will be it."""
    path = cache() / name
    if path.exists():
        yield path, None
        return
    cache().mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=name + ".", dir=cache()))
    try:
        folder.chmod(0o755)
        yield path, folder
        if not path.exists():       # another run may have been faster
            folder.rename(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def said(command, **options):
    """What a command says; Lacking if it fails."""
    options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run(["timeout", str(LIMIT), *map(str, command)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, **options)
    if done.returncode:
        errors = re.findall(r"^E: .*", done.stdout, re.M)
        raise Lacking("%s failed: %s" % (
            " ".join(map(str, command[:2])),
            " ".join(errors) or done.stdout.strip()[-300:]))
    return done.stdout


def unpack(package, folder, members=()):
    """Files of a .deb below a folder, which may have links for directories."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)],
                          stdout=subprocess.PIPE) as archive:
        said(["tar", "-x", "-C", folder, "--keep-directory-symlink", *members],
             stdin=archive.stdout)


def download(name, folder):
    """Path of a package of the host's release, which gets into the folder."""
    said(["apt-get", "-q", "download", "-o", "APT::Sandbox::User=root", name],
         cwd=str(folder))
    return next(folder.glob(name + "_*.deb"))


def _fetch_kernel(release, folder):
    image = download("linux-image-" + release, folder)
    modules = ["./lib/modules/%s/kernel/%s.ko" % (release, name)
               for name in GUEST_MODULES]
    unpack(image, folder, ["./boot/vmlinuz-" + release, *modules])
    image.unlink()
    (folder / "boot" / ("vmlinuz-" + release)).rename(folder / "vmlinuz")
    for name in modules:
        path = folder / name
        path.rename(folder / path.name)
    for rest in "boot", "lib":
        shutil.rmtree(folder / rest)


def _fetch_other(suite, packages, folder):
    """Unpacks packages of a suite and all that they need into root. apt's
    lists, packages and idea of what is installed are of its own."""
    apt = folder / "apt"
    for name in "lists/partial", "archives/partial":
        (apt / name).mkdir(parents=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text(
        "deb [signed-by=%s] %s %s main\n" % (KEYS, _mirror(), suite))
    command = ["apt-get", "-q", "-y"]
    for option in (
            "Dir::Etc::SourceList=%s/sources.list" % apt,
            "Dir::Etc::SourceParts=-", "Dir::State::Lists=%s/lists" % apt,
            "Dir::State::Status=%s/status" % apt, "Dir::Cache=%s" % apt,
            "Acquire::Languages=none", "APT::Sandbox::User=root",
            "APT::Install-Recommends=false", "APT::Update::Error-Mode=any"):
        command += ["-o", option]
    said([*command, "update"])
    said([*command, "-d", "install", *packages])
    root = folder / "root"
    for name in "bin", "sbin", "lib", "lib64":
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to("usr/" + name)
    for archive in (apt / "archives").glob("*.deb"):
        unpack(archive, root)
    shutil.rmtree(apt)


def _fetch_dtrace(folder):
    _fetch_other("unstable", ["dtrace"], folder)
    # Its D libraries name types that not every kernel has, and then nothing
    # compiles. Probes of programs need this one object only.
    (folder / "library").mkdir()
    shutil.copy(next((folder / "root/usr/lib").rglob("bpf_dlib.o")),
                folder / "library")


def _mirror():
    """The archive that this machine takes its own packages from."""
    sites = said(["apt-get", "indextargets", "--format", "$(REPO_URI)",
                  "Created-By: Packages"]).split("\n")
    return next((site for site in sites if re.search("/debian/?$", site)),
                "http://deb.debian.org/debian")
