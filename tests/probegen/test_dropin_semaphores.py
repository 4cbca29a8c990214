# SPDX-License-Identifier: BSD-2-Clause
"""The semaphores of the drop-in header: an object file defines those that it
uses, a linked object has each once, and all that a build of `dtrace` does with
them goes on: the -G object, archives, -r, link-time optimisation,
DTRACE_PROBEn by hand, the visibility of older notes."""

import re

import pytest

from opt_in import usual
from dropin_tool import (       # noqa: F401  (fixtures are used by name)
    SYSTEMTAP, gcc, good, need, notes, folder, user)

MANY = 300      # probes; one file uses probe 1, the other one 2 and 3
MAIN = """\
#include "many.h"
extern int other(int raised);
int main(void)
{
	if (MANY_PROBE1_ENABLED() || other(0))
		return 1;
	many_probe1_semaphore = 1;
	MANY_PROBE1(7);
	return !MANY_PROBE1_ENABLED() || other(1) != 2;
}
"""
OTHER = """\
#include "many.h"
int other(int raised);
int other(int raised)
{
	int calls = 0;
	many_probe2_semaphore = (unsigned short) raised;
	MANY_PROBE2(calls++);
	if (MANY_PROBE3_ENABLED())
		MANY_PROBE3(calls);
	return calls + (MANY_PROBE1_ENABLED() != 0);
}
"""


@pytest.fixture
def many(user):
    """Returns a directory with two files that use three of many probes."""
    (user / "many.d").write_text("provider many {\n%s};\n" % "".join(
        "\tprobe probe%d(int n);\n" % i for i in range(MANY)))
    good(user, "-h -s many.d")
    good(user, "-G -s many.d")
    (user / "main.c").write_text(MAIN)
    (user / "other.c").write_text(OTHER)
    return user


def symbols(folder, path, ending="_semaphore"):
    """Returns a dict: name -> (type, binding, visibility, section), from
    readelf."""
    rows = [line.split() for line in gcc(folder, "-sW " + path,
                                         "readelf").split("\n")]
    return {row[7]: tuple(row[3:7]) for row in rows
            if len(row) == 8 and row[7].endswith(ending)}


def size_of_probes(folder, path):
    """Returns the size of all sections .probes."""
    return sum(int(size, 16) for size in re.findall(
        r"\.probes +PROGBITS +\w+ +\w+ +(\w+)",
        gcc(folder, "-SW " + path, "readelf")))


def test_objects_have_what_they_use(many):
    """An object file has only the semaphores that it uses, even if the header
    has many probes."""
    (many / "none.c").write_text('#include "many.h"\nint none;\n')
    gcc(many, "-O2 -c none.c main.c other.c")
    assert size_of_probes(many, "none.o") == 0
    assert symbols(many, "none.o") == {}
    assert size_of_probes(many, "other.o") == 6
    assert set(symbols(many, "other.o")) == {
        "many_probe%d_semaphore" % i for i in (1, 2, 3)}
    assert (many / "other.o").stat().st_size < 10000


def check_linked(folder, program, count=3):
    """Checks that a program works, and that each semaphore is there once, at
    the address that its notes have."""
    gcc(folder, "", "./" + program)
    assert size_of_probes(folder, program) == 2 * count
    found = notes(folder, program)
    assert {name for name, _ in found} == {"probe1", "probe2", "probe3"}
    rows = [line.split() for line in gcc(folder, program, "nm").split("\n")]
    addresses = {row[2]: int(row[0], 16) for row in rows if len(row) == 3}
    for name, address in found:
        assert addresses["many_%s_semaphore" % name] == int(address, 16)


COMPILERS = ["gcc -std=gnu89", "clang", "g++ -xc++", "clang++ -xc++"]
LINKERS = ["bfd", "gold", "lld", "mold"]
SHAPES = ["-O0", "-O2 -fPIE -pie", "-O2 -fno-pie -no-pie", "-O2 -static",
          "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections"]
# each shape with each linker, while the compilers take turns; and link-time
# optimisation, for which a plugin exists for these
BUILDS = [(COMPILERS[(i + j) % 4], linker, shape)
          for i, linker in enumerate(LINKERS)
          for j, shape in enumerate(SHAPES)] + [
    (compiler, "lld" if "clang" in compiler else "bfd", "-O3 -flto")
    for compiler in COMPILERS]


@pytest.mark.parametrize("compiler,linker,shape", usual(
    BUILDS, *(BUILDS[6 * i] for i in range(4)), BUILDS[4], BUILDS[-4]))
def test_linked(many, compiler, linker, shape, unavailable):
    program, *flags = compiler.split()
    need(unavailable, program, "ld." + linker)
    gcc(many, " ".join(["-Wall -Wextra -Werror", *flags, shape, "-fuse-ld=" +
                        linker, "main.c other.c -o program"]), program)
    check_linked(many, "program")


@pytest.mark.parametrize("linker", usual(["bfd", "gold", "lld"], "bfd"))
@pytest.mark.parametrize("order", ["many.o main.o other.o",
                                   "main.o other.o many.o"])
def test_linked_with_the_object(many, linker, order, unavailable):
    """The -G object has all semaphores, and none is there twice."""
    need(unavailable, "ld." + linker)
    gcc(many, "-O2 -c main.c other.c")
    gcc(many, "-fuse-ld=%s %s -o program" % (linker, order))
    check_linked(many, "program", MANY)
    gcc(many, "-r %s -o whole.o" % order, "ld." + linker)
    gcc(many, "-fuse-ld=%s whole.o -o program" % linker)
    check_linked(many, "program", MANY)


def test_object_in_an_archive(many, unavailable):
    """The linker takes it from the archive only for files that need a
    semaphore, and the definitions are hidden then."""
    need(unavailable, SYSTEMTAP)
    gcc(many, "-h -s many.d -o many.h", SYSTEMTAP)
    gcc(many, "rc libmany.a many.o", "ar")
    gcc(many, "main.c other.c libmany.a -o program")
    assert size_of_probes(many, "program") == 2 * MANY
    assert {row[2] for row in symbols(many, "program").values()} <= {
        "HIDDEN", "DEFAULT"}
    gcc(many, "-shared -fPIC main.c other.c libmany.a -o library.so")
    assert "many_probe" not in gcc(many, "-D library.so", "nm")


@pytest.mark.parametrize("version,visibility", [
    ("", "HIDDEN"), ("-DSTAP_SDT_V1", "DEFAULT"),
    ("-DSTAP_SDT_V2", "DEFAULT")])
def test_visibility_of_older_notes(many, version, visibility):
    """It is that of the -G object, whichever of the two is linked first."""
    good(many, "-G -s many.d", CFLAGS=version)
    gcc(many, "%s -O2 -fPIC -c main.c other.c" % version)
    for objects in ("main.o other.o", "many.o main.o other.o",
                    "main.o other.o many.o"):
        gcc(many, "-shared %s -o library.so" % objects)
        name = "probe1" if "V1" in version else "many_probe1"
        exported = name + "_semaphore" in gcc(many, "-D library.so", "nm")
        assert exported == (visibility == "DEFAULT")
        assert size_of_probes(many, "library.so") == (
            2 * MANY if "many.o" in objects else 6)
    assert {row[2] for row in symbols(many, "many.o").values()} == {
        visibility}
    assert {row[2] for row in symbols(many, "main.o").values()} == {
        visibility}
    gcc(many, version + " -O2 main.c other.c -o program")
    gcc(many, "", "./program")


@pytest.mark.parametrize("compiler", usual(
    ["gcc", "clang", "g++ -xc++"], "g++ -xc++"))
def test_probes_by_hand(many, compiler, unavailable):
    """DTRACE_PROBEn finds the semaphore of each probe that a header declares.
    For other providers the program has to define one, as always."""
    program, *flags = compiler.split()
    need(unavailable, program)
    (many / "main.c").write_text("""\
#include "shop.h"
#include "many.h"
extern unsigned short other_thing_semaphore;
unsigned short other_thing_semaphore __attribute__ ((section (".probes")));
int main(void)
{
	DTRACE_PROBE1(many, probe4, 1);
	STAP_PROBE(shop, closed);
	DTRACE_PROBE(other, thing);
	return 0;
}
""")
    gcc(many, " ".join(flags + ["-Wall -O2 main.c -o program"]), program)
    assert size_of_probes(many, "program") == 6
    assert all(int(address, 16) for _, address in notes(many, "program"))
    assert symbols(many, "program")["many_probe4_semaphore"][2] in (
        "HIDDEN", "DEFAULT")


def test_program_that_defines_its_semaphores(many):
    """Programs that use systemtap's header may define them in C, without -G.
    """
    (many / "semaphores.c").write_text(
        '#include "many.h"\n' + "".join(
            "unsigned short many_probe%d_semaphore;\n" % i
            for i in range(MANY)))
    gcc(many, "-O2 -Wall -Werror main.c other.c semaphores.c -o program")
    check_linked(many, "program", MANY + 3)


@pytest.mark.parametrize("text", ["provider none {};", "BEGIN{}", ""])
def test_object_of_nothing_is_iso_c(folder, text):
    (folder / "none.d").write_text(text)
    good(folder, "-G -s none.d", CFLAGS="-std=c89 -pedantic-errors -Werror")
    assert size_of_probes(folder, "none.o") == 0
