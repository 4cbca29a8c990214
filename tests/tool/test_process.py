# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit list -p`, -a and core dumps: the probes of the files that a process
has mapped, and which of them are being traced."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from programs import which

DESCRIPTION = """
provider loop {
	probe tick(int n);
	probe tock(int n);
};
"""

PROGRAM = """
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "loop.h"

/* As programs do that want huge pages for their code. */
static int copy_code(struct dl_phdr_info *info, size_t size, void *context)
{
	int i;

	(void)size;
	(void)context;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t page = sysconf(_SC_PAGESIZE), start, end;
		char *copy;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		start = (info->dlpi_addr + segment->p_vaddr) & -page;
		end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
		end = (end + page - 1) & -page;
		copy = mmap(NULL, end - start, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(copy, (char *)start, end - start);
		mprotect(copy, end - start, PROT_READ | PROT_EXEC);
		mremap(copy, end - start, end - start,
		       MREMAP_MAYMOVE | MREMAP_FIXED, (char *)start);
	}
	return 1;
}

int main(int argc, char **argv)
{
	int n;

	(void)argv;
	if (argc > 2)
		dl_iterate_phdr(copy_code, NULL);
	puts("ready");
	fflush(stdout);
	for (n = 0;; n++) {
		LOOP_TICK(n);
		if (argc > 1)
			LOOP_TOCK(n);
		usleep(10000);
	}
}
"""


@pytest.fixture(scope="module")
def program(source, build, tmp_path_factory):
    """Returns a program in a directory where every user may read and run
    it."""
    directory = tmp_path_factory.mktemp("loop")
    for path in [directory] + list(directory.parents)[:2]:
        path.chmod(0o755)
    (directory / "loop.d").write_text(DESCRIPTION)
    (directory / "loop.c").write_text(PROGRAM)
    subprocess.run([str(build / "lib/tool/sdtkit"), "gen", "loop.d", "-o",
                    "loop.h"], cwd=str(directory), check=True)
    subprocess.run(["gcc", "-O2", "-I", str(source / "include"), "loop.c",
                    "-o", "loop"], cwd=str(directory), check=True)
    return directory / "loop"


def bias_of(pid):
    with open("/proc/%d/maps" % pid) as maps:
        return int(maps.readline().split("-")[0], 16)


def raise_semaphore(sdtkit, pid, path, value):
    """Raises the semaphore of loop:tock in the memory of the process, as a
    tracer does."""
    line = sdtkit("list", "-v", path, "loop:tock").stdout.splitlines()[1]
    with open("/proc/%d/mem" % pid, "r+b", buffering=0) as memory:
        memory.seek(bias_of(pid) + int(line.split()[3], 16))
        memory.write(value.to_bytes(2, sys.byteorder))


@pytest.fixture
def started(sdtkit, program):
    """started(n, path): starts a process with the semaphore of loop:tock at n,
    and returns its ID."""
    processes = []

    def start(traced=0, path=program, words=()):
        process = subprocess.Popen([str(path), *words],
                                   stdout=subprocess.PIPE)
        processes.append(process)
        assert process.stdout.readline() == b"ready\n"
        raise_semaphore(sdtkit, process.pid, path, traced)
        return process.pid
    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def table(tick, tock):
    return ("SITES  SEMAPHORE  PROBE\n"
            "    1  %9d  loop:tick(int n)\n"
            "    1  %9d  loop:tock(int n)\n" % (tick, tock))


def test_values(sdtkit, started, program):
    pid = started(3)
    done = sdtkit("list", "-p", pid, "loop:*")
    assert done.stdout == "%d loop: %s:\n%s" % (pid, program, table(0, 3))
    assert (done.stderr, done.returncode) == ("", 0)


def test_only_what_is_traced(sdtkit, started):
    first, second = started(0), started(1)
    done = sdtkit("list", "--traced", "--pid=%d" % first, "-p", second)
    assert re.findall(r"^(\d+) loop: |(loop:\w+)\(", done.stdout, re.M) == [
        (str(second), ""), ("", "loop:tock")]
    assert done.stderr == "sdtkit list: %d: no probe is traced\n" % first
    assert done.returncode == 0


def test_sites(sdtkit, started, program, build):
    """Addresses are those in the process: the ones in the file plus the
    bias."""
    pid = started(2)
    inside = sdtkit("list", "-v", "-p", pid, "loop:*").stdout.splitlines()[2:]
    outside = sdtkit("list", "-v", program).stdout.splitlines()[1:]
    biases = set()
    for line, other, value in zip(inside, outside, "02"):
        name, address, offset, semaphore, _ = line.split(None, 4)
        there = other.split(None, 4)
        assert (name, offset) == (there[0], there[2])
        counter, traced = semaphore.split("=")
        assert traced == value
        biases.add(int(address, 16) - int(there[1], 16))
        biases.add(int(counter, 16) - int(there[3], 16))
    assert biases == {bias_of(pid)}


def test_json(sdtkit, started, program, valid):
    pid = started(5)
    file, = valid("list", sdtkit("list", "-j", "-p", pid, "loop:*").stdout)[
        "files"]
    assert (file["pid"], file["command"], file["path"]) == (
        pid, "loop", str(program))
    assert [(probe["probe"], probe["sites"][0]["semaphore"]["value"])
            for probe in file["probes"]] == [("tick", 0), ("tock", 5)]


def test_all_processes(sdtkit, started):
    first, second = started(0), started(7)
    done = sdtkit("list", "-at", "loop:*")
    assert "%d loop: " % second in done.stdout
    assert "%d loop: " % first not in done.stdout
    assert "        7  loop:tock(int n)" in done.stdout
    # 2: a process of others has ended meanwhile, or cannot be read
    assert done.returncode in (0, 2)


def test_deleted(sdtkit, started, program, tmp_path, unavailable):
    """The file was replaced by a newer one while the program ran."""
    if os.geteuid() != 0:
        unavailable("only root may open /proc/PID/map_files")
    path = tmp_path / "loop"
    shutil.copy(str(program), str(path))
    pid = started(1, path)
    path.unlink()
    done = sdtkit("list", "-p", pid, "loop:*")
    assert done.stdout == "%d loop: %s (deleted):\n%s" % (pid, path,
                                                          table(0, 1))


def test_copied_code(sdtkit, started, program):
    """A uprobe belongs to the file, which the process no longer executes."""
    pid = started(1, words=["copied", "code"])
    warning = ("process %d: %s: at 2 sites the process executes a copy of the "
               "code in anonymous memory (huge pages)" % (pid, program))
    done = sdtkit("list", "-p", pid, "loop:*")
    assert done.stdout == "%d loop: %s:\n%s" % (pid, program, table(0, 1))
    assert done.stderr.startswith("sdtkit list: " + warning)
    assert done.returncode == 0
    script = ["--print", "-e", "loop:tick { @ = count(); }"]
    assert warning in sdtkit("bt", "-p", pid, *script).stderr
    top = sdtkit("top", "-w0.1", "-p", pid, "loop:*").stderr
    assert warning in top or "not permitted" in top or "built without" in top
    assert sdtkit("list", "-p", started(), "loop:*").stderr == ""


@pytest.fixture
def public(build):
    """Returns a directory of an ordinary user with the command in it, and the
    options of subprocess.run() for that user: nobody if root runs the tests,
    else the one who does."""
    become = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        command = shutil.copy(str(build / "lib/tool/sdtkit"), name)
        os.chmod(command, 0o755)
        yield pathlib.Path(name), become


def test_deleted_program_of_an_ordinary_user(public, program):
    """The program of a process can be read without privilege, through
    /proc/PID/exe."""
    folder, become = public
    path = folder / "loop"
    shutil.copy(str(program), str(path))
    path.chmod(0o755)
    process = subprocess.Popen([str(path)], stdout=subprocess.PIPE,
                               preexec_fn=become)
    try:
        assert process.stdout.readline() == b"ready\n"
        path.unlink()
        done = subprocess.run(
            [str(folder / "sdtkit"), "list", "-p", str(process.pid), "loop:*"],
            preexec_fn=become, capture_output=True, text=True)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert done.stderr == ""
    assert done.stdout == "%d loop: %s (deleted):\n%s" % (process.pid, path,
                                                          table(0, 0))


def test_core_dump(sdtkit, started, program, tmp_path, unavailable):
    if not which("gcore"):
        unavailable("gcore (gdb) is missing")
    pid = started(4)
    core = tmp_path / "core"
    subprocess.run(["gcore", "-o", str(core), str(pid)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    core = "%s.%d" % (core, pid)
    done = sdtkit("list", core, "loop:*")
    assert done.stdout == "%s: %s:\n%s" % (core, program, table(0, 4))
    assert (done.stderr, done.returncode) == ("", 0)


def test_name(sdtkit, started, program):
    """All processes of a name, which the kernel cuts to 15 characters."""
    path = shutil.copy(program, program.with_name("named-like-a-loop"))
    pids = [started(0, path) for _ in range(2)]
    for name in "named-like-a-loop", "named-like-a-lo":
        done = sdtkit("list", "-n", name, "loop:*")
        assert [int(pid) for pid in re.findall(
            r"^(\d+) named-like-a-lo: .*:$", done.stdout, re.M)] == sorted(pids)
    done = sdtkit("bt", "--print", "-n", "named-like-a-loop", "-e", "BEGIN { }")
    assert done.returncode == 2
    assert done.stderr.startswith("sdtkit bt: several processes have the name ")


@pytest.mark.parametrize("pid", ["0", "-1", "%x", "1x", "", "99999999999"])
def test_no_process_id(sdtkit, pid):
    done = sdtkit("list", "--pid", pid)
    assert done.stderr == ("sdtkit list: invalid value '%s' for --pid: use a "
                           "process ID\n" % pid)
    assert (done.stdout, done.returncode) == ("", 2)


def test_no_such_process(sdtkit):
    process = subprocess.Popen(["true"])
    process.wait()
    done = sdtkit("list", "-p", process.pid)
    assert "no such process" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


def test_somebody_elses(sdtkit, started, build, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    pid = started(1)
    directory = tmp_path / "bin"
    directory.mkdir()
    for path in [directory] + list(directory.parents)[:3]:
        path.chmod(0o755)
    command = shutil.copy(str(build / "lib/tool/sdtkit"), str(directory))
    os.chmod(command, 0o755)
    done = subprocess.run([command, "list", "-p", str(pid)],
                          preexec_fn=lambda: os.setuid(65534),
                          capture_output=True, text=True)
    assert "Permission denied" in done.stderr
    assert done.returncode == 2


@pytest.fixture
def traced(program, unavailable, tmp_path):
    """traced(pid): starts a bpftrace that counts loop:tick in the process, and
    returns it."""
    if os.geteuid() != 0:
        unavailable("not root")
    if not which("bpftrace"):
        unavailable("bpftrace is missing")
    tracers = []

    def attach(pid):
        script = ("BEGIN { printf(\"attached\\n\"); } "
                  "usdt:%s:loop:tick { @n = count(); }" % program)
        errors = open(str(tmp_path / "errors"), "w+")
        tracer = subprocess.Popen(
            ["timeout", "300", "bpftrace", "-p", str(pid), "-e", script],
            stdout=subprocess.PIPE, stderr=errors, universal_newlines=True)
        tracers.append((tracer, errors))
        for line in tracer.stdout:
            if line == "attached\n":
                return tracer
        errors.seek(0)
        return unavailable("bpftrace does not attach: " + errors.read()[-300:])
    yield attach
    for tracer, errors in tracers:
        end(tracer)
        errors.close()


def end(tracer):
    if tracer.poll() is None:
        tracer.send_signal(signal.SIGINT)
        tracer.communicate(timeout=300)


def value_of_tick(sdtkit, pid):
    return int(sdtkit("list", "-p", pid, "loop:tick").stdout.split()[-3])


def wait_for(sdtkit, pid, value):
    stop = time.monotonic() + 300
    while value_of_tick(sdtkit, pid) != value:
        assert time.monotonic() < stop
        time.sleep(0.1)


def test_who_is_traced_by_bpftrace(sdtkit, started, traced):
    pid, other = started(0), started(0)
    assert value_of_tick(sdtkit, pid) == 0
    tracer = traced(pid)
    wait_for(sdtkit, pid, 1)
    done = sdtkit("list", "-a", "--traced", "loop:*")
    # other runs of these tests may have programs of this name
    pids = re.findall(r"^(\d+) loop: ", done.stdout, re.M)
    assert str(pid) in pids and str(other) not in pids
    _, mine = re.split(r"^%d loop: .*$" % pid, done.stdout, flags=re.M)
    assert re.findall(r" (\d+)  (loop:\w+)\(", re.split(
        r"^\d+ loop: ", mine, flags=re.M)[0]) == [("1", "loop:tick")]
    end(tracer)
    wait_for(sdtkit, pid, 0)
    assert value_of_tick(sdtkit, other) == 0
