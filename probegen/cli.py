# SPDX-License-Identifier: BSD-2-Clause
"""argv, files and exit statuses; nothing else of probegen touches them.

Exit status: 0 the output was written, 1 the input or a file is at fault (and
an older output is as it was), 2 the command line is.
"""

import argparse
import errno
import os
import sys
import tempfile

from . import VERSION, diag, emit, lexer, parser, resolve, source

_DESCRIPTION = """\
Turns a provider description (probes and their argument types, as in DTrace)
into a C header."""

_EPILOG = """\
examples:
  probegen smb2.d -o smb2.h         native header: typed, no object to link
  probegen -h -s smb2.d -o smb2.h   drop-in for 'dtrace -h' (needs <sys/sdt.h>)
  probegen smb2.d -o -              to standard output

Called as 'dtrace', only the drop-in form is made. Without -o the output is
the description's base name with .h, in the current directory.
"""


def _arguments(program):
    """The command line's grammar. -h is dtrace's, so help has no short form."""
    args = argparse.ArgumentParser(
        prog=program, add_help=False, description=_DESCRIPTION, epilog=_EPILOG,
        usage="%s [-h] [-s] FILE.d [-o OUTPUT]" % program,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("file", nargs="?", metavar="FILE.d",
                      help="the provider description; - is standard input")
    args.add_argument("-s", dest="script", metavar="FILE.d",
                      help="the same, as dtrace spells it")
    args.add_argument("-h", dest="dropin", action="store_true",
                      help="write the drop-in header over <sys/sdt.h>")
    args.add_argument("-o", dest="output", metavar="OUTPUT",
                      help="where to write; - is standard output")
    args.add_argument("--help", action="help", help="show this and exit")
    args.add_argument("--version", "-V", action="version",
                      version="probegen (sdtkit) " + VERSION)
    return args


def main(argv):
    """Runs probegen with ``argv`` as a program gets it; the exit status."""
    program = os.path.basename(argv[0])
    if program in ("__main__.py", ""):
        program = "probegen"
    grammar = _arguments(program)
    args = grammar.parse_args(argv[1:])
    if (args.file is None) == (args.script is None):
        grammar.error("one description is needed: FILE.d or -s FILE.d")
    if program == "dtrace" and not args.dropin:
        grammar.error("called as dtrace: give -h; -G is not needed, "
                      "the header brings its semaphores")
    path = args.script if args.file is None else args.file
    faults = diag.Diagnostics()
    text = _generate(path, "dropin" if args.dropin else "header", faults)
    if text is not None:
        _write(args.output or _default_output(path), text, faults)
    sys.stderr.write(faults.render())
    return 1 if faults else 0


def _default_output(path):
    if path == "-":
        return "-"
    return os.path.splitext(os.path.basename(path))[0] + ".h"


def _generate(path, output, faults):
    """The output for the description at ``path``; None if it has faults."""
    text = _read(path, faults)
    if text is None:
        return None
    origin = source.Source("<stdin>" if path == "-" else path, text)
    tree = parser.parse(lexer.lex(origin, faults), faults)
    model = resolve.resolve(tree, faults, os.path.basename(origin.name),
                            known_types_only=output != "dropin")
    return None if faults else emit.FORMATS[output](model)


def _read(path, faults):
    """The text at ``path``. Bytes that are not UTF-8 become surrogates, which
    may stand in comments only."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as error:
        faults.file_error("UNREADABLE", path, error.strerror)
        return None
    return data.decode("utf-8", "surrogateescape")


def _write(path, text, faults):
    """Writes beside ``path`` and renames, so that there is a whole output or
    the old one. What is no regular file (/dev/stdout, a FIFO) is written to."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        if path == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except OSError as error:
        faults.file_error("UNWRITABLE", path, error.strerror,
                          _write_hint(error, path))


def _replace(path, data):
    """Puts a file with ``data`` in the place of ``path``, permissions kept."""
    try:
        mode = os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    handle, temporary = tempfile.mkstemp(
        prefix=os.path.basename(path) + ".", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _write_hint(error, path):
    if error.errno == errno.ENOENT:
        return "the directory of the output has to exist"
    if error.errno == errno.EACCES:
        return "the output is written beside its place first: its directory " \
               "has to be writable"
    return None
