# SPDX-License-Identifier: BSD-2-Clause
"""Runs the C preprocessor and the C compiler, for ``cli`` only.

As with `dtrace`, the environment names them: CPP, CC and CFLAGS may each have
several words. In a cross build, CC decides the target.
"""

import os
import re
import shlex
import tempfile

from . import files

# options that make files beside those of the build, see compile_text()
_LEFT_OUT = re.compile(r"-+(save-temps(=.*)?|coverage|ftest-coverage|"
                       r"fprofile-arcs)\Z")
_HINTS = {"CC": "CC and CFLAGS name the compiler and its options, and -I a "
          "directory with headers"}


def preprocess(path, flags, data, faults, quiet=False):
    """Returns what the preprocessor makes of the file at ``path``, or of
    ``data``; None on a fault. quiet: its messages are not shown.

    -xc is given because `gcc -E` ignores a file whose suffix it does not know.
    """
    name = "./" + path if path.startswith("-") and path != "-" else path
    return _run("CPP", "cpp", flags + ["-xc", name], data, path, faults,
                quiet)


# Position-independent, so that it can be linked into anything, and without LTO,
# so that no plugin is needed to read it.
TO_OBJECT = ["-fPIC", "-fno-lto", "-c"]


def compile_text(text, flags, more, what, faults):
    """Returns what the compiler makes of a C text; None on a fault.

    more: options behind those of CFLAGS, such as TO_OBJECT; what: what a
    message is about. Options that keep intermediate files or measure coverage
    are left out: the text has neither a name nor code. What others write beside
    the output is removed.
    """
    # a value from a makefile may still have the makefile's continued lines
    options = os.environ.get("CFLAGS", "").replace("\\\n", " ")
    with tempfile.TemporaryDirectory(prefix="probegen.") as folder:
        name = os.path.join(folder, "object.o")
        try:
            flags = flags + shlex.split(options)
        except ValueError as error:
            faults.file_error("CC_FAILED", "CFLAGS", str(error))
            return None
        if _run("CC", "cc", flags + more + ["-xc", "-", "-o", name],
                text.encode("utf-8", "surrogateescape"), what, faults) is None:
            return None
        data = files.read(name, faults)
        if data == b"":
            faults.file_error("CC_FAILED", what, "the compiler wrote an empty "
                              "file")
        return data or None


def _run(variable, default, args, data, what, faults, quiet=False):
    """Returns the standard output of the program that a variable of the
    environment names; None on a fault. Its messages go to standard error."""
    code = variable + "_FAILED"
    hint = _HINTS.get(variable)
    try:
        command = [word for word in shlex.split(
            os.environ.get(variable) or default) + args
                   if not _LEFT_OUT.match(word)]
        status, output = _finish(command, data, quiet)
    except OSError as error:
        faults.file_error(code, what, "cannot run '%s': %s" % (
            command[0], error.strerror), hint)
        return None
    except ValueError as error:
        faults.file_error(code, variable, str(error))
        return None
    if status:
        faults.file_error(code, what, "'%s' failed with status %d" % (
            " ".join(command), status), hint)
        return None
    return output


def _finish(command, data, quiet):
    """Returns (status, standard output) of a command. If a signal ends
    probegen, the command is told to end too, so that it removes its temporary
    files."""
    import subprocess       # slow to load, and most runs do not need it
    process = None
    try:
        with files.signals_held():
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if quiet else None,
                stdin=None if data is None else subprocess.PIPE)
        output = process.communicate(data)[0]
    except BaseException:
        if process:
            process.terminate()
            process.wait()
        raise
    return process.returncode, output
