# SPDX-License-Identifier: BSD-2-Clause
"""Which programs are found, by what their processes have mapped."""

import collections
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

import pytest

from ending import ending

HERE = pathlib.Path(__file__).resolve().parent
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin/postgres")
LIMIT = 300
BUDGET_MS = 500     # of the processor, for a look

Group = collections.namedtuple("Group", "id gone program pids names describe "
                                "container others")
Look = collections.namedtuple("Look", "groups said cost descriptors")


@pytest.fixture(scope="session")
def compiled(source, tmp_path_factory):
    """compiled("NONE", ...): a program of work.c with these switches."""
    folder = tmp_path_factory.mktemp("work")
    subprocess.run([sys.executable, source / "probegen", HERE / "work.d", "-o",
                    folder / "work_probes.h"], check=True)

    def compile_it(*switches, flags=(), source_file=HERE / "work.c"):
        path = folder / "-".join(["work", *switches])
        if not path.exists():
            subprocess.run(
                [os.environ.get("CC", "cc"), "-std=gnu11", "-O1", "-I",
                 source / "include" / "sdtkit" / "sdt", "-I",
                 source / "include", "-I", folder, "-Wl,--build-id",
                 *["-DWORK_" + name for name in switches], source_file,
                 "-o", path, *flags], check=True)
        return path
    return compile_it


class Running:
    """A process that waits until its input ends."""

    def __init__(self, *command, **options):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, universal_newlines=True, **options)
        assert self.process.stdout.readline() == "ready\n"
        self.pid = self.process.pid

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(timeout=LIMIT)
        self.process.stdout.close()


@pytest.fixture
def run():
    """run(program, ...): a process of it."""
    yield from ending(Running)


class Discover:
    def __init__(self, build, *args):
        self.process = subprocess.Popen(
            [str(word) for word in [build / "tests/serve/serve-discover",
                                    "-m", build / "lib/tool/serve/spans",
                                    *args]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True,
            env=dict(os.environ, PATH="%s:%s" % (build / "lib/tool",
                                                 os.environ["PATH"])))

    def look(self, seconds=5):
        """What it finds, as if that many seconds had passed, with what it
        leaves for the next look when its budget is spent."""
        last = look = self.look_once(seconds)
        while last.cost >= BUDGET_MS:
            last = self.look_once(0)
            gone = [group for group in look.groups if group.gone]
            look = Look(gone + last.groups, look.said + last.said,
                        look.cost + last.cost, last.descriptors)
        return look

    def look_once(self, seconds):
        self.process.stdin.write("%d\n" % seconds)
        self.process.stdin.flush()
        groups, said, cost, descriptors = [], [], None, None
        for line in iter(self.process.stdout.readline, "end\n"):
            assert line, "it has ended"
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "said":
                said.append(rest)
            elif word == "cost":
                cost = float(rest)
            elif word == "descriptors":
                descriptors = int(rest)
            else:
                groups.append(parse_group(word, rest))
        return Look(groups, said, cost, descriptors)

    def memory(self):
        """Of the process, in KiB."""
        status = pathlib.Path("/proc/%d/status" % self.process.pid).read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status).group(1))

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=LIMIT) == 0
        self.process.stdout.close()


def parse_group(word, text):
    found = re.match(r"(\d+) (.*) pids((?: \d+)*) files (\d+)(.*) describe(.*) "
                     r"in (\S*) but (\d+)$", text)
    names = found.group(5).split("|")[1:]
    assert word == "gone" or len(names) == int(found.group(4))
    return Group(int(found.group(1)), word == "gone", found.group(2),
                 [int(pid) for pid in found.group(3).split()], names,
                 found.group(6).split(), found.group(7),
                 int(found.group(8)))


@pytest.fixture
def discover(build, unavailable):
    """discover(option, ...)"""
    if os.geteuid() != 0:
        unavailable("files of other processes are opened by root")
    if not (build / "tests/serve/serve-discover").exists():
        pytest.skip("sdtkit top was not built: needs libbpf, clang, bpftool")
    yield from ending(lambda *args: Discover(build, *args))


@pytest.fixture
def copy(compiled, tmp_path):
    """copy("name", switch, ...): a program of that name."""
    def make(name, *switches, **options):
        path = tmp_path / name
        shutil.copy(str(compiled(*switches, **options)), str(path))
        return path
    return make


def having(look, *pids):
    """The groups with processes of ours, by name: others run on this machine."""
    return [group for group in look.groups if set(group.pids) & set(pids)]


def named(look, program):
    return [group for group in look.groups if group.program == program]


def test_program_with_spans(discover, copy, run):
    program = copy("with spans\n")
    first, second = run(program), run(program)
    look = discover().look()
    (group,) = having(look, first.pid, second.pid)
    assert group.program == "with spans\\x0a"
    assert sorted(group.pids) == sorted([first.pid, second.pid])
    assert not group.describe and not group.gone


def test_program_without(discover, copy, run):
    process = run(copy("without", "NONE"))
    assert not having(discover().look(), process.pid)


def test_demo_server(discover, build, run, tmp_path):
    built = build / "examples/demo/demo-server"
    if not built.exists():
        pytest.skip("the demo was not built")
    # other tests run the one that was built
    program = shutil.copy(built, tmp_path / "unseen")
    server = subprocess.Popen([str(program), "--help"],
                              stdout=subprocess.DEVNULL)
    server.wait(timeout=LIMIT)
    (group,) = named(discover("-s", "demo=%s" % program).look(), "demo")
    assert group.names == [str(program)] and not group.pids


def test_it_starts_up(discover, copy, run):
    """A process that is younger than a second has not mapped all."""
    process = run(copy("young"))
    stat = pathlib.Path("/proc/%d/stat" % process.pid).read_text()
    began = int(stat.rpartition(")")[2].split()[19]) * 1e9
    began //= os.sysconf("SC_CLK_TCK")
    tool = discover("-n", int(began + 1e9))
    assert not having(tool.look(0), process.pid)
    assert len(having(tool.look(1), process.pid)) == 1


def test_upgrade(discover, copy, run, tmp_path):
    program = copy("upgraded")
    before = run(program)
    tool = discover()
    (old,) = having(tool.look(), before.pid)
    os.rename(str(copy("next")), str(program))
    after = run(program)
    look = tool.look()
    groups = named(look, "upgraded")
    assert [group.pids for group in groups] == [[before.pid], [after.pid]]
    assert groups[0].id == old.id and groups[0].names == [str(program)]
    before.end()
    gone, new = named(tool.look(), "upgraded")
    assert gone.gone and gone.id == old.id and not new.gone
    assert [group.id for group in named(tool.look(), "upgraded")] == [new.id]


def test_deleted(discover, copy, run):
    program = copy("deleted")
    process = run(program)
    program.unlink()
    (group,) = having(discover().look(), process.pid)
    assert group.program == "deleted"


def test_executes_another(discover, copy, run):
    """An old process is looked at when it executes something else."""
    program = copy("executed")
    process = run(copy("executes", "NONE"), program, "wait")
    tool = discover()
    for _ in range(3):
        assert not having(tool.look(40), process.pid)
    process.process.stdin.write("\n")
    process.process.stdin.flush()
    assert process.process.stdout.readline() == "ready\n"
    assert not having(tool.look(1), process.pid)    # it is young again
    (group,) = having(tool.look(), process.pid)
    assert group.program == "executed"


def test_upgrades_itself(discover, copy, run):
    """The path is the same, and it was not seen that it was gone."""
    program = copy("itself")
    process = run(program, program, "wait")
    tool = discover()
    tool.look()
    (old,) = having(tool.look(100), process.pid)
    os.rename(str(copy("next")), str(program))
    process.process.stdin.write("\n")
    process.process.stdin.flush()
    assert process.process.stdout.readline() == "ready\n"
    tool.look(1)
    (new,) = having(tool.look(), process.pid)
    assert new.program == old.program and new.id != old.id


def test_plugin(discover, copy, run):
    """Who opens a library later is looked at each minute."""
    library = copy("plugin.so", "LIBRARY", flags=["-shared", "-fPIC"])
    process = run("/usr/bin/python3", "-c",
                  "import ctypes; print('ready', flush=True); input();"
                  "ctypes.CDLL(%r); print('done', flush=True); input()" %
                  str(library), env=dict(os.environ, PYTHONMALLOC="malloc"))
    tool = discover()
    tool.look()
    tool.look(100)
    process.process.stdin.write("\n")
    process.process.stdin.flush()
    assert process.process.stdout.readline() == "done\n"
    look = tool.look(60)
    assert str(library) in [name for group in having(look, process.pid)
                            for name in group.names]
    process.process.stdin.write("\n")


def test_container(discover, copy, run, tmp_path):
    """Other namespaces of mounts and processes: its path is not one here."""
    (tmp_path / "root").mkdir()
    program = copy("contained")
    inside = run("unshare", "-mp", "--fork", "sh", "-c",
                 "mount -t tmpfs none {0}/root && cp {0}/contained "
                 "{0}/root/inner && {0}/root/inner".format(tmp_path))
    assert not (tmp_path / "root/inner").exists()
    (group,) = named(discover().look(), "inner")
    assert group.names == [str(tmp_path / "root/inner")]
    assert len(group.pids) == 1 and group.pids != [inside.pid]
    assert program.exists()


def test_layers_of_containers(discover, copy, run, tmp_path):
    """The file of a layer is one file, however many containers have it."""
    program = copy("layered")
    for name in "lower", "1", "2":
        (tmp_path / name).mkdir()
    program.rename(tmp_path / "lower" / "layered")
    pids = []
    for name in "1", "2":
        inside = run("unshare", "-m", "sh", "-c",
                     "cd {0} && mount -t tmpfs none {1} && mkdir {1}/u {1}/w "
                     "{1}/m && mount -t overlay none -o lowerdir=lower,"
                     "upperdir={1}/u,workdir={1}/w {1}/m && exec {0}/{1}/m/"
                     "layered".format(tmp_path, name))
        pids.append(inside.pid)
    (group,) = having(discover().look(), *pids)
    assert sorted(group.pids) == sorted(pids) and len(group.names) == 1


def test_chroot(discover, compiled, run, tmp_path):
    static = compiled("STATIC", flags=["-static"])
    shutil.copy(str(static), str(tmp_path / "rooted"))
    process = run("/rooted", preexec_fn=lambda: os.chroot(str(tmp_path)))
    (group,) = having(discover().look(), process.pid)
    assert group.program == "rooted"


def test_memory_file(discover, compiled, run):
    code = ("import os; fd = os.memfd_create('hidden', 0);"
            "os.write(fd, open(%r, 'rb').read());"
            "os.execve(fd, ['hidden'], {})" % str(compiled()))
    process = run("/usr/bin/python3", "-c", code)
    (group,) = having(discover().look(), process.pid)
    assert group.program == "memfd:hidden"


def test_library_of_two(discover, copy, run, tmp_path):
    """It belongs to its first program until another one maps it."""
    library = copy("libwork.so", "LIBRARY", flags=["-shared", "-fPIC"])
    flags = ["-L", tmp_path, "-l:libwork.so", "-Wl,-rpath,%s" % tmp_path]
    first = run(copy("first", "LINKED", flags=flags))
    tool = discover()
    (both,) = having(tool.look(), first.pid)
    assert both.program == "first" and str(library) in both.names
    assert len(both.names) == 2
    second = run(copy("second", "LINKED", "NONE", flags=flags))
    look = tool.look()
    (gone,) = [group for group in look.groups if group.id == both.id]
    assert gone.gone
    groups = {group.program: group for group in
              having(look, first.pid, second.pid)}
    assert sorted(groups) == ["first", "libwork.so"]
    assert groups["first"].names == [str(tmp_path / "first")]
    assert sorted(groups["libwork.so"].pids) == sorted([first.pid, second.pid])
    second.end()
    again = {group.program: group.id for group in having(tool.look(),
                                                         first.pid)}
    assert again == {name: group.id for name, group in groups.items()}


def test_two_programs_of_a_name(discover, copy, run, tmp_path):
    """Any user can give a program the name of a server."""
    server = copy("server")
    (tmp_path / "other").mkdir()
    false = copy("other/server")
    pids = [run(server).pid, run(false).pid]
    groups = having(discover().look(), *pids)
    assert [group.program for group in groups] == ["server", "server"]


def test_installed_description(discover, run):
    process = run("/usr/bin/python3", "-c",
                  "print('ready', flush=True); input()")
    groups = having(discover().look(), process.pid)
    assert [group.describe for group in groups] == [["python.json"]]
    process.process.stdin.write("\n")


@pytest.mark.parametrize("place,manifests", [
    ("libexec/sdtkit", "share/sdtkit/spans"), ("serve", "serve/spans")])
def test_where_manifests_are(build, run, tmp_path, place, manifests):
    """Beside the program, where it is installed and where it is built."""
    (tmp_path / place).mkdir(parents=True)
    shutil.copy(str(build / "tests/serve/serve-discover"),
                str(tmp_path / place))
    shutil.copytree(str(build / "lib/tool/serve/spans"),
                    str(tmp_path / manifests))
    done = subprocess.run([tmp_path / place / "serve-discover"], input="5\n",
                          stdout=subprocess.PIPE, universal_newlines=True,
                          check=True, timeout=LIMIT)
    assert "manifests %s\n" % (tmp_path / manifests) in done.stdout


def test_postgres(discover, need):
    if not POSTGRES.exists():
        pytest.skip("PostgreSQL 15 is not installed")
    (group,) = named(discover("-s", "database=%s" % POSTGRES).look(),
                     "database")
    assert group.describe == ["postgresql.json"]


def test_description_of_a_section(discover, source, run, copy):
    """What all programs have is described only if that is asked for."""
    library = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"
    if not os.path.exists(library):
        pytest.skip("there is no %s" % library)
    process = run(copy("maps", "NONE"), library)
    assert not having(discover().look(), process.pid)
    tool = discover("-s", "nobody", "-d",
                    source / "examples/spans/libstdcxx.d")
    groups = having(tool.look(), process.pid)
    assert [group.describe for group in groups] == [["libstdcxx.d"]]


def test_section_ignores_a_program(discover, copy, run):
    process = run(copy("ignored"))
    other = run(copy("other"))
    look = discover("-s", "ignored").look()
    assert [group.program for group in having(look, process.pid, other.pid)
            ] == ["other"]


def test_section_of_a_file(discover, copy, run):
    """It is traced before a process has it, by the name of the section."""
    program = copy("program")
    tool = discover("-s", "section=%s" % program)
    (group,) = named(tool.look(), "section")
    assert not group.pids
    process = run(program)
    (same,) = having(tool.look(), process.pid)
    assert same.id == group.id and same.program == "section"


def test_file_that_comes_later(discover, copy, tmp_path):
    tool = discover("-s", "later=%s" % (tmp_path / "later"))
    assert tool.look().said == [
        "%s: No such file or directory" % (tmp_path / "later")]
    copy("later")
    look = tool.look()
    assert len(named(look, "later")) == 1 and not look.said


@pytest.mark.parametrize("switches,why", [
    ("COUNT", "import__find__load__start has 2 arguments, not 1"),
    ("TYPE", "argument 0 of import__find__load__start is recorded as int32_t, "
     "not as 'char *module'"),
    ("PART", "it has no import__find__load__start, which is a probe of span "
     "import")])
def test_description_that_does_not_fit(discover, copy, run, switches, why):
    program = copy("liar", "OTHER", switches)
    tool = discover()
    processes = [run(program), run(program)]
    look = tool.look()
    assert not having(look, *[process.pid for process in processes])
    said = [text for text in look.said if "liar" in text]
    assert len(said) == 1 and said[0].endswith(
        "/spans/python.json does not fit %s: %s" % (program, why))
    processes.append(run(program))
    assert not [text for text in tool.look().said if "liar" in text]


NOTES = """
	.section .note.GNU-stack,"",@progbits
	.text
	.globl main
main:	nop
	.section .note.stapsdt,"","note"
	.rept {count}
	.balign 4
	.long 8, 2f - 1f, 3
	.asciz "stapsdt"
1:	.quad main, 0, 0
	.asciz "work"
	.fill {length}, 1, 'a'
	.byte 0
	.asciz "{arguments}"
2:	.balign 4
	.endr
"""


@pytest.fixture
def mapped(compiled, run, tmp_path):
    """mapped("name", count=..., ...): a process that has mapped a file of such
    notes."""
    def start(name, **values):
        text = tmp_path / (name + ".s")
        text.write_text(NOTES.format(**values))
        subprocess.run(["cc", "-shared", "-nostdlib", "-o", tmp_path / name,
                        text], check=True)
        return run(compiled("NONE"), tmp_path / name)
    return start


MAPPINGS = """
import mmap, os
m = []
for i in range(60000):
    m.append(mmap.mmap(-1, 4096, prot=1 + (i & 1) * 2))
for i in range(%d):
    if os.fork() == 0:
        os.read(0, 1)
        os._exit(0)
print('ready', flush=True)
input()
"""


def test_many_mappings(discover, run):
    """A process that takes long is not looked at each time."""
    process = run("/usr/bin/python3", "-c", MAPPINGS % 0)
    tool = discover()
    first = tool.look(0).cost
    assert min(tool.look(0).cost for _ in range(3)) < first / 2
    process.process.stdin.write("\n")


def test_budget(discover, run):
    """A look takes half a second of the processor, and the next one goes on."""
    process = run("/usr/bin/python3", "-c", MAPPINGS % 15)
    costs = []
    while not costs or (min(costs) >= 800 and len(costs) < 3):
        tool = discover()
        look = tool.look_once(60)
        costs.append(look.cost)
    assert min(costs) < 800
    end = time.monotonic() + LIMIT
    while sum(len(group.pids) for group in having(look, process.pid)) < 16:
        assert time.monotonic() < end
        look = tool.look_once(60)
    process.process.stdin.write("\n" * 20)


def test_hostile_files(discover, mapped, compiled, run, tmp_path, copy):
    """What is wrong is said once, and costs nothing to others."""
    good = run(copy("good"))
    mapped("many", count=100000, length=8, arguments="-4@%edi")
    mapped("long", count=1, length=65536, arguments="-4@%edi")
    short = tmp_path / "short"
    short.write_bytes(compiled().read_bytes()[:4096 * 3])
    run(compiled("NONE"), short)
    (tmp_path / "text").write_text("no program\n")
    run(compiled("NONE"), tmp_path / "text")
    tool = discover()
    look = tool.look()
    assert len(having(look, good.pid)) == 1
    # in the order of process IDs, which may begin anew in between
    said = sorted(text for text in look.said if str(tmp_path) in text)
    assert said[0].startswith("%s is not traced: its notes have more than" %
                              (tmp_path / "many"))
    assert said[1].startswith("%s is not traced: " % short)
    assert len(said) == 2
    look = tool.look()
    assert not [text for text in look.said if str(tmp_path) in text]
    assert len(having(look, good.pid)) == 1


def test_limits(discover, compiled, run, tmp_path):
    """64 programs; the others are said once."""
    pids = []
    for number in range(80):
        path = tmp_path / ("p%d" % number)
        shutil.copy(str(compiled()), str(path))
        pids.append(run(path).pid)
    tool = discover()
    look = tool.look()
    assert len(look.groups) == 64
    said = [text for text in look.said if str(tmp_path) in text]
    assert said[0].endswith(" is not traced: the limit is 64 programs")
    assert len(said) == 80 - len(having(look, *pids))
    assert str(tmp_path) not in "".join(tool.look().said)


def test_only(discover, compiled, run, tmp_path):
    """What is not wanted takes no room, and nothing is said of it."""
    for number in range(66):
        path = tmp_path / ("p%d" % number)
        shutil.copy(str(compiled()), str(path))
        process = run(path)
    look = discover("-o", "p65").look()
    (group,) = look.groups
    assert (group.program, group.pids) == ("p65", [process.pid])
    assert "limit" not in "".join(look.said)


def test_nothing_is_left(discover, compiled, run, tmp_path):
    """1,000 programs that start and end, each of its own file."""
    tool = discover()
    tool.look()

    def generation(number):
        processes = []
        for i in range(25):
            path = tmp_path / ("g%d-%d" % (number, i))
            shutil.copy(str(compiled()), str(path))
            processes.append(run(path))
            path.unlink()
        assert len(having(tool.look(100), *[p.pid for p in processes])) == 25
        for process in processes:
            process.end()
        tool.look(100)
        return tool.look(100)

    def descriptors():
        """What is open, but for the files of other programs."""
        folder = "/proc/%d/fd/" % tool.process.pid
        paths = [os.readlink(folder + name) for name in os.listdir(folder)]
        return [path for path in paths if not path.startswith("/") or
                path.startswith((str(tmp_path), "/proc/", "/memfd:"))]

    before = generation(0)
    opened, memory = descriptors(), []
    for number in range(1, 40):
        after = generation(number)
        memory.append(tool.memory())
    assert len(descriptors()) == len(opened)
    assert not any(path.startswith(str(tmp_path)) for path in descriptors())
    # one of each program would be 975
    assert after.descriptors - before.descriptors < 500
    # programs of others take memory at times, a leak at each generation
    growth = [later - earlier for earlier, later in zip(memory, memory[1:])]
    print(opened, memory)
    assert statistics.median(growth) < 8
    assert not any(str(tmp_path) in name for group in after.groups
                   for name in group.names)


def test_cost(discover, compiled, run):
    """Of 1,000 processes that sleep: less than 20 ms of a look, or on a slow
    machine a tenth of the first one."""
    code = ("import os, sys\n"
            "ready, write = os.pipe()\n"
            "for i in range(1000):\n"
            "    if os.fork() == 0:\n"
            "        os.dup2(write, 1)\n"
            "        os.execv(%r, [%r])\n"
            "os.close(write)\n"
            "assert open(ready).read(6000) == 'ready\\n' * 1000\n"
            "print('ready', flush=True)\n"
            "sys.stdin.readline()\n" % (str(compiled()), str(compiled())))
    parent = run("/usr/bin/python3", "-c", code,
                 stderr=subprocess.DEVNULL)
    tool = discover()
    first = tool.look(40)
    (group,) = named(first, compiled().name)
    costs = [tool.look().cost for _ in range(5)]
    print("first %.1f ms, then %s" % (first.cost, costs))
    assert len(group.pids) >= 990
    assert min(costs) < max(20, first.cost / 10)
    parent.process.send_signal(signal.SIGKILL)
