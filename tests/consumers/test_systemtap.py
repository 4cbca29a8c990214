# SPDX-License-Identifier: BSD-2-Clause
"""What SystemTap makes of the arguments, as far as that can be told without
its kernel module: `stap -p3` finds the probes, parses the operands and writes
C, in which an argument is fetched by a line such as

    l->__tmp3 = (((int64_t) (... ((int64_t)(uint64_t)((u_fetch_register(4)))))));

That must name the register of the note, with its whole width and its sign; or,
where the argument is on the stack, that register and a place. It needs the
headers of some kernel, not of the running one.
"""

import pathlib
import re

import pytest

import builds
import expect
from tracers import run
from programs import which

# DWARF's numbers: System V ABI for AMD64, figure 3.36
NUMBERS = dict({"r%d" % i: i for i in range(8, 16)},
               rax=0, rdx=1, rcx=2, rbx=3, rsi=4, rdi=5, rbp=6, rsp=7)
FETCHED = re.compile(r"\((u?int64_t)\)\(+u_fetch_register\((\d+)\)\)+;"
                     r"|(?:\*/u_fetch_register\((\d+)\)\)+ \+ .*?(\d+)LL)")


def kernel():
    """A build directory below /lib/modules, or None."""
    for path in sorted(pathlib.Path("/lib/modules").glob("*/build")):
        if (path / ".config").exists():
            return path
    return None


def fetched(code):
    """{probe: [what is fetched, ...]} of the C that stap wrote, in the order
    of the arguments: (type, register) or (register, offset)."""
    found = {}
    for body in re.split(r"\nstatic void probe_\d+ ", code)[1:]:
        named = re.search(r'"=(\w+)', body)
        if named:
            found[named[1]] = [tuple(part for part in row if part)
                               for row in FETCHED.findall(body)]
    return found


def meant(operand):
    """The same of an operand: -8@%rax, 8@16(%rsp)."""
    sign, offset, register = re.match(
        r"(-?)8@(\d*)\(?%(\w+)", operand).groups()
    number = str(NUMBERS[register])
    if offset:
        return number, offset
    return "int64_t" if sign else "uint64_t", number


@pytest.mark.parametrize("build", [
    dict(builds.PLAIN, compiler=compiler) for compiler in ("gcc", "clang++")],
    ids=builds.name)
def test_translation(build, tmp_path, unavailable):
    if not which("stap"):
        unavailable("stap is not installed (package systemtap)")
    if kernel() is None:
        unavailable("stap needs kernel headers (package linux-headers-amd64)")
    program = builds.make(tmp_path, build)
    wanted = expect.wanted(build["compiler"])
    script = "".join(
        'probe process("%s").provider("form").mark("%s") { '
        'printf("=%s%s\\n"%s) }\n' % (
            program.probes, probe, probe, " %d" * len(kinds),
            "".join(", $arg%d" % (i + 1) for i in range(len(kinds))))
        for probe, kinds in wanted.items())
    (tmp_path / "script.stp").write_text(script)
    status, code = run(["stap", "-r", kernel(), "-p3",
                        tmp_path / "script.stp"])
    assert status == 0, code
    translated = fetched(code)
    assert set(translated) == set(wanted)
    sites = program.operands()
    for probe, operands in sites:
        if [name for name, _ in sites].count(probe) == 1:
            assert translated[probe] == [meant(one) for one in operands], probe
