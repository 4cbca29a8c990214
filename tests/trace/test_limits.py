# SPDX-License-Identifier: BSD-2-Clause
"""Programs that cannot be traced and are refused, and programs that are hard
to trace: they handle or block the signal of traps, restrict their system
calls, have small stacks, have no memory, or run as another user."""

import os
import re
import shutil
import subprocess

import pytest

from trace_lines import LIMIT, Result, compile_program, without_gaps
from programs import which

MAIN = "int main(void) { return 0; }\n"


@pytest.fixture
def compiled(tmp_path, unavailable):
    """compiled(flags..., compiler="gcc"): compiles a program that does
    nothing."""
    def compile_main(*flags, compiler="gcc", folder=tmp_path):
        if which(compiler) is None:
            unavailable(compiler + " is missing")
        source = folder / "main.c"
        source.write_text(MAIN)
        out = folder / "program"
        done = subprocess.run([compiler, str(source), "-o", str(out), *flags],
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            unavailable("%s %s: %s" % (compiler, " ".join(flags),
                                       done.stderr))
        return out
    return compile_main


def refused(show, program, **more):
    done = show("-q", str(program), **more)
    assert (done.returncode, done.stdout) == (126, "")
    assert done.stderr.startswith("sdtkit trace: %s: " % program)
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("flag", ["-static", "-static-pie"])
def test_static_programs(show, compiled, flag):
    message = refused(show, compiled(flag))
    assert "is linked statically" in message and "bpftrace" in message


def test_programs_of_32_bits(show, compiled):
    program = compiled("-nostdlib", "-Wl,-e,main",
                       compiler="i686-linux-gnu-gcc")
    assert "this is a 32-bit program" in refused(show, program)


def test_programs_of_another_machine(show, compiled):
    program = compiled("-nostdlib", "-Wl,-e,main",
                       compiler="aarch64-linux-gnu-gcc")
    assert "for another machine than sdtkit" in refused(show, program)


def test_programs_of_another_c_library(show, compiled):
    program = compiled("-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1")
    assert "/lib/ld-musl-x86_64.so.1" in refused(show, program)


def test_script_of_such_a_program(show, compiled, tmp_path):
    script = tmp_path / "script"
    script.write_text("#! %s -x\n" % compiled("-static"))
    script.chmod(0o755)
    done = show("-q", str(script))
    assert done.returncode == 126
    assert "program: the program is linked statically" in done.stderr


def test_scripts(trace, acts, tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n%s steps $1\nexit 3\n" % (acts / "program"))
    script.chmod(0o755)
    done = trace(script, 2)
    assert done.hits == ["act:step(n=1)", "act:step(n=2)"]
    assert done.returncode == 3


@pytest.mark.parametrize("mode", [0o4755, 0o2755])
def test_programs_of_other_rights(show, sdtkit_elsewhere, compiled, public,
                                  nobody, mode, unavailable):
    if not nobody:
        unavailable("not root, so nothing of another user's can be made")
    program = compiled(folder=public)
    if os.statvfs(program).f_flag & os.ST_NOSUID:
        unavailable("setuid means nothing here: " + str(program))
    program.chmod(mode)
    message = refused(show, program, command=sdtkit_elsewhere, **nobody)
    assert "LD_PRELOAD" in message and "setuid" in message
    # the setuid bit gives its owner no more rights
    done = show("-q", program, command=sdtkit_elsewhere)
    assert done.returncode == 0


@pytest.fixture
def sdtkit_elsewhere(build, public):
    """Returns a copy of the command, with its library, that every user may
    run."""
    command = public / "tool" / "sdtkit"
    library = public / "trace" / "libsdtkit-trace.so"
    for path in (command, library):
        path.parent.mkdir(parents=True)
        shutil.copy(build / "lib" / path.parent.name / path.name, path)
        for each in (path, path.parent):
            each.chmod(0o755)
    return str(command)


def test_unprivileged_user(show, sdtkit_elsewhere, acts, nobody):
    done = show("-q", acts / "program", "family", command=sdtkit_elsewhere,
                **nobody)
    result = Result(done.returncode, done.stdout, done.stderr.splitlines(), "")
    assert result.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]


def test_without_the_library(show, build, acts, tmp_path):
    command = tmp_path / "sdtkit"
    shutil.copy(build / "lib" / "tool" / "sdtkit", command)
    done = show("-q", acts / "program", "steps", "1", command=command)
    if done.returncode == 0:
        pytest.skip("it is installed here")
    assert done.returncode == 125
    assert "libsdtkit-trace.so was not found: it should be /" in done.stderr


def test_a_library_of_somebody_else(sdtkit_elsewhere, public, unavailable):
    """If the build is in /tmp, another user can create the library there."""
    library = public / "trace" / "libsdtkit-trace.so"

    def preloaded():
        done = subprocess.run([sdtkit_elsewhere, "trace", "-q", "env"],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=LIMIT)
        return bytes(library) in done.stdout

    if os.geteuid() != 0:
        unavailable("only root can give a file away")
    assert preloaded()
    os.chown(library, 65534, 65534)
    assert not preloaded()


def test_a_library_that_cannot_be_had(show, sdtkit_elsewhere, public, acts,
                                      nobody, unavailable):
    """The library exists but cannot be loaded, and the message says why."""
    library = public / "trace" / "libsdtkit-trace.so"

    def message(**options):
        done = show(acts / "program", "steps", "1", command=sdtkit_elsewhere,
                    **options)
        if done.returncode == 0:
            pytest.skip("it is installed here")
        assert done.returncode == 125 and "missing" not in done.stderr
        return done.stderr.replace("tool/../", "")

    library.chmod(0)
    assert message(**nobody) == ("sdtkit trace: %s: Permission denied\n" %
                                 library)
    if os.geteuid() != 0:
        unavailable("only root can give a file away")
    os.chown(library, 65534, 65534)
    assert message() == ("sdtkit trace: %s: this library belongs to another "
                         "user, so it is not loaded\n" % library)


@pytest.mark.parametrize("name", ["my tools", "a:b", "b+c"])
def test_path_that_the_loader_would_cut(show, build, acts, tmp_path, name):
    command = tmp_path / name / "tool" / "sdtkit"
    library = tmp_path / name / "trace" / "libsdtkit-trace.so"
    for path in (command, library):
        path.parent.mkdir(parents=True)
        shutil.copy(build / "lib" / path.parent.name / path.name, path)
    (tmp_path / "tmp").mkdir()
    done = show("-q", acts / "program", "family", command=command,
                env=dict(os.environ, TMPDIR=str(tmp_path / "tmp")))
    result = Result(done.returncode, done.stdout, done.stderr.splitlines(), "")
    assert result.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]
    assert os.listdir(tmp_path / "tmp") == []


def test_environment_that_is_dropped(trace, acts):
    done = trace("/usr/bin/env", "-i", acts / "program", "steps", 1)
    assert (done.text, done.stdout) == ([], "done\n")
    assert "or clears its environment, sdtkit trace cannot" in done.messages


@pytest.mark.parametrize("argument", [0, 1])
def test_program_with_a_handler_of_its_own(trace, argument):
    """A program with a handler for SIGTRAP, by sigaction() or signal(), gets
    its own signals but not those of hits."""
    done = trace("own_handler", argument)
    assert done.stdout == "handled 2, mine 1\n"
    assert done.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]


@pytest.mark.parametrize("argument,hits", [(0, 1), (1, 2)])
def test_program_that_dies_of_its_own_trap(trace, argument, hits):
    done = trace("own_trap", argument)
    assert done.returncode == 128 + 5
    assert len(done.hits) == hits


def test_flags_of_a_handler(trace):
    """SIG_DFL and SIG_IGN count whatever SA_SIGINFO is; SA_RESETHAND and
    sa_mask take effect."""
    done = trace("own_flags")
    assert done.stdout == "blocked 10, again 0\n"
    assert done.hits == ["act:step(n=1)", "act:step(n=5)"]
    assert done.returncode == 128 + 5


def test_blocked_signals(trace):
    done = trace("masks")
    assert done.stdout == "alive\n"
    assert done.hits == ["act:step(n=%d)" % n for n in (10, 1, 2, 1, 2, 10)]


def test_signals_blocked_by_epoll_pwait2(trace, unavailable):
    done = trace("waits")
    if done.returncode == 99:
        unavailable("epoll_pwait2() is missing")
    assert (done.stdout, done.hits) == ("alive\n", ["act:step(n=14)"])


def test_handlers_that_jump_away(trace):
    done = trace("jumps")
    assert done.hits == ["act:step(n=%d)" % n
                         for i in range(1, 101) for n in (10, i)]


def test_registers_and_errno_stay(trace):
    done = trace("preserved")
    assert (done.returncode, done.stdout) == (0, "55 57.665\n")
    assert len(done.hits) == 10


@pytest.mark.parametrize("act", [["filtered", "kill"], ["filtered", "errno"],
                                 ["strict"]])
def test_process_that_locks_itself_up(trace, act):
    """The process installs a filter that would kill it for the system calls of
    a hit."""
    done = trace(*act)
    assert done.returncode == 0
    assert done.hits[0] == "act:step(n=1)"
    assert not any("n=2" in hit for hit in done.hits)
    assert re.search(r"\(seccomp\).*: 1\n", done.messages)


def test_child_that_locks_itself_up(trace):
    done = trace("filtered_child")
    assert done.returncode == 0
    assert done.hits == ["act:step(n=1)", "act:step(n=2)", "act:step(n=4)",
                         'act:text(text="parent")']


def test_program_behind_a_filter(trace):
    """A program that was executed by a process with a filter of system
    calls."""
    done = trace("filtered_program")
    assert (done.returncode, done.hits) == (0, [])
    assert re.search(r"\(seccomp\).*: 2\n", done.messages)


def test_vforked_child_that_locks_itself_up(trace):
    """The parent, whose memory such a child shares, is still traced."""
    done = trace("filtered_vfork")
    assert done.returncode == 0
    assert done.hits == ["act:step(n=1)", "act:step(n=4)"]
    assert re.search(r"\(seccomp\).*: 1\n", done.messages)


def test_hits_that_found_no_space_are_counted(trace):
    """Hits that find the ring full are lost and counted, also if the program
    ends with _exit()."""
    done = trace("crowd", options=["--strings", "1023", "--patience", "1"])
    assert done.returncode == 0
    lost = int(re.search(r"(\d+) hits were lost\n", done.messages)[1])
    hits, marked = without_gaps(done.text)
    assert (len(hits) + lost, marked) == (300 * 400, lost)


def test_no_symbol_is_looked_up_in_the_handler(build):
    """The library binds all symbols when it is loaded: a search in the handler
    would need stack and locks that the program may hold."""
    tags = subprocess.run(
        ["readelf", "-dW", str(build / "lib/trace/libsdtkit-trace.so")],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "BIND_NOW" in tags or re.search(r"Flags:.*NOW", tags)


def test_small_stack(trace):
    done = trace("small_stack")
    assert done.hits == ['act:types(u1=1, s1=2, u2=3, s2=4, u4=5, s4=6, u8=7,'
                         ' s8=8, f4=9, f8=10, p=NULL, z="small")']


def test_no_memory_and_no_descriptors(trace):
    assert trace("exhausted").hits == ['act:text(text="poor")']


def test_server_that_drops_its_rights(trace, nobody, unavailable):
    if not nobody:
        unavailable("not root, so there is nothing to drop")
    done = trace("drop_rights")
    assert done.returncode == 0
    assert done.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]


def test_program_that_writes_everywhere(trace):
    """If the program overwrites the shared memory, sdtkit trace does not crash
    but prints a message."""
    done = trace("scribble")
    assert (done.returncode, done.stdout) == (0, "scribbled\n")
    assert "has overwritten the memory" in done.messages


def test_program_that_damages_its_ring(trace):
    """Its hits do not wait for the reader, which says that it cannot read
    them."""
    done = trace("damage", 0)
    hits, marked = without_gaps(done.text)
    assert (done.returncode, marked) == (0, 20002 - len(hits))
    assert "%d hits were lost\n" % marked in done.messages
    assert "the memory of 1 thread was overwritten by" in done.messages


def test_program_that_closes_the_file(trace):
    done = trace("damage", "close")
    assert done.returncode == 0 and len(done.hits) < 20001
    assert "has overwritten the memory" in done.messages


def test_sanitizer(trace, acts, compiled, tmp_path):
    """Programs with a sanitizer need the option that the manual page names."""
    compiled("-fsanitize=address")
    out = tmp_path / "sanitized"
    compile_program(acts, out, "-fsanitize=address")
    options = "verify_asan_link_order=0"
    done = trace(out, "steps", 2, env=dict(os.environ, ASAN_OPTIONS=options))
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert done.hits == ["act:step(n=1)", "act:step(n=2)"]


@pytest.mark.parametrize("args", [
    [], ["--"], ["-p"], ["--nonsense", "true"],
    ["-c", "0", "true"], ["-c", "-1", "true"], ["-c", "1x", "true"],
    ["--patience", "-1", "true"], ["--patience", "3601", "true"], ["--patience", "", "true"],
    ["--strings", "1024", "true"], ["--strings", "", "true"], ["--time", "now", "true"],
    ["--json=yes", "true"]])
def test_wrong_usage(fails, args):
    assert re.search("--help|invalid value '.*' for --.*: use |is not a pattern",
                     fails(*args))


def test_lost_hits_are_marked_in_json(trace, objects):
    lines = objects(trace("crowd", options=["-j", "--strings", "1023", "--patience",
                                            "1"]).text)
    gaps = [line["lost"] for line in lines[1:-1] if "lost" in line]
    assert sum(gaps) == lines[-1]["lost"] > 0
