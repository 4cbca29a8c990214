# SPDX-License-Identifier: BSD-2-Clause
"""./dev, with programs of the test in place of meson, ninja and dpkg: what it
does where something fails, and from where it is called.

The false meson makes what a real one makes of a build directory, in its order;
it fails where FAIL says so, as on a full disk. The false ninja wants all of it.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

from opt_in import usual

MESON = """#!/bin/sh
for word; do case $word in --wipe) wipe=1 ;; -*|setup) ;; *) out=$word ;; esac; done
echo "The Meson build system"
if [ -e "$out/meson-private/coredata.dat" ] && [ -z "$wipe" ]; then
	echo "Directory already configured."; exit 0
fi
[ "$FAIL" != at-once ] || { echo "No space left on device"; exit 1; }
mkdir -p "$out/meson-private" || exit 1
echo x >"$out/meson-private/coredata.dat"
[ "$FAIL" != killed ] || kill -9 $PPID $$
[ "$FAIL" != early ] || { echo "No space left on device"; exit 1; }
echo x >"$out/build.ninja"
[ "$FAIL" != late ] || { rm "$out/meson-private/coredata.dat"; exit 1; }
echo x >"$out/meson-private/build.dat"
"""
# Counts one test for each setup, in the file that meson has for it.
TESTING = """#!/bin/sh
case $1 in
introspect) echo "[]"; exit ;;
test) [ -z "$FAIL" ] || exit 1 ;;
*) exec "$0-setup" "$@" ;;
esac
while [ $# != 0 ]; do
	[ "$1" != --setup ] || setup=-$2
	[ "$1" != -C ] || build=$2
	shift
done
mkdir -p "$build/meson-logs"
cat >"$build/meson-logs/testlog$setup.junit.xml" <<END
<testsuites><testsuite name="sdtkit.sdtkit:room / pytest">
<testcase name="1 - with$setup"/></testsuite></testsuites>
END
"""
NINJA = """#!/bin/sh
[ -z "$SLOW" ] || { echo $$ >"$SLOW"; exec sleep 600; }
while [ "$1" != -C ]; do shift; done
for file in build.ninja meson-private/coredata.dat meson-private/build.dat; do
	[ -s "$2/$file" ] || { echo "ninja: $file is missing"; exit 1; }
done
echo "ninja built $(cd "$2" && pwd)"
"""
# The packages are behind -W -f FORMAT.
DPKG = "#!/bin/sh\nshift 3\nprintf '%s=installed\\n' \"$@\"\n"
RUN = "#!/bin/sh\necho \"the demo runs, CDPATH is '$CDPATH'\"\n"


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def tree(source):
    """A source tree of nothing but dev and the demo, where other users may
    look, which is not so below tmp_path."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        for name, text in ("meson", MESON), ("ninja", NINJA), \
                ("dpkg-query", DPKG):
            program(folder / "bin" / name, text)
        program(folder / "tree" / "examples" / "demo" / "run.sh", RUN)
        # whatever the umask was that the checkout was made with
        program(folder / "tree" / "dev", (source / "dev").read_text())
        (folder / "tree" / "tests").mkdir()
        shutil.copy(source / "tests" / "packages.txt",
                    folder / "tree" / "tests")
        yield folder / "tree"


def environment(tree, **more):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith("SDTKIT_")}
    return dict(clean, PATH="%s:%s" % (tree.parent / "bin", clean["PATH"]),
                **more)


def dev(tree, *args, command=None, cwd=None, user=None, **more):
    return subprocess.run(
        [command or tree / "dev", *args], cwd=cwd or tree, user=user,
        env=environment(tree, **more), capture_output=True, text=True,
        timeout=300)


def test_builds(tree):
    done = dev(tree, "build")
    assert "ninja built %s/build\n" % tree in done.stdout
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("how", usual(
    ["at-once", "early", "late", "killed"], "early", "killed"))
def test_a_setup_that_failed(tree, how):
    """Nothing is beside the build, and the next call sets it up again."""
    done = dev(tree, "build", FAIL=how)
    assert done.returncode != 0 and "ninja built" not in done.stdout
    if how != "killed":
        assert done.stderr.endswith("dev: meson setup failed\n")
    assert sorted(path.name for path in tree.iterdir()
                  if path.name != "build") == ["dev", "examples", "tests"]
    done = dev(tree, "build")
    assert "ninja built" in done.stdout and done.returncode == 0, done.stdout


@pytest.mark.parametrize("file", usual(
    ["build.ninja", "meson-private/coredata.dat", "meson-private/build.dat"],
    "meson-private/build.dat"))
def test_a_setup_that_lacks_a_file(tree, file):
    """It says that it sets up again."""
    dev(tree, "build")
    (tree / "build" / file).unlink()
    done = dev(tree, "build")
    assert "build was not set up completely" in done.stdout
    assert "ninja built" in done.stdout and done.returncode == 0


def test_a_complete_setup_stays(tree):
    dev(tree, "build")
    (tree / "build" / "mine").write_text("")
    assert "set up" not in dev(tree, "build").stdout
    assert (tree / "build" / "mine").exists()


def test_a_source_that_is_read_only(tree):
    """Without SDTKIT_BUILD, one line says what to do; with it, it builds."""
    if os.geteuid() != 0:
        pytest.skip("needs another user")
    done = dev(tree, "build", user=65534)
    assert done.stderr == ("dev: cannot write to %s/build: set SDTKIT_BUILD to "
                           "a directory to build in\n" % tree)
    assert done.returncode == 1
    (tree.parent / "out").mkdir()
    os.chown(tree.parent / "out", 65534, 65534)
    done = dev(tree, "build", user=65534, TMPDIR=str(tree.parent / "out"),
               SDTKIT_BUILD=str(tree.parent / "out" / "b"))
    assert done.returncode == 0, done.stderr


def test_cdpath(tree):
    """It misleads neither dev nor what dev runs."""
    decoy = tree.parent / "decoy"
    (decoy / tree.name).mkdir(parents=True)
    done = dev(tree, "tree/dev", "demo", command="bash", cwd=tree.parent,
               CDPATH=str(decoy))
    assert "ninja built %s/build\n" % tree in done.stdout
    assert "the demo runs, CDPATH is ''" in done.stdout
    assert not (decoy / tree.name / "build").exists()


def test_called_through_a_link(tree):
    folder = tree.parent / "elsewhere"
    folder.mkdir()
    (folder / "dev").symlink_to(tree / "dev")
    done = dev(tree, "build", command=folder / "dev", cwd=folder)
    assert "ninja built %s/build\n" % tree in done.stdout, done.stderr
    assert [path.name for path in folder.iterdir()] == ["dev"]


def test_demo_says_that_it_builds(tree):
    lines = dev(tree, "demo").stdout.split("\n== ")
    assert lines[1].startswith("setting up build")
    assert lines[2].startswith("building in build")


@pytest.mark.parametrize("signum", usual(
    [signal.SIGTERM, signal.SIGINT], signal.SIGINT))
def test_ended_while_it_builds(tree, signum):
    """At once, and the build ends with it."""
    started = tree.parent / "started"
    process = subprocess.Popen(
        [tree / "dev", "demo"], env=environment(tree, SLOW=str(started)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not (started.exists() and started.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signum)
    # the build would go on for longer than that
    assert process.wait(300) == 128 + signum
    # init takes what has ended when it comes to that
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(int(started.read_text()), 0)
            time.sleep(0.05)


ENDS = """#!/bin/sh
[ $1 != introspect ] || { echo "[]"; exit; }
trap 'echo ended >"$TESTING.ended"; exit 1' TERM
echo $$ >"$TESTING"
while :; do sleep 0.1; done
"""


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_ended_while_it_tests(tree, source, signum):
    """meson is told, and can end the suites."""
    program(tree.parent / "bin" / "meson-test", ENDS)
    program(tree.parent / "bin" / "meson", MESON.replace(
        "for word", "case $1 in setup) ;; *) exec meson-test \"$@\" ;; esac\n"
        "for word", 1))
    for path in (source / "tests").glob("*.py"):
        shutil.copy(path, tree / "tests")
    started, ended = tree.parent / "started", tree.parent / "started.ended"
    process = subprocess.Popen(
        [tree / "dev", "--no-install", "test"],
        env=environment(tree, TESTING=str(started)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not (started.exists() and started.read_text().endswith("\n")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    process.send_signal(signum)
    assert process.wait(300) == 128 + signum
    assert ended.read_text() == "ended\n"


SAYS = "#!/bin/sh\necho \"%s $*\"\n"


def test_services(tree):
    """Their packages, and only these, are installed by a program that starts
    none of them; then no test may skip because one is missing."""
    missing = DPKG + "exit 1\n"
    missing = missing.replace("\nprintf", "\nfor one; do case $one in "
                              "prometheus|gdb) ;; *) printf").replace(
        '"$@"', '"$one" ;; esac; done')
    for name, text in ("dpkg-query", missing), ("apt-get", SAYS % "apt-get"), \
            ("sudo", "#!/bin/sh\nexec \"$@\"\n"):
        program(tree.parent / "bin" / name, text)
    program(tree / "tests" / "services" / "install", SAYS % "install")
    program(tree / "tests" / "run.py", "import os\n"
            "print('required:', os.environ['SDTKIT_REQUIRE_SERVICES'])\n")
    program(tree / "tests" / "count.py", "")
    done = dev(tree, "test", "--services")
    assert (done.stderr, done.returncode) == ("", 0)
    lines = done.stdout.splitlines()
    assert [line for line in lines if "install" in line.split()[:2]] == [
        "apt-get install -y -q --no-install-recommends gdb",
        "install prometheus"]
    assert "required: 1" in lines


@pytest.mark.parametrize("options, expected", [
    ([], ["runs build", "required None None"]),
    (["--packaging"], ["runs build --setup packaging", "required 1 None"]),
    (["--kernels"], ["runs build --setup kernels", "required None 1"]),
    (["--packaging", "--kernels"], ["runs build --setup all",
                                    "required 1 1"]),
    (["top", "demo"], ["runs build --suite=top --suite=demo",
                       "required None None"]),
    (["--kernels", "top"], ["runs build --setup kernels --suite=top",
                            "required None 1"]),
])
def test_opt_in(tree, options, expected):
    """Its tests run only if they were asked for, and then none may skip."""
    for room in "top", "demo":
        (tree / "tests" / room).mkdir()
        (tree / "tests" / room / "test_it.py").write_text("")
    program(tree / "tests" / "run.py", "import os, sys\n"
            "print('runs', *sys.argv[1:])\n"
            "print('required', *(os.environ.get('SDTKIT_REQUIRE_' + name)"
            " for name in ('PACKAGING', 'KERNELS')))\n")
    program(tree / "tests" / "count.py", "")
    done = dev(tree, "test", *options)
    assert (done.stderr, done.returncode) == ("", 0)
    assert [line for line in done.stdout.splitlines()
            if line.startswith(("runs", "required"))] == expected


def test_server(tree):
    """Those that are named, and no other word."""
    program(tree / "examples" / "servers" / "run.py",
            "import sys\nprint('runs', *sys.argv[1:])\n")
    done = dev(tree, "server", "redis", "mosquitto")
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("runs redis\nruns mosquitto\n")
    for words in (["server"], ["redis"], ["server", "nginx"],
                  ["redis", "server"]):
        assert dev(tree, *words).returncode == 2, words


@pytest.fixture
def tested(tree, source):
    """A tree of which ./dev test counts the tests."""
    (tree.parent / "bin" / "meson").rename(tree.parent / "bin" / "meson-setup")
    program(tree.parent / "bin" / "meson", TESTING)
    for name in ("run.py", "cost.py", "count.py", "opt_in.py",
                 "programs.py"):
        shutil.copy(source / "tests" / name, tree / "tests")
    return tree


@pytest.mark.parametrize("option, log", [
    (None, "testlog"), ("--kernels", "testlog-kernels"),
    ("--packaging", "testlog-packaging")])
def test_the_tests_of_this_run_are_counted(tested, option, log):
    """Not those of an earlier run with other options."""
    logs = tested / "build" / "meson-logs"
    logs.mkdir(parents=True)
    for name in "testlog", "testlog-kernels", "testlog-packaging":
        (logs / (name + ".junit.xml")).write_text("<testsuites/>")
    words = ["test", *([option] if option else [])]
    done = dev(tested, *words)
    assert done.stdout.endswith("1 passed, 0 failed, 0 skipped\n"), done.stderr
    assert "log: build/meson-logs/%s.txt\n" % log in done.stdout
    done = dev(tested, *words, FAIL="1")
    assert done.returncode == 1
    assert done.stderr.endswith(
        "count.py: meson has written no build/meson-logs/%s.junit.xml\n" % log)
