# SPDX-License-Identifier: BSD-2-Clause
"""What builds do with a `dtrace`: every option that they pass, the variables
that they set, the sed scripts that they run over the header, and how they are
interrupted. probegen runs here under that name."""

import os
import re
import signal
import subprocess
import time

import pytest

from opt_in import usual
from dropin_tool import (       # noqa: F401  (fixtures are used by name)
    PROVIDER, SYSTEMTAP, dtrace, gcc, good, need, notes, folder, semaphores,
    user)
from programs import has_sys_sdt


# ------------------------------------------------------------------- options

@pytest.mark.parametrize("line", [
    "-h -s shop.d -o out.h", "-o out.h -s shop.d -h", "-s shop.d -h -oout.h",
    "-sshop.d -o out.h -h", "-C -h -s shop.d -o out.h",
    "-x nolibs -h -s shop.d -o out.h", "-xnolibs -h -s shop.d -o out.h",
    "-64 -h -s shop.d -o out.h", "-32 -h -s shop.d -o out.h",
    "-m64 -m32 -h -s shop.d -o out.h", "-fPIC -fpic -h -s shop.d -o out.h",
    "-k -q -v -Z -h -s shop.d -o out.h", "-g -O2 -s shop.d -o out.h -h",
    "--types --no-pyparsing -h -s shop.d -o out.h",
    "-I. -I inc -DX -D Y=1 -UZ -U W -h -s shop.d -o out.h",
    "-o out.h -xnolibs -C -I. -D_GNU_SOURCE -32 -s shop.d -h"])
def test_options(folder, line):
    assert good(folder, line) == ""
    made = (folder / "out.h").read_text()
    good(folder, "-h -s shop.d -o plain.h")
    assert made == (folder / "plain.h").read_text()
    assert sorted(os.listdir(folder)) == ["out.h", "plain.h", "shop.d"]


@pytest.mark.parametrize("line", [
    "-G -s shop.d -o out.o", "-G -s shop.d -o out.o a.o b.o c.lo",
    "-G a.o -s shop.d b.o -o out.o c.o", "a.o -s shop.d -o out.o -G",
    "-64 -xnolibs -fPIC -k -C -G -o out.o -s shop.d gone/a.o"])
def test_options_of_an_object(folder, line):
    """The objects do not exist, and probegen does not make them."""
    assert good(folder, line) == ""
    assert sorted(os.listdir(folder)) == ["out.o", "shop.d"]
    assert "shop_closed_semaphore" in gcc(folder, "out.o", "nm")


def test_objects_are_left_alone(folder):
    (folder / "a.o").write_bytes(b"not an object\0")
    before = os.stat(folder / "a.o")
    good(folder, "-G -s shop.d -o out.o a.o")
    assert os.stat(folder / "a.o") == before


def test_version(folder):
    assert re.match(r"probegen \(sdtkit\) [0-9.]+\n$", good(folder, "-V"))


def test_output_without_o(folder):
    """It has the base name of the description, and is in the current
    directory."""
    (folder / "sub").mkdir()
    for mode in "-h", "-G":
        subprocess.run(["dtrace", mode, "-s", "../shop.d"], cwd=folder / "sub",
                       check=True)
    assert sorted(os.listdir(folder / "sub")) == ["shop.h", "shop.o"]
    assert sorted(os.listdir(folder)) == ["shop.d", "sub"]


def test_standard_streams(folder):
    header = good(folder, "-h -s shop.d -o -")
    assert "#define SHOP_ORDER_PLACED(arg1, arg2)" in header
    result = subprocess.run(["dtrace", "-h", "-s", "-", "-o", "-"], cwd=folder,
                            input=PROVIDER, stdout=subprocess.PIPE,
                            universal_newlines=True, check=True)
    assert result.stdout.replace("<stdin>", "shop.d") == header


@pytest.mark.parametrize("line", [
    "", "-s shop.d", "-h", "-G", "-h -G -s shop.d", "-h -s", "-h -s shop.d -y"])
def test_bad_command_line(folder, line):
    result = dtrace(folder, line)
    assert result.returncode == 2 and result.stderr.startswith("dtrace: ")
    assert os.listdir(folder) == ["shop.d"]


# ------------------------------------------------- what configure scripts try

@pytest.mark.parametrize("text", [
    "BEGIN{}", "BEGIN{}\n", "", "\n", "provider none {};", "provider none { }",
    "/* nothing */", "#pragma D depends_on library procfs.d\n",
    "provider x { probe y(); };\n\nBEGIN { exit(0); }\n"])
def test_little_input(folder, text):
    (folder / "little.d").write_text(text)
    good(folder, "-G -s little.d")
    gcc(folder, "-shared little.o -o little.so")
    good(folder, "-h -s little.d")
    gcc(folder, "-fsyntax-only -Wall -Werror -include little.h -xc /dev/null")


def test_lines_for_the_preprocessor_are_passed_over(folder):
    """Without -C, their contents do not matter."""
    (folder / "directives.d").write_text(
        '#include "no/such/file.h"\n  #  if provider {\n\t#define probe x(\n'
        "provider shop {\n#ifdef NEVER\n\tprobe order(int id);\n  #endif\n"
        "#error not this time\n};\n")
    good(folder, "-h -s directives.d")
    assert "#define SHOP_ORDER(arg1)" in (folder / "directives.h").read_text()


def test_two_arguments_of_one_name(folder):
    """The test of systemtap's own script has such a probe."""
    (folder / "same.d").write_text(
        "provider same { probe order(int x, char *name, int x); };\n")
    good(folder, "-h -s same.d")
    good(folder, "-G -s same.d")
    assert "/* SAME_ORDER (int x, char *name, int x) */\n" in (
        folder / "same.h").read_text()
    gcc(folder, "-Wall -Werror -include same.h -fsyntax-only -xc /dev/null")
    for options in "--strict -h", "--emit header":
        result = dtrace(folder, options + " -s same.d")
        assert "DUPLICATE_ARGUMENT: two arguments have the name 'x'" in (
            result.stderr)


@pytest.mark.parametrize("line,said", [
    ("-h -s shop.d extra", "dtrace: unexpected 'extra'"),
    ("-h -s long.d", "long.d:2:8: error NAME_TOO_LONG: the name of this "
     "probe has 64 characters"), ("-G -s long.d", "NAME_TOO_LONG")])
def test_taken_by_systemtap_only(folder, line, said):
    """docs/porting.md explains these cases and quotes the messages."""
    (folder / "long.d").write_text("provider x {\n\tprobe %s();\n};\n" % (
        "p" * 64))
    result = dtrace(folder, line)
    assert said in result.stderr and result.returncode in (1, 2)
    assert sorted(os.listdir(folder)) == ["long.d", "shop.d"]


# --------------------------------------------------------------- preprocessor

def test_preprocessor_sees_options_and_headers(folder):
    """The description has a directory called provider, D's back-quoted types,
    the typedefs and inline functions of system headers, and declarations
    around the provider."""
    (folder / "provider x").mkdir()
    (folder / "provider x/types.h").write_text(
        "#include <stdlib.h>\n#include <sys/socket.h>\n#include <pthread.h>\n"
        "typedef struct node { int id; } node_t;\n")
    (folder / "in.d").write_text(
        '#include "types.h"\n#ifdef WITH\nstruct other { char c[N]; };\n'
        "provider shop {\n\tprobe order(node_t *n, genunix`vnode_t *v,\n"
        "\t\tstruct other *o, socklen_t len);\n};\n#endif\n"
        "#ifdef WITHOUT\nprovider no { probe no(); };\n#endif\n")
    good(folder, '-C "-Iprovider x" -DWITH -D N=8 -DWITHOUT -U WITHOUT -h '
         "-s in.d -o out.h")
    text = (folder / "out.h").read_text()
    assert re.findall(r"^#define ([A-Z]+_[A-Z]+)\(", text, re.M) == [
        "SHOP_ORDER"]


@pytest.mark.parametrize("cpp", [
    "cpp", "gcc -E", "cpp -P", "clang -E", "'cpp' -DSPARE=\"a b\""])
def test_preprocessor_of_the_environment(folder, cpp):
    (folder / "in.d").write_text(
        "#define NAME shop\nprovider NAME { probe NAME(); };\n")
    assert "SHOP_SHOP" in good(folder, "-C -h -s in.d -o -", CPP=cpp)


def test_failed_preprocessor_leaves_nothing(folder):
    (folder / "in.d").write_text('#include "none.h"\n' + PROVIDER)
    for mode in "-h", "-G":
        result = dtrace(folder, "-C %s -s in.d" % mode)
        assert result.returncode == 1
        assert "error CPP_FAILED: 'cpp " in result.stderr
    assert sorted(os.listdir(folder)) == ["in.d", "shop.d"]
    assert os.listdir(folder.parent / "tmp") == []


@pytest.mark.parametrize("variable,mode", [("CPP", "-C -h"), ("CC", "-G")])
def test_program_that_is_not_there(folder, variable, mode):
    result = dtrace(folder, mode + " -s shop.d", **{variable: "/no/such -x"})
    assert result.returncode == 1
    assert "error %s_FAILED: cannot run '/no/such': No such file" % (
        variable) in result.stderr


@pytest.mark.parametrize("variable,mode", [
    ("CPP", "-C -h"), ("CC", "-G"), ("CFLAGS", "-G")])
def test_quote_that_does_not_end(folder, variable, mode):
    result = dtrace(folder, mode + " -s shop.d", **{variable: "-DX='a"})
    assert result.returncode == 1
    assert "_FAILED: No closing quotation" in result.stderr


def test_fault_in_an_included_file_has_its_position(folder):
    (folder / "probes.h").write_text("\n\n\tprobe order(int id,,);\n")
    (folder / "in.d").write_text(
        'provider shop {\n#include "probes.h"\n\tprobe ok();\n'
        "\tprobe bad(;\n};\n")
    result = dtrace(folder, "-C -h -s in.d")
    assert result.returncode == 1
    positions = re.findall(r"^(\S+): error", result.stderr, re.M)
    assert positions == ["probes.h:3:21", "in.d:4:12"]


# --------------------------------------------------------------- -G: compiler

@pytest.mark.parametrize("flags", usual([
    "-pie -fPIE", "-no-pie", "-shared -fPIC", "-O2 -flto", "-fuse-ld=lld",
    "-O2 -Wl,--gc-sections -ffunction-sections -fdata-sections"],
    "-shared -fPIC", "-O2 -flto"))
def test_object_links(user, flags):
    gcc(user, "main.c shop.o -o program " + flags)
    semaphores(user, "program")
    found = notes(user, "program")
    assert sorted(name for name, _ in found) == ["closed", "order__placed"]
    assert len({address for _, address in found}) == 2
    assert all(int(address, 16) for _, address in found)


@pytest.mark.parametrize("order", ["shop.o theirs.o", "theirs.o shop.o"])
def test_object_links_with_that_of_systemtap(user, order, unavailable):
    """The definition of systemtap's object takes precedence."""
    need(unavailable, SYSTEMTAP)
    gcc(user, "-G -s shop.d -o theirs.o", SYSTEMTAP)
    gcc(user, "main.c -o program " + order)
    assert set(semaphores(user, "program").values()) <= set("dDbB")
    gcc(user, "-r %s -o both.o" % order, "ld")
    semaphores(user, "both.o")


def test_header_of_systemtap_with_our_object(user, unavailable):
    need(unavailable, SYSTEMTAP)
    gcc(user, "-h -s shop.d -o shop.h", SYSTEMTAP)
    gcc(user, "main.c -o program shop.o")
    semaphores(user, "program")


def test_sdt_included_first_without_semaphores(user, unavailable):
    """With the header of systemtap, the notes name no semaphore, and the program
    still links without the object."""
    if not has_sys_sdt():
        unavailable("<sys/sdt.h> of systemtap-sdt-dev is not installed")
    gcc(user, "-DSDT_FIRST main.c -o program")
    assert {int(address, 16) for _, address in notes(user, "program")} == {0}


def visibility(folder, binary):
    return set(re.findall(r"(\w+) +\S+ +shop_\w+_semaphore",
                          gcc(folder, "-sW " + binary, "readelf")))


def test_visibility(user):
    assert visibility(user, "shop.o") == {"HIDDEN"}
    good(user, "-G -s shop.d", CFLAGS="-O2 -DSTAP_SDT_V2")
    assert visibility(user, "shop.o") == {"DEFAULT"}
    good(user, "-G -s shop.d")
    good(user, "-DSTAP_SDT_V2 -G -s shop.d")
    assert visibility(user, "shop.o") == {"DEFAULT"}


def test_compiler_of_several_words_decides_the_target(folder, unavailable):
    need(unavailable, "aarch64-linux-gnu-gcc")
    good(folder, "-G -s shop.d",
         CC="env X=1 aarch64-linux-gnu-gcc -mcmodel=tiny",
         CFLAGS="-O2 -g \\\n -Wall -Werror")
    assert "AArch64" in gcc(folder, "-h shop.o", "readelf")


@pytest.mark.parametrize("flags", [
    "-flto", "-O3 -flto -ffat-lto-objects", "-std=c89 -pedantic-errors",
    "-ansi -Wall -Wextra -Werror", "-x c++", "-m32", "-g3 -fsanitize=address"])
def test_flags_of_the_build(folder, flags):
    good(folder, "-G -s shop.d", CFLAGS=flags)
    semaphores(folder, "shop.o")


def test_failed_compiler_leaves_nothing(folder):
    result = dtrace(folder, "-G -s shop.d", CFLAGS="-fno-such-flag")
    assert result.returncode == 1 and "error CC_FAILED" in result.stderr
    assert os.listdir(folder) == ["shop.d"]
    assert os.listdir(folder.parent / "tmp") == []


# -------------------------------------------------- outputs, once and at once

@pytest.mark.parametrize("mode,name", [("-h", "shop.h"), ("-G", "shop.o")])
def test_same_output_is_not_touched(folder, mode, name):
    good(folder, mode + " -s shop.d")
    os.utime(folder / name, (1, 1))
    before = os.stat(folder / name)
    good(folder, mode + " -s shop.d")
    after = os.stat(folder / name)
    assert (after.st_ino, after.st_mtime) == (before.st_ino, 1)
    assert after.st_ctime == before.st_ctime
    good(folder, mode + " --always -s shop.d")
    assert os.stat(folder / name).st_mtime > 1
    os.utime(folder / name, (1, 1))
    (folder / "shop.d").write_text(PROVIDER.replace("closed", "shut"))
    good(folder, mode + " -s shop.d")
    assert os.stat(folder / name).st_mtime > 1


@pytest.mark.parametrize("mode,name", [("-C -h", "shop.h"), ("-G", "shop.o")])
def test_fifty_at_once(folder, mode, name):
    good(folder, mode + " -s shop.d")
    expected = (folder / name).read_bytes()
    os.unlink(folder / name)
    runs = [subprocess.Popen(["dtrace"] + mode.split() + ["-s", "shop.d"],
                             cwd=folder) for _ in range(50)]
    assert {process.wait() for process in runs} == {0}
    assert (folder / name).read_bytes() == expected
    assert sorted(os.listdir(folder)) == ["shop.d", name]
    assert os.listdir(folder.parent / "tmp") == []


SLOW = """\
#!/bin/sh
trap 'rm -f "$TMPDIR/of-the-compiler"; exit 1' TERM
: > "$TMPDIR/of-the-compiler"
: > "$TMPDIR/../started"
while :; do sleep 0.05; done
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT,
                                    signal.SIGHUP])
@pytest.mark.parametrize("variable,mode,name", [
    ("CPP", "-C -h", "shop.h"), ("CC", "-G", "shop.o")])
def test_killed_while_a_program_runs(folder, number, variable, mode, name):
    """No temporary file is left, neither probegen's nor the program's, and the
    old output is still there."""
    slow = folder.parent / "bin/slow"
    slow.write_text(SLOW)
    slow.chmod(0o755)
    (folder / name).write_text("old\n")
    process = subprocess.Popen(
        ["dtrace"] + mode.split() + ["-s", "shop.d"], cwd=folder,
        env=dict(os.environ, **{variable: str(slow)}))
    deadline = time.monotonic() + 300
    while not (folder.parent / "started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(300) == 128 + number
    assert sorted(os.listdir(folder)) == ["shop.d", name]
    assert (folder / name).read_text() == "old\n"
    assert os.listdir(folder.parent / "tmp") == []
