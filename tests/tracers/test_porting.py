# SPDX-License-Identifier: BSD-2-Clause
"""docs/porting.md, "Scripts": what a script for the drop-in header meets after
the move to the native one, and what bcc does with semaphores."""

import contextlib
import os
import re
import subprocess

import pytest

from programs import has_sys_sdt
from tracers import bcc, run
from . import builds

TEXT = (builds.SOURCE / "docs" / "porting.md").read_text()
SCRIPT, = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)
ASKED = 'usdt.get_probe_arg_ctype("order__placed", 1)'
PROVIDER = "provider shop { probe order__placed(char *who, int account); };\n"
SERVER = """\
#include <stdio.h>
#include <unistd.h>
#include "shop.h"
extern void library_orders(void);
int main(void)
{
	volatile int account = -7;
	puts("ready");
	fflush(stdout);
	for (;;) {
		SHOP_ORDER_PLACED("me", account);
#ifdef WITH_LIBRARY
		library_orders();
#endif
		usleep(10000);
	}
}
"""
LIBRARY = """\
#include "shop.h"
extern void library_orders(void);
void library_orders(void) { SHOP_ORDER_PLACED("it", 11); }
"""
# one BPF for each file
SEVERAL = """\
import sys
from bcc import BPF, USDT

usdts = [USDT(pid=int(sys.argv[1]), path=path) for path in sys.argv[2:]] or [
    USDT(pid=int(sys.argv[1]))]
for usdt in usdts:
    usdt.enable_probe(probe="order__placed", fn_name="placed")
bpfs = [BPF(text='''
BPF_HASH(hits, u32);
int placed(struct pt_regs *ctx)
{
	u32 key = 0;

	hits.increment(key);
	return 0;
}
''', usdt_contexts=[usdt]) for usdt in usdts]
print("attached", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def has_bcc(need):
    need(bcc)


def make(folder, *options, name="server", flags=()):
    """Builds the program with the header that probegen makes with options."""
    (folder / "shop.d").write_text(PROVIDER)
    (folder / "server.c").write_text(SERVER)
    (folder / "library.c").write_text(LIBRARY)
    builds.must(folder, [builds.PYTHON, builds.SOURCE / "probegen", *options,
                         "-s", "shop.d", "-o", "shop.h"])
    builds.must(folder, ["gcc", "-O2", "-I.", "-I",
                         builds.SOURCE / "include", "server.c", *flags, "-o",
                         name])
    return folder / name


@contextlib.contextmanager
def running(program):
    """Its process, which has its libraries by then."""
    with subprocess.Popen([program], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("header", [["-h"], []], ids=["drop-in", "native"])
@pytest.mark.parametrize("ctype", ["asked", "int", "long"])
def test_script(tmp_path, header, ctype, unavailable):
    """The type is to be that of the note, and an `int` reads zeros."""
    if header and not has_sys_sdt():
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")
    text = SCRIPT
    if ctype != "asked":
        assert ASKED in text
        text = text.replace(ASKED, '"%s"' % ctype)
    (tmp_path / "orders.py").write_text(text)
    with running(make(tmp_path, *header)) as process:
        _, said = run([bcc.PYTHON, "-IB", tmp_path / "orders.py",
                       str(process.pid)], env=dict(os.environ,
                                                   **bcc.headers()))
    accounts = re.findall(r"^account (\d+): [1-9]\d* orders$", said, re.M)
    is_read = ctype == "asked" or ctype == ("int" if header else "long")
    assert accounts == [str(2 ** 64 - 7) if is_read else "0"], said


@pytest.mark.parametrize("paths,raised", [
    ([], [0, 1]), (["server", "library.so"], [1, 1])])
def test_semaphores_of_one_name(tmp_path, paths, raised):
    """One of the process; one for each file with a path each."""
    make(tmp_path)
    builds.must(tmp_path, ["gcc", "-O2", "-fPIC", "-shared", "-I.", "-I",
                           builds.SOURCE / "include", "library.c", "-o",
                           "library.so"])
    program = make(tmp_path, flags=["-DWITH_LIBRARY", tmp_path / "library.so"])
    (tmp_path / "several.py").write_text(SEVERAL)
    with running(program) as process:
        assert semaphores(process.pid) == [0, 0]
        with subprocess.Popen(
                [bcc.PYTHON, "-IB", tmp_path / "several.py",
                 str(process.pid)] + [tmp_path / path for path in paths],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env=dict(os.environ, **bcc.headers())) as tracer:
            assert tracer.stdout.readline() == b"attached\n"
            assert sorted(semaphores(process.pid)) == raised
            tracer.stdin.close()


def semaphores(pid):
    """The values of those that the process has, a file each."""
    sdtkit = os.path.join(os.environ["SDTKIT_BUILD"], "lib/tool/sdtkit")
    _, said = run([sdtkit, "list", "-p", str(pid), "shop:*"])
    return [int(value) for value in re.findall(
        r"^ +1 +(\d+) +shop:order__placed", said, re.M)]
