# SPDX-License-Identifier: BSD-2-Clause
"""What is got from Debian's archive, once, and kept in the cache directory:
$SDTKIT_TRACERS_CACHE, else ~/.cache/sdtkit. Remove it to get things anew.

    kernel-6.1.0-56-amd64/  vmlinuz, the modules of the guest and their order,
                            and the kernel's release, package and version
    kernel-trixie-amd64/    likewise, of another suite or machine
    lttng-6.1.0-56-amd64/   LTTng's modules for it: see lttng.py
    dtrace/root/            DTrace and all libraries it needs, the C library
                            too: of unstable, as Debian 12 has no DTrace
    bpftrace/root/          likewise, as Debian 12 has only 0.17
    python3.9/root/         Debian 11's, whose function__entry fires
    libbpf/                 libbpf.a and its headers, of the newest kernel's
                            sources: a release newer than the package's
    systemtap/              stap's own cache, and its corrected runtime

A thing is made under another name and then renamed: what is there is whole.
What cannot be had is a Lacking, with what apt said.
"""

import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

LIMIT = 300     # seconds for a command of apt; a slow mirror needs some
MODULES = pathlib.Path("/lib/modules")

# What the guest needs to see a directory of the host, with what they need.
GUEST_MODULES = ("virtio_pci", "9pnet_virtio", "9p")

UNPACKERS = {".xz": "xz", ".zst": "zstd", ".gz": "gzip"}
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
    """Directory of the kernel whose release headers() says."""
    release = headers()
    with made("kernel-" + release) as (path, folder):
        if folder:
            package = download("linux-image-" + release, folder)
            _keep_kernel(folder, [package])
    return path


def kernel_of(suite, package="linux-image-amd64", machine="amd64"):
    """Directory of the kernel of a suite: of the newest if the package is
    the one that only names it."""
    name = re.sub("^linux-image-", "", package)
    name = machine if name == machine else name.replace("/", "-")
    with made("kernel-%s-%s" % (suite, name)) as (path, folder):
        if folder:
            command = _apt(folder / "apt", suite, machine)
            _keep_kernel(folder, [
                _downloaded(command, one, folder)
                for one in _parts(command, package)])
            shutil.rmtree(folder / "apt")
    return path


def about(folder):
    """{"release": ..., "package": ..., "version": ...} of a kernel."""
    return json.loads((folder / "about.json").read_text())


def modules(folder):
    """A kernel's modules for the guest, in the order to load them."""
    return [folder / name for name in
            (folder / "modules").read_text().splitlines()]


def dtrace():
    """Directory with DTrace in it."""
    with made("dtrace") as (path, folder):
        if folder:
            _fetch_dtrace(folder)
    return path


def bpftrace():
    """Directory with a newer bpftrace in it."""
    return unpacked("bpftrace", "unstable", ["bpftrace"])


def libbpf():
    """Directory with libbpf.a and bpf/*.h in it, as unstable's kernel has it:
    it knows sites with two nops, which Debian's package does not yet."""
    with made("libbpf") as (path, folder):
        if folder:
            _build_libbpf(folder)
    return path


def python():
    """Directory with Debian 11's python3.9 in it: as little as there is."""
    return unpacked("python3.9", "bullseye", ["python3.9-minimal",
                                              "libpython3.9-minimal"])


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
    return _downloaded(["apt-get", "-q"], name, folder)


def _downloaded(command, name, folder):
    said([*command, "download", "-o", "APT::Sandbox::User=root", name],
         cwd=str(folder))
    return next(folder.glob(name.split("=")[0] + "_*.deb"))


def _parts(command, package):
    """The packages with a kernel and its modules that this one is, or needs:
    which has been cut into packages of its own since Linux 6.19."""
    shown = said(["apt-cache", *command[3:], "show", package])
    size = int(re.search(r"^Size: (\d+)", shown, re.M)[1])
    if size > 100000:
        return [package]
    needed = re.search(r"^Depends: (.*)", shown, re.M)[1]
    return [part for name in sorted(set(re.findall(
        r"\blinux-(?:image|binary|modules)-[^ ,(]+", needed)))
        for part in _parts(command, name)]


def _keep_kernel(folder, packages):
    """Keeps what a guest needs of the packages in the folder."""
    root = folder / "root"
    root.mkdir()
    for package in packages:
        unpack(package, root)
        package.unlink()
    release = next(path.name for path in root.glob("**/lib/modules/*"))
    image = next(path for path in root.rglob("vmlinu[xz]*") if path.is_file())
    image.rename(folder / "vmlinuz")
    files = {re.sub(r"\.ko.*", "", path.name).replace("-", "_"): path
             for path in root.rglob("*.ko*")}
    order = []
    for name in GUEST_MODULES:
        _keep_module(name, files, order, folder)
    (folder / "modules").write_text("".join(name + "\n" for name in order))
    largest = packages[0].name.split("_")
    (folder / "about.json").write_text(json.dumps({
        "release": release, "package": largest[0],
        "version": largest[1].replace("%3a", ":")}))
    shutil.rmtree(root)


def _keep_module(name, files, order, folder):
    """It and what it needs, which comes before it. What is no file is in the
    kernel itself."""
    path = files.get(name)
    if path is None or name + ".ko" in order:
        return
    copy = folder / (name + ".ko" + path.suffix.replace(".ko", ""))
    shutil.copy(path, copy)
    if copy.suffix in UNPACKERS:
        said([UNPACKERS[copy.suffix], "-q", "-d", copy])
    copy = folder / (name + ".ko")
    needed = re.search(rb"\0depends=([^\0]*)", copy.read_bytes())[1].decode()
    for one in needed.split(","):
        _keep_module(one.replace("-", "_"), files, order, folder)
    order.append(copy.name)


def _apt(folder, suite, machine=None):
    """apt-get for a suite, and for another machine. apt's lists, packages and
    idea of what is installed are of its own, in the folder."""
    for name in "lists/partial", "archives/partial":
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(
        "deb [signed-by=%s] %s %s main\n" % (KEYS, _mirror(), suite))
    command = ["apt-get", "-q", "-y"]
    for option in (
            "Dir::Etc::SourceList=%s/sources.list" % folder,
            "Dir::Etc::SourceParts=-", "Dir::State::Lists=%s/lists" % folder,
            "Dir::State::Status=%s/status" % folder, "Dir::Cache=%s" % folder,
            "Acquire::Languages=none", "APT::Sandbox::User=root",
            "APT::Install-Recommends=false", "APT::Update::Error-Mode=any",
            *(["APT::Architecture=" + machine,
               "APT::Architectures::=" + machine] if machine else [])):
        command += ["-o", option]
    said([*command, "update"])
    return command


def unpacked(name, suite, packages, machine=None):
    """Directory of the cache with packages and all that they need in its
    root; for another machine than this one, too."""
    with made(name) as (path, folder):
        if folder:
            _fetch_other(suite, packages, folder, machine)
    return path


def _fetch_other(suite, packages, folder, machine=None):
    """Unpacks packages of a suite and all that they need into root."""
    apt = folder / "apt"
    command = _apt(apt, suite, machine)
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


def _build_libbpf(folder):
    command = _apt(folder / "apt", "unstable")
    (name,) = re.findall(r"^Depends: (linux-source-[\d.]+)", said(
        ["apt-cache", *command[3:], "show", "linux-source"]), re.M)
    package = _downloaded(command, name, folder)
    unpack(package, folder, ["./usr/src/%s.tar.xz" % name])
    tools = ["*/tools/" + one for one in ("lib/bpf", "include", "arch/x86")]
    said(["tar", "-xf", folder / "usr/src" / (name + ".tar.xz"), "-C", folder,
          "--strip-components=1", "--wildcards", *tools])
    sources = folder / "tools/lib/bpf"
    said(["gcc", "-O2", "-c", "-D_GNU_SOURCE", "-I", folder / "tools/include",
          "-I", folder / "tools/include/uapi", "-I", sources,
          *sorted(sources.glob("*.c"))], cwd=str(folder))
    said(["ar", "rcs", "libbpf.a", *sorted(folder.glob("*.o"))],
         cwd=str(folder))
    (folder / "bpf").mkdir()
    for header in sources.glob("*.h"):
        shutil.copy(header, folder / "bpf")
    # It is made from a kernel's header; programs of ours need no newer one.
    shutil.copy("/usr/include/bpf/bpf_helper_defs.h", folder / "bpf")
    for path in (package, *folder.glob("*.o")):
        path.unlink()
    for name in "apt", "usr", "tools":
        shutil.rmtree(folder / name)


def _mirror():
    """The archive that this machine takes its own packages from."""
    sites = said(["apt-get", "indextargets", "--format", "$(REPO_URI)",
                  "Created-By: Packages"]).split("\n")
    return next((site for site in sites if re.search("/debian/?$", site)),
                "http://deb.debian.org/debian")
