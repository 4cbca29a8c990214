# SPDX-License-Identifier: BSD-2-Clause
"""The C preprocessor and compiler, run for ``cli`` only.

As with `dtrace`, CPP, CC and CFLAGS of the environment name them, each of
several words if need be: CC decides the target of a cross build.
"""

import os
import shlex

from . import files


def preprocess(path, flags, faults):
    """What the preprocessor makes of the file at ``path``; None on a fault."""
    command = shlex.split(os.environ.get("CPP", "cpp")) + flags + [path]
    return _run(command, None, "CPP_FAILED", path, faults)


def compile_object(text, faults):
    """The object file of a C text; None on a fault.

    Position-independent, so it can be linked into anything; without LTO, so
    that no plugin is needed to read it.
    """
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = shlex.split(os.environ.get("CFLAGS", ""))
    with files.temporary() as (handle, name):
        os.close(handle)
        command = compiler + flags + ["-fPIC", "-fno-lto", "-xc", "-c", "-",
                                      "-o", name]
        if _run(command, text.encode(), "CC_FAILED", "-G", faults) is None:
            return None
        return files.read(name, faults)


def _run(command, data, code, what, faults):
    """A program's standard output; its messages go where ours do."""
    import subprocess       # not needed for a header, and slow to load
    try:
        run = subprocess.run(command, input=data, stdout=subprocess.PIPE)
    except OSError as error:
        faults.file_error(code, what, "%s: %s" % (command[0], error.strerror))
        return None
    if run.returncode:
        faults.file_error(code, what, "'%s' ended with status %d" % (
            " ".join(command), run.returncode))
        return None
    return run.stdout
