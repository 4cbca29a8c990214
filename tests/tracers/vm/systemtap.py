# SPDX-License-Identifier: BSD-2-Clause
"""SystemTap with its kernel module. stap compiles a script on the host, for
the guest's kernel; staprun loads the module in the guest. A program is found
by its path when the script is compiled, so it has the same one in both.

    module = compile("probe process(@1).mark(...) { ... }", folder, program)
    guest.run("staprun %s -c %s" % (module, program), folder)
"""

import functools
import itertools
import os
import pathlib
import re
import shutil
import threading

from tracers import run
from . import debian, guest
from programs import once, which

RUNTIME = pathlib.Path("/usr/share/systemtap/runtime")
LIMIT = 300                     # seconds for a module
_NUMBERS = itertools.count()    # a module's name is its own in the guest
_LOCK = threading.Lock()


@once
def lacks():
    for program in "stap", "staprun":
        if not which(program):
            return program + " is not installed (package systemtap)"
    return guest.lacks()


@functools.lru_cache(maxsize=None)
def version():
    return re.search(r"version ([\d.]+)", run(["stap", "--version"])[1])[1]


def compile(script, folder, *words):
    """The module of a script; ``words`` are more arguments of stap."""
    source = folder / "script.stp"
    source.write_text(script)
    return compile_file(source, folder, *words)


def compile_file(source, folder, *words):
    name = "sdtkit_%d_%d" % (os.getpid(), next(_NUMBERS))
    status, said = stap("-p4", "-m", name, source, *words, cwd=str(folder))
    assert status == 0, said
    return folder / (name + ".ko")


def stap(*words, **options):
    """(exit status, what it said), for the kernel of the guest. One at a
    time: the first finds out for all of them what that kernel is like, and
    each makes use of all processors by itself."""
    build = debian.MODULES / debian.headers() / "build"
    with _LOCK:
        return run([
            "env", "SYSTEMTAP_DIR=%s" % (debian.cache() / "systemtap"), "stap",
            "-w", "-R", _runtime(), "-r", build, *words], LIMIT, **options)


@functools.lru_cache(maxsize=None)
def _runtime():
    """stap 4.8 calls a function that Linux renamed in its stable releases."""
    common = debian.MODULES / debian.headers() / "source"
    kernel = (common / "include/linux/task_work.h").read_text()
    used = (RUNTIME / "stp_task_work.c").read_text()
    if "_cancel_func" in used or "_cancel_func" not in kernel:
        return RUNTIME
    with debian.made("runtime-" + version()) as (path, made):
        if made:
            shutil.copytree(RUNTIME, made, dirs_exist_ok=True)
            (made / "stp_task_work.c").write_text(re.sub(
                r"\btask_work_cancel\b", "task_work_cancel_func", used))
    return path
