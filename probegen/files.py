# SPDX-License-Identifier: BSD-2-Clause
"""Reading and writing files, for ``cli`` only.

An output is written beside its place and renamed: there is the whole of it or
what was there before. Faults become diagnostics, never exceptions.
"""

import contextlib
import errno
import os
import signal
import tempfile

_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
_held = []      # signals that came; None in front while they have to wait


@contextlib.contextmanager
def removed_on_signals():
    """Within, a signal that ends the program unwinds it first, so that
    temporary files are removed; the exit status is what a shell expects."""
    def leave(number, _frame):
        _held.append(number)
        if _held[0] is not None:
            raise SystemExit(128 + number)
    for number in _SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, leave)
    yield


@contextlib.contextmanager
def signals_held():
    """Within, a signal waits until the end: a program that is being started
    must be known before it can be told to end."""
    _held.insert(0, None)
    try:
        yield
    finally:
        del _held[0]
    if _held:
        raise SystemExit(128 + _held[0])


def print_out(text):
    """Prints what was asked for, --help say; the exit status."""
    try:
        _write_all(1, text.encode())
    except OSError as error:
        complain("probegen: standard output: %s\n" % error.strerror)
        return 1
    return 0


def complain(text):
    """Writes to standard error; if there is none, nobody wants to know. Names
    of files come out as they went in, whatever the locale."""
    with contextlib.suppress(OSError):
        _write_all(2, text.encode("utf-8", "surrogateescape"))


def _write_all(descriptor, data):
    """Past sys.stdout: that is None where the descriptor is closed, and would
    try again what has failed when the program ends."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest):]


def identity(path):
    """What two names of one file have in common."""
    try:
        status = os.stat(path)
        return status.st_dev, status.st_ino
    except OSError:
        return os.path.realpath(path)


def read(path, faults):
    """The bytes at ``path``, of standard input for '-'; None on a fault."""
    try:
        with open(0 if path == "-" else path, "rb") as file:
            return file.read()
    except OSError as error:
        faults.file_error("UNREADABLE", path, error.strerror)
        return None


def write(path, data, faults, always=True):
    """Puts ``data`` at ``path``; '-' is standard output. What is no regular
    file (/dev/stdout, a FIFO) is written to.

    always: else a file that already has these bytes is not touched, so that
    make does not build anew what depends on it.
    """
    try:
        if path == "-":
            _write_all(1, data)
        elif os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        elif always or not _has(path, data):
            _replace(os.path.realpath(path), data)
    except OSError as error:
        faults.file_error("UNWRITABLE", path, error.strerror,
                          _hint(error.errno))


def _has(path, data):
    try:
        with open(path, "rb") as file:
            return file.read(len(data) + 1) == data
    except OSError:
        return False


def _replace(path, data):
    """Puts a file with ``data`` in the place of ``path``, permissions kept."""
    try:
        mode = os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    with temporary(os.path.dirname(path), os.path.basename(path)) as (
            handle, name):
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, path)


@contextlib.contextmanager
def temporary(folder=None, prefix="probegen"):
    """(handle, name) of a new file that is gone at the end, unless it was
    renamed."""
    handle, name = tempfile.mkstemp(prefix=prefix + ".", dir=folder)
    try:
        yield handle, name
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _hint(number):
    if number == errno.ENOENT:
        return "the directory of the output has to exist"
    if number == errno.EACCES:
        return "the output is written beside its place first: its directory " \
               "has to be writable"
    return None
