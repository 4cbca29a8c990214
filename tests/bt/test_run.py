# SPDX-License-Identifier: BSD-2-Clause
"""Scripts that run: members, names and sites that differ; a process with two
libraries, one in another mount namespace, a server, and programs of Debian that
nobody has described."""

import json
import re
import shutil
import subprocess

import pytest

import bpftraces
from conftest import HERE
from demo_server import Server
from opt_in import usual
from tracers import Waiting

BEGIN = 'BEGIN { printf("attached\\n"); }\n'

SHAPES = BEGIN + """\
shape:request_start /args.opcode == CREATE || CLOSE == args.opcode/ {
	@[args.user, name(args.opcode)] = count();
	printf("args.user %s|%s\\n", str(args.user, 16), name(args.opcode));
}
shape:request_*,!shape:request_done { @mid[args.mid] = args.mid; }
shape:request_end /args.status < 0/ {
	@sum = sum(args.status); @min = min(args.status);
}
shape:many {
	printf("%d %d %d %d %d %s %d\\n", args.a, args.b, args.f, args.g,
		args.opcode, args.name, args.req.peer.port);
}
shape:many /args.g < -8/ { @g[args.g] = args.opcode; }
shape:many /args.name == "first"/ {
	printf("%d %d %d %d %s|%s|%s\\n", args.req.peer.weight, args.req.key[5],
		args.req.grid[1][2], args.req.small, args.req.file,
		args.req.user, name(args.req.kind));
}
shape:request_done /args.req.opcode == CREATE/ {
	$i = 1;
	@element = args.req.grid[$i][$i];
	@quotient = 8900/args.req.peer.port;
	printf("%d %d\\n", -args.req.peer.port, args.req.mid);
}
shape:narrow {
	printf("%lld %lld %lld %lld %lld %lld\\n", args.a, args.b, args.c,
		args.d, args.e, args.f);
}
shape:kinds /args.kind == PRINTER/ { printf("%llx\\n", arg1); }
"""
SAYS = [
    "args.user alice|CREATE", "args.user bob|CLOSE",
    "-1 255 -2 65534 -3 4294967293",
    "1 2 6 -7 2 first 445", "-70000 6 -6 -9 report.txt|alice|PIPE",
    "200 20 60 -100 5 second 445", "201 200 61 -99 6 econd 445",
    "-445 77", "3fe0000000000000",
    "@[alice, CREATE]: 1", "@[bob, CLOSE]: 1",
    "@mid[7]: 7", "@mid[8]: 8", "@mid[9]: 9", "@sum: -5", "@min: -5",
    "@g[-100]: 5", "@g[-99]: 6", "@element: -5", "@quotient: 20",
]


@pytest.fixture
def bt(build, version):
    """bt(argument...): a run."""
    def run(*arguments, **options):
        return bpftraces.run([build / "lib/tool/sdtkit", "bt", *arguments],
                             version, **options)
    return run


class After:
    """Something to do when the script is attached."""

    def __init__(self, do):
        self.go = do


def test_shapes(bt, shapes):
    with Waiting([str(shapes / "shape")]) as waiting:
        ended = bt("-p", waiting.pid, "-e", SHAPES, waiting=waiting)
    lines = [line for line in ended.out.splitlines()
             if line and not line.startswith("Attach")]
    assert sorted(lines) == sorted(["attached"] + SAYS), ended
    assert ended.status == 0


def test_command(bt, shapes, tmp_path):
    """-c, a script from a file, a parameter, and bpftrace's exit status."""
    (tmp_path / "x.bt").write_text(
        "shape:request_end { @[name(args.opcode)] = count(); }\n"
        "shape:request_end /args.mid == $1/ { exit(); }\n")
    ended = bt("--cmd", "./shape", tmp_path / "x.bt", extra=["7"], cwd=shapes)
    assert "@[CREATE]: 1" in ended.out, ended
    assert "names_command" not in ended.out
    assert ended.status == 0


@pytest.mark.parametrize("by,name", usual(
    [(by, name) for by in ("file", "process", "script")
     for name in ("a+b", "a b+c")], ("process", "a+b"), ("script", "a b+c")))
def test_path(bt, shapes, tmp_path, name, by):
    """Versions of packages are in names of directories, and have a +."""
    program = tmp_path / name / "shape"
    program.parent.mkdir()
    shutil.copy(str(shapes / "shape"), str(program))
    with Waiting([str(program)]) as waiting:
        probe, words = {"file": ("shape", [program]),
                        "process": ("shape", ["-p", waiting.pid]),
                        "script": ('usdt:"%s":shape' % program, [])}[by]
        ended = bt("-e", BEGIN + probe + ":request_end { @[args.mid] = 1; }\n" +
                   probe + ":request_end /args.mid == 7/ { exit(); }",
                   *words, waiting=waiting)
    assert "@[7]: 1" in ended.out, ended
    assert ended.status == 0


def test_errors_of_bpftrace_keep_their_line(bt, shapes):
    ended = bt("-e", "shape:request_*,\n!shape:request_done {\n"
               "\tprint(args.mid);\n\tnosuch(args.mid); }",
               shapes / "shape")
    assert re.search(r"stdin:4:\d+-\d+: ERROR: .*nosuch", ended.err), ended
    assert ended.status == 1


def library(shapes, source, name, optimise):
    """shape.c again, as a library with the function NAME instead of main."""
    subprocess.run(["gcc", optimise, "-shared", "-fPIC", "-Dmain=" + name, "-I",
                    str(shapes), "-I", str(HERE), "-I",
                    str(source / "include"), str(HERE / "shape.c"), "-o",
                    str(shapes / ("lib%s.so" % name))], check=True)


@pytest.fixture(scope="session")
def pair(shapes, source):
    """A program with two libraries that have the same probes, but have the
    arguments elsewhere."""
    library(shapes, source, "left", "-O2")
    library(shapes, source, "right", "-O0")
    (shapes / "pair.c").write_text(
        "int left(int, char **), right(int, char **);\n"
        "int main(int argc, char **argv)\n"
        "{ return left(argc, argv) + right(1, argv); }\n")
    subprocess.run(["gcc", str(shapes / "pair.c"), "-o", str(shapes / "pair"),
                    "-L", str(shapes), "-lleft", "-lright",
                    "-Wl,-rpath," + str(shapes)], check=True)
    return shapes / "pair"


COUNT = BEGIN + """\
shape:request_start { @[args.user] = count(); }
shape:request_end /args.mid == 7/ { @status[args.status] = count(); }
shape:many { @[args.name] = count(); }
shape:kinds { @last++; if (@last == $1) { exit(); } }
"""


@pytest.mark.parametrize("files, alice", usual([
    ([], 4), (["libleft.so"], 2), (["libright.so"], 2),
    (["libleft.so", "libright.so"], 4)], ([], 4), (["libright.so"], 2)),
    ids=str)
def test_two_libraries(bt, pair, files, alice):
    """bpftrace before 0.24 would take them for one with -p."""
    with Waiting([str(pair)]) as waiting:
        ended = bt("-p", waiting.pid, "-e", COUNT, *files, waiting=waiting,
                   extra=[str(alice // 2)], cwd=str(pair.parent))
    assert "@[alice]: %d\n" % alice in ended.out, ended
    assert "@[bob]: %d\n" % (alice // 2) in ended.out, ended
    assert "@[econd]: %d\n" % (alice // 2) in ended.out, ended
    assert "@status[-5]: %d\n" % (alice // 2) in ended.out, ended


def test_other_mount_namespace(bt, shapes, tmp_path, unavailable):
    """The program is at a path that is not there outside."""
    inside = ["unshare", "--mount", "sh", "-c",
              'mount --bind "$0" "$1" && cd "$1" && exec "$1/shape" "$2"',
              str(shapes), str(tmp_path)]
    if subprocess.run(["unshare", "--mount", "true"]).returncode:
        unavailable("there can be no mount namespace here")
    with Waiting(inside) as waiting:
        assert not (tmp_path / "shape").exists()
        ended = bt("-p", waiting.pid, "-e", COUNT, waiting=waiting,
                   extra=["1"])
    assert "@[alice]: 2\n" in ended.out, ended


ELSEWHERE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

int own(int, char **);

int main(int argc, char **argv)
{
	int to = memfd_create("left", 0), from = open(argv[1], O_RDONLY);
	int (*left)(int, char **);
	char path[64];
	void *library;

	if (sendfile(to, from, NULL, 1 << 24) <= 0)
		err(1, "%s", argv[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", to);
	library = dlopen(path, RTLD_NOW);
	if (library == NULL)
		errx(1, "%s", dlerror());
	*(void **)&left = dlsym(library, "left");
	if (chroot(argv[2]) != 0 || chdir("/") != 0)
		err(1, "%s", argv[2]);
	return own(argc, argv) + left(1, argv);
}
"""


@pytest.fixture(scope="session")
def elsewhere(shapes, pair, source):
    """A program with probes that opens a library from memory without a name,
    and changes its root directory."""
    (shapes / "elsewhere.c").write_text(ELSEWHERE)
    subprocess.run(["gcc", "-O2", "-Dmain=own", "-I", str(shapes), "-I",
                    str(HERE), "-I", str(source / "include"), "-c",
                    str(HERE / "shape.c"), "-o", str(shapes / "own.o")],
                   check=True)
    subprocess.run(["gcc", "-O2", str(shapes / "elsewhere.c"),
                    str(shapes / "own.o"), "-o", str(shapes / "elsewhere"),
                    "-ldl"], check=True)
    return shapes / "elsewhere"


def test_files_without_a_name(bt, elsewhere, tmp_path, unavailable):
    """A program that was replaced, as by an upgrade, a library from memory, in
    another root directory and mount namespace: bpftrace gets the very files."""
    if subprocess.run(["unshare", "--mount", "true"]).returncode:
        unavailable("there can be no mount namespace here")
    program = tmp_path / "server"
    shutil.copy(str(elsewhere), str(program))
    command = ["unshare", "--mount", program, elsewhere.parent / "libleft.so",
               tmp_path]
    with Waiting([str(word) for word in command]) as waiting:
        shutil.copy(str(elsewhere.parent / "shape"), str(tmp_path / "new"))
        (tmp_path / "new").rename(program)
        ended = bt("-p", waiting.pid, "-e", COUNT, waiting=waiting,
                   extra=["2"])
    assert "@[alice]: 4\n" in ended.out, ended
    assert "@[bob]: 2\n" in ended.out, ended
    assert "@status[-5]: 2\n" in ended.out, ended
    assert "process %d does not have the file by name" % waiting.pid in \
        ended.err
    assert "cannot attach" not in ended.err


def test_name_of_a_replaced_file(sdtkit, shapes, tmp_path):
    """It is the new file, in which that process has no hits."""
    program = tmp_path / "server"
    shutil.copy(str(shapes / "shape"), str(program))
    script = ["--print", "--target=0.17", "-e", "shape:many { @ = count(); }"]
    with Waiting([str(program)]) as waiting:
        old = sdtkit("-p", waiting.pid, *script)
        shutil.copy(str(program), str(tmp_path / "new"))
        (tmp_path / "new").rename(program)
        named = sdtkit("-p", waiting.pid, *script, program)
        replaced = sdtkit("-p", waiting.pid, *script)
        exe = "/proc/%d/exe" % waiting.pid
    assert "/proc/%d/root%s:" % (waiting.pid, program) in old.stdout
    assert old.stderr == ""
    assert "process %d runs an older file of this name" % waiting.pid in \
        named.stderr
    assert "usdt:%s:shape:many" % exe in replaced.stdout
    assert "pid == %d" % waiting.pid in replaced.stdout


def commands(told):
    """{"CREATE": {"opcode": 5, "answered": 500, ...}, ...}"""
    return next(value for value in told.values() if isinstance(value, dict)
                and "CREATE" in value)


def test_demo_server(bt, build, tmp_path):
    """All requests of a client, by the names of their commands, as it counts
    them itself; the user is the eleventh argument."""
    if not (build / "examples/demo/demo-server").exists():
        pytest.skip("the demo was not built: needs libtevent and libtalloc")
    server = Server(build, tmp_path / "served", tmp_path / "log")
    told = []
    ended = bt("-e", BEGIN +
               "smb2:request_end { @[name(args.opcode)] = count(); }"
               "smb2:request_end /args.status == 0 && args.opcode == READ/ "
               "{ @user[args.user] = count(); } smbd:child_exit { exit(); }",
               server.program,
               waiting=After(lambda: told.append(server.client("--json"))))
    server.stop()
    counts = dict(re.findall(r"^@\[(\w+)\]: (\d+)$", ended.out, re.M))
    assert told[0].returncode == 0
    answered = {name: str(row["answered"]) for name, row in
                commands(json.loads(told[0].stdout)).items()
                if row["answered"]}
    assert counts == answered, ended
    assert re.search(r"^@user\[\w+\]: %s$" % counts["READ"], ended.out, re.M)


def test_debian(bt, unavailable):
    """Debian's own python3, whose arguments have no names."""
    python = "/usr/bin/python3"
    listed = subprocess.run(["readelf", "-n", python], stdout=subprocess.PIPE)
    if b"import__find__load__start" not in listed.stdout:
        unavailable(python + " has no probes")
    code = ("import gc, sys\nprint('ready', flush=True)\n"
            "sys.stdin.readline()\nimport wave\ngc.collect(1)\n")
    script = BEGIN + ("python:import__find__load__start /str(arg0) == "
                      "\"wave\"/ { @[str(arg0)] = count(); }"
                      "python:gc__start /(int32)arg0 == 1/ { @gc = count(); }")
    with Waiting([python, "-c", code]) as waiting:
        ended = bt("-p", waiting.pid, "-e", script, waiting=waiting)
    assert "@[wave]: 1\n" in ended.out, ended
    assert "@gc: 1\n" in ended.out, ended


@pytest.mark.parametrize("version, mounted, said", [
    ("v0.17.0", False, True), ("v0.17.0", True, False),
    ("v0.24.1", False, False)])
def test_why_a_probe_cannot_be_detached(build, shapes, tmp_path, unavailable,
                                        version, mounted, said):
    """bpftrace before 0.24 wants tracefs for that: here, a program that is
    called bpftrace, in a namespace with a tracefs of our own, or with none."""
    if subprocess.run(["unshare", "--mount", "true"]).returncode != 0:
        unavailable("there can be no mount namespace here")
    fake = tmp_path / "bpftrace"
    fake.write_text("#!/bin/sh\necho bpftrace %s\n" % version)
    fake.chmod(0o755)
    hide = "mount -t tmpfs none /sys/kernel && mkdir -p /sys/kernel/tracing"
    if mounted:
        hide += " && touch /sys/kernel/tracing/uprobe_events"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", hide + ' && exec "$@"', "sh",
         build / "lib/tool/sdtkit", "bt", "-e", "shape:many { }",
         shapes / "shape"], env={"BPFTRACE": str(fake), "PATH": "/usr/bin:"
                                 "/bin:/usr/sbin:/sbin"}, capture_output=True,
        text=True)
    assert done.returncode == 0, done.stderr
    assert ("tracefs is not mounted, so bpftrace will say 'failed to detach "
            "probe' at the end" in done.stderr) == said
