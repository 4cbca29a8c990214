# SPDX-License-Identifier: BSD-2-Clause
"""examples/ci: the workflows are YAML as yamllint wants it, and their shell
blocks do what they say, in examples/hello; the test programs work in meson,
CTest, automake and autopkgtest. tests/packaging/test_ci.py installs sdtkit as
the workflows do."""

import os
import re
import shutil
import subprocess

import ci_tool
import pytest

from programs import which

SHOP = ["plain.c", "shop.c", "shop.h", "shop_probes.d"]
PROGRAMS = ["sdtkit-check-test", "sdtkit-hits-test"]


@pytest.fixture(params=sorted(ci_tool.FILES))
def workflow(request, source, unavailable):
    if not which("yamllint"):       # and Python's yaml with it
        unavailable("yamllint is not installed")
    return ci_tool.load(source, request.param)


@pytest.fixture
def hello(source, tmp_path):
    if not which("git"):
        pytest.skip("git is not installed")
    return ci_tool.project(source, tmp_path / "hello")


def test_yamllint(source):
    if not which("yamllint"):
        pytest.skip("yamllint is not installed")
    done = subprocess.run(
        ["yamllint", "--strict", "-d", "default"] +
        [str(source / "examples" / "ci" / name)
         for name in ci_tool.FILES.values()], text=True,
        stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stdout


def blocks(workflow, hello, installed, tmp_path, **more):
    """Runs all but those that install; {kind: its result}."""
    variables, scripts = workflow
    release = tmp_path / "runner"
    release.mkdir()
    return {kind: ci_tool.run(script, hello, installed, dict(
        variables, RUNNER_TEMP=str(release)), **more)
        for kind, script in scripts if kind not in ("packages", "install")}


def test_all_blocks_are_known(workflow):
    assert [kind for kind, _ in workflow[1] if kind != "packages"] == [
        "install", "build", "check", "header", "diff"]


def test_a_good_project(workflow, hello, installed, tmp_path):
    header = "hello_standalone.h"
    subprocess.run(["probegen", "--emit", "standalone", "hello_probes.d", "-o",
                    header], cwd=hello, env=installed, check=True)
    done = blocks(workflow, hello, installed, tmp_path, HEADER=header)
    for result in done.values():
        assert result.returncode == 0, result.stdout
    assert "2 probes, 2 sites: good" in done["check"].stdout
    assert "no difference in 2 probes" in done["diff"].stdout


def test_no_release_yet(workflow, hello, installed, tmp_path):
    ci_tool.git(hello, "tag", "-d", "v1")
    done = blocks(workflow, hello, installed, tmp_path)
    assert done["diff"].returncode == 0
    assert "there is no release yet" in done["diff"].stdout


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_probe_that_was_lost(workflow, hello, installed, tmp_path):
    edit(hello / "hello.c", "HELLO_GREETED(count, written);", "(void)written;")
    done = blocks(workflow, hello, installed, tmp_path)
    assert {kind for kind, result in done.items() if result.returncode} == \
        {"check", "diff"}
    assert "MISSING_PROBE" in done["check"].stdout
    assert "breaking REMOVED: hello:greeted" in done["diff"].stdout


def test_a_header_that_is_not_current(workflow, hello, installed, tmp_path):
    (hello / "old.h").write_text("")
    done = blocks(workflow, hello, installed, tmp_path, HEADER="old.h")
    assert {kind for kind, result in done.items() if result.returncode} == \
        {"header"}


def test_a_type_that_was_changed(workflow, hello, installed, tmp_path):
    edit(hello / "hello_probes.d", "int written);", "short written);")
    done = blocks(workflow, hello, installed, tmp_path)
    assert {kind for kind, result in done.items() if result.returncode} == \
        {"diff"}
    assert "breaking ARGUMENT_TYPE" in done["diff"].stdout


@pytest.fixture
def shop(source, tmp_path):
    return lay_out(source, tmp_path / "the shop")


@pytest.fixture(scope="module")
def built(source, installed, tmp_path_factory):
    """One that meson has built."""
    folder = lay_out(source, tmp_path_factory.mktemp("built") / "the shop")
    make([["meson", "setup", "build"], ["ninja", "-C", "build"]], folder,
         installed)
    return folder


def lay_out(source, folder):
    """A project of the files in examples/tap, with those of examples/ci and
    the test programs, in a path with a blank."""
    shutil.copytree(source / "examples" / "ci", folder)
    for name in SHOP:
        shutil.copy(source / "examples" / "tap" / name, folder)
    for name in PROGRAMS:
        shutil.copy(source / "lib" / "build" / name, folder)
    return folder


def test_the_commands_of_the_page(source, installed, tmp_path):
    """They are run as they stand, but not in /tmp and not in the source, and
    on a busy machine the tests may take longer than meson's 30 s."""
    page = (source / "examples" / "ci" / "README.md").read_text()
    (block,) = re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)
    for name in "ci", "tap":
        shutil.copytree(source / "examples" / name, tmp_path / name)
    done = subprocess.run(
        ["sh", "-ec", block.replace("/tmp/shop", str(tmp_path / "shop"))
         .replace("meson test ", "meson test -t 10 ")],
        cwd=tmp_path / "ci", env=installed, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    assert re.search(r"Ok: +3\b", done.stdout), done.stdout


def make(commands, folder, environment, **more):
    """Runs commands; the last of them are tests, whose output it returns."""
    for command in commands:
        done = subprocess.run(
            command, cwd=folder, env=dict(environment, **more), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if command is not commands[-1]:
            assert done.returncode == 0, done.stdout
    return done


# build system -> (commands, what they print where all is well, what they print
# where sdtkit is not installed)
SYSTEMS = {
    "meson": ([["meson", "setup", "build"],
               ["meson", "test", "-C", "build", "-t", "10",
                "--print-errorlogs"]],
              r"Ok: +3\b", r"Skipped: +2\b"),
    "cmake": ([["cmake", "-S", ".", "-B", "build"],
               ["cmake", "--build", "build"],
               ["ctest", "--test-dir", "build", "--output-on-failure"]],
              r"100% tests passed, 0 tests failed out of 3",
              r"check \(Skipped\)\n\s+3 - hits \(Skipped\)"),
    "automake": ([["autoreconf", "-i"], ["./configure", "-q"],
                  ["make", "check"]],
                 r"# PASS: +3\b", r"# SKIP: +2\b"),
}


@pytest.fixture(params=sorted(SYSTEMS))
def system(request):
    commands, good, left_out = SYSTEMS[request.param]
    for command in commands:
        if not command[0].startswith(".") and not which(command[0]):
            pytest.skip("%s is not installed" % command[0])
    return request.param, commands, good, left_out


def test_build_systems(system, shop, installed, tmp_path):
    """Where all is well, without sdtkit, and with a probe that was lost."""
    name, commands, good, left_out = system
    if name == "automake":      # which refuses blanks in its own path
        shop = shop.rename(tmp_path / "shop")
    done = make(commands, shop, installed)
    assert done.returncode == 0, done.stdout
    assert re.search(good, done.stdout), done.stdout
    done = make(commands[-1:], shop, installed, SDTKIT="/none/sdtkit")
    assert done.returncode == 0, done.stdout
    assert re.search(left_out, done.stdout), done.stdout
    edit(shop / "shop.c", "SHOP_REFUSED(id, -ENOENT);", "")
    done = make(commands[1:], shop, installed)
    assert done.returncode != 0
    logs = done.stdout + "".join(
        path.read_text() for path in shop.glob("*.log"))
    assert "MISSING_PROBE" in logs


def test_autopkgtest(built, installed):
    """Its script, with a program in place of the installed one."""
    shop = built
    tests = shop / "debian" / "tests"
    shutil.copytree(shop / "autopkgtest", tests)

    def run(**more):
        return subprocess.run(
            [tests / "probes"], cwd=shop, text=True, stdout=subprocess.PIPE,
            env=dict(installed, PROGRAM=str(shop / "build" / "plain"), **more))

    assert run().returncode == 0
    assert run(SDTKIT="/none/sdtkit").returncode == 77
    assert run(SDTKIT="/none/sdtkit", SDTKIT_REQUIRED="1").returncode == 1
    control = (tests / "control").read_text()
    assert "Tests: probes\n" in control and "skippable" in control


def hits(shop, installed, *words):
    return subprocess.run(
        ["./sdtkit-hits-test", *words], cwd=shop, env=installed, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def test_hits_names_probes_that_have_not_fired(built, installed):
    shop = built
    plain = "build/plain"
    done = hits(shop, installed, plain, "--", "true")
    assert done.returncode == 1
    assert done.stdout.endswith(
        "shop:order has not fired\nshop:refused has not fired\n")
    assert hits(shop, installed, plain, "--", plain).returncode == 0
    assert hits(shop, installed, plain, "shop:*", "!shop:refused", "--",
                plain).returncode == 0
    done = hits(shop, installed, plain, "--", "sh", "-c", plain + "; exit 3")
    assert done.returncode == 1
    assert "the command has ended with status 3" in done.stdout
    for words in ([], [plain], ["--", "true"], [plain, "--"],
                  [plain, "no:probe", "--", "true"]):
        assert hits(shop, installed, *words).returncode == 99, words
    done = hits(shop, installed, plain, "--", "sh", "-c", "exit 77")
    assert done.returncode == 77


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_posix(source, name):
    """dash and bash read them; `os` in the environment changes nothing."""
    text = (source / "lib" / "build" / name)
    assert os.access(text, os.X_OK)
    for shell in ("dash", "bash"):
        subprocess.run([shell, "-n", text], check=True)
