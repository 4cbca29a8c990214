# SPDX-License-Identifier: BSD-2-Clause
"""Files that tools made, through notes-dump: cross compilers, strip and
objcopy, ar, gdb and the kernel; what image.c makes by hand is in the C tests.
The probe is that of traced.c.
"""

import ctypes
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

import pytest

from programs import which

HERE = pathlib.Path(__file__).resolve().parent
# prefix of the tools, bits, big endian
MACHINES = [
    ("", ctypes.sizeof(ctypes.c_void_p) * 8, sys.byteorder == "big"),
    ("i686-linux-gnu-", 32, False),
    ("aarch64-linux-gnu-", 64, False),
    ("arm-linux-gnueabihf-", 32, False),
    ("powerpc64le-linux-gnu-", 64, False),
    ("riscv64-linux-gnu-", 64, False),
    ("s390x-linux-gnu-", 64, True),
]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True,
                          capture_output=True, text=True, **options).stdout


@pytest.fixture
def tool():
    """tool(name): skips where it is not installed."""
    def find(name):
        if not which(name):
            pytest.skip(name + " is not installed")
        return name
    return find


@pytest.fixture
def dump(build):
    """dump(arguments): (the lines, exit status) of notes-dump."""
    def run_dump(*arguments, **options):
        done = subprocess.run(
            [str(build / "tests/notes/notes-dump")] +
            [str(word) for word in arguments], stdout=subprocess.PIPE,
            universal_newlines=True, **options)
        assert done.returncode in (0, 1)
        return done.stdout.splitlines(), done.returncode
    return run_dump


@pytest.fixture
def library(tmp_path, tool):
    """library(name, *flags): traced.c as a shared library."""
    def compile_it(name="libtraced.so", *flags, prefix=""):
        path = tmp_path / name
        run(tool(prefix + "gcc"), "-shared", "-fPIC", "-nostdlib", "-O2",
            HERE / "traced.c", "-o", path, *flags)
        return path
    return compile_it


def only_site(lines):
    """The fields of the one line that is a site."""
    sites = [line for line in lines if line.startswith("site ")]
    assert len(sites) == 1, lines
    return dict(field.split("=", 1) for field in sites[0].split()[2:])


def address_to_offset(readelf, path, address):
    """By the program headers, as another program reads them."""
    for line in run(readelf, "-lW", path).splitlines():
        fields = line.split()
        if fields and fields[0] == "LOAD":
            offset, start, _, size = [int(word, 16) for word in fields[1:5]]
            if start <= address < start + size:
                return address - start + offset
    raise AssertionError("%#x is in no segment" % address)


@pytest.mark.parametrize("prefix,bits,big_endian", MACHINES)
def test_agrees_with_readelf(dump, library, tool, prefix, bits, big_endian):
    path = library(prefix=prefix)
    readelf = tool(prefix + "readelf")
    lines, status = dump(path)
    assert status == 0
    assert " bits=%d big_endian=%d base=1 " % (bits, big_endian) in lines[0]
    site = only_site(lines)
    note = run(readelf, "-n", path)
    location, semaphore = [
        int(re.search(word + r": (0x[0-9a-f]+)", note).group(1), 16)
        for word in ("Location", "Semaphore")]
    assert int(site["address"], 16) == location
    assert int(site["semaphore"], 16) == semaphore
    for what in "offset", "semaphore_offset":
        address = location if what == "offset" else semaphore
        assert int(site[what], 16) == address_to_offset(readelf, path, address)


# ---- notes that were put aside

NOTELESS = ["objcopy", "-R", ".note.stapsdt"]


def put_aside(path, link=True):
    """Leaves path without notes, which are in the debug file that results."""
    debug = path.parent / (path.name + ".debug")
    run("objcopy", "--only-keep-debug", path, debug)
    run(*NOTELESS, path)
    if link:
        run("objcopy", "--add-gnu-debuglink=%s" % debug.name, path,
            cwd=str(path.parent))
    return debug


@pytest.mark.parametrize("flag", ["--build-id=sha1", "--build-id=none"])
@pytest.mark.parametrize("place", [".", ".debug"])
def test_debug_link(dump, library, tmp_path, place, flag):
    path = library("libtraced.so", "-Wl," + flag)
    expected = only_site(dump(path)[0])
    debug = put_aside(path)
    (tmp_path / place).mkdir(exist_ok=True)
    debug = debug.rename(tmp_path / place / debug.name)
    lines, status = dump(path)
    assert status == 0
    assert lines[0].endswith("debug_file=%s/%s" % (
        tmp_path if place == "." else tmp_path / place, debug.name))
    # with the offsets of the program, which the debug file does not have
    assert only_site(lines) == expected


@pytest.mark.parametrize("flag", ["--build-id=sha1", "--build-id=none"])
def test_debug_link_to_another_build(dump, library, tmp_path, flag):
    path = library("libtraced.so", "-Wl," + flag)
    debug = put_aside(path)
    other = library("other.so", "-Wl," + flag, "-DOTHER",
                    "-Wl,-soname,other.so")
    run("objcopy", "--only-keep-debug", other, debug)
    lines, status = dump(path)
    assert status == 0
    assert len(lines) == 1 and lines[0].endswith("base=1 debug_file=none")


def test_llvm_strip_takes_notes_away(dump, library, tool):
    path = library()
    expected = only_site(dump(path)[0])
    debug = path.parent / "libtraced.so.debug"
    run(tool("llvm-strip"), "--strip-all", path, "-o", path.parent / "bare.so")
    run("objcopy", "--only-keep-debug", path, debug)
    assert "site" not in "".join(dump(path.parent / "bare.so")[0])
    run("objcopy", "--add-gnu-debuglink=%s" % debug.name, "bare.so",
        cwd=str(path.parent))
    assert only_site(dump(path.parent / "bare.so")[0]) == expected


def test_debug_file_itself_has_addresses(dump, library):
    path = library()
    expected = only_site(dump(path)[0])
    site = only_site(dump(put_aside(path))[0])
    assert site["address"] == expected["address"]
    assert site["offset"] == site["semaphore_offset"] == "none"


def test_build_id(dump, library, build, tmp_path, unavailable):
    """In /usr/lib/debug, which is another one in a mount namespace."""
    if os.geteuid() != 0 or subprocess.call(["unshare", "-m", "true"]) != 0:
        unavailable("cannot make a mount namespace")
    path = library("libtraced.so", "-Wl,--build-id=0x1234abcd")
    expected = only_site(dump(path)[0])
    debug = put_aside(path, link=False)
    os.makedirs("/usr/lib/debug", exist_ok=True)
    script = """mount -t tmpfs none /usr/lib/debug &&
        mkdir -p /usr/lib/debug/.build-id/12 &&
        cp "$1" /usr/lib/debug/.build-id/12/34abcd.debug && exec "$2" "$3" """
    lines = run("unshare", "-m", "sh", "-c", script, "sh", debug,
                build / "tests/notes/notes-dump", path).splitlines()
    assert lines[0].endswith("/usr/lib/debug/.build-id/12/34abcd.debug")
    assert only_site(lines) == expected
    assert "site" not in "".join(dump(path)[0])


# ---- processes and their dumps

@pytest.fixture
def traced():
    """traced(library): a process that loaded it, its semaphore being 3."""
    started = []

    def start(library):
        process = subprocess.Popen(
            [sys.executable, "-c", "import ctypes, sys, time;"
             "ctypes.CDLL(sys.argv[1]).traced_set(3);"
             "print(flush=True); time.sleep(300)", str(library)],
            stdout=subprocess.PIPE, cwd=str(library.parent))
        started.append(process)
        assert process.stdout.readline()
        return process
    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def object_of(lines, path):
    """The line of the object, and the lines that belong to it."""
    begin = [i for i, line in enumerate(lines)
             if line.startswith("object %s " % path)]
    assert len(begin) == 1, lines
    end = begin[0] + 1
    while end < len(lines) and not lines[end].startswith("object "):
        end += 1
    return lines[begin[0]], lines[begin[0] + 1:end]


def test_process(dump, library, traced):
    path = library()
    lines, _ = dump("--pid", traced(path).pid)
    found, sites = object_of(lines, path)
    assert " deleted=0 " in found
    assert " value=3" in sites[0]


def test_process_that_lost_its_notes(dump, library, traced):
    path = library()
    put_aside(path)
    lines, _ = dump("--pid", traced(path).pid)
    found, sites = object_of(lines, path)
    assert found.endswith("debug_file=/proc/%s/root%s.debug" % (
        re.search("/proc/([0-9]+)/", found).group(1), path))
    assert " value=3" in sites[0]


def test_process_elsewhere_that_lost_its_notes(dump, library, tmp_path,
                                               unavailable):
    """Its file, and the debug file beside it, are in a mount namespace."""
    if os.geteuid() != 0 or subprocess.call(["unshare", "-m", "true"]) != 0:
        unavailable("cannot make a mount namespace")
    path = library()
    debug = put_aside(path)
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    process = subprocess.Popen(
        ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$1" && '
         'mv "$2" "$3" "$1" && cd "$1" && exec "$4" -c "import ctypes, time;'
         "ctypes.CDLL('./libtraced.so').traced_set(3);"
         'print(flush=True); time.sleep(300)"', "sh", str(hidden), str(path),
         str(debug), sys.executable], stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline()
        lines, _ = dump("--pid", process.pid)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    found, sites = object_of(lines, hidden / path.name)
    assert found.endswith("debug_file=/proc/%d/root%s/%s" % (
        process.pid, hidden, debug.name))
    assert " value=3" in sites[0]


def check_core(dump, core, path):
    lines, _ = dump("--core", core)
    _, sites = object_of(lines, path)
    assert " value=3" in sites[0]


def test_core_by_gdb(dump, library, traced, tool, tmp_path):
    path = library()
    process = traced(path)
    run(tool("gcore"), "-o", tmp_path / "core", process.pid)
    core = tmp_path / ("core.%d" % process.pid)
    check_core(dump, core, path)
    # and what it was made of is another file now
    library("libtraced.so", "-Wl,--build-id=0x1234abcd")
    lines, status = dump("--core", core)
    assert status == 1
    assert ("error: %s: not the file that was mapped: its build ID differs"
            % path) in lines


def test_core_by_the_kernel(dump, library, traced, tmp_path):
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if "/" in pattern or pattern.startswith("|") or "%" in pattern:
        pytest.skip("core dumps go elsewhere: " + pattern)
    path = library()
    process = traced(path)
    resource.prlimit(process.pid, resource.RLIMIT_CORE,
                     resource.prlimit(process.pid, resource.RLIMIT_CORE)[1:]
                     * 2)
    process.send_signal(signal.SIGABRT)
    process.wait()
    cores = list(tmp_path.glob(pattern + "*"))
    if not cores:
        pytest.skip("no core dump was written")
    check_core(dump, cores[0], path)


# ---- archives, and how much of a file is held

def test_archive(dump, library, tool, tmp_path):
    names = ["one.o", "a_name_of_more_than_fifteen.o"]
    for name in names:
        run(tool("gcc"), "-c", HERE / "traced.c", "-o", tmp_path / name)
    (tmp_path / "README").write_text("text\n")
    run("ar", "rc", "libtraced.a", names[0], "README", names[1],
        cwd=str(tmp_path))
    lines, status = dump(tmp_path / "libtraced.a")
    assert status == 0
    assert [re.search("member=([^ ]*)", line).group(1)
            for line in lines[1:]] == names
    run("ar", "rcT", "thin.a", *names, cwd=str(tmp_path))
    lines, status = dump(tmp_path / "thin.a")
    assert status == 1 and "a thin archive" in lines[0]


def test_memory_does_not_grow_with_the_file(dump, library, tmp_path):
    megabytes = 64
    big = tmp_path / "big.c"
    big.write_text("const char big[%d << 20] = { 1 };\n" % megabytes)
    paths = [library("small.so"), library("big.so", big)]
    assert paths[1].stat().st_size > megabytes << 20
    used = []
    for path in paths:
        lines, status = dump("--count", path)
        sites, kib = re.match("([0-9]+) sites, ([0-9]+) KiB$",
                              lines[0]).groups()
        assert (sites, status) == ("1", 0)
        used.append(int(kib))
    assert used[1] - used[0] < 1024
