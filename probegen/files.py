# SPDX-License-Identifier: BSD-2-Clause
"""Reading and writing files, for ``cli`` and ``init`` only.

An output is written to a temporary file beside it, which is then renamed: at
any time the file is complete, either the old one or the new one. A failure
becomes a diagnostic, never an exception.
"""

import contextlib
import errno
import os
import re
import shutil
import signal
import tempfile

_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
_COMPILED = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".m", ".mm", ".S")
_held = []      # signals that came; begins with None while they have to wait


@contextlib.contextmanager
def removed_on_signals():
    """Inside this context, a signal that ends the program unwinds it first, so
    that temporary files are removed. The exit status is the one that a shell
    expects."""
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
    """Inside this context, signals wait until its end: a program that is being
    started must be known before it can be told to end."""
    _held.insert(0, None)
    try:
        yield
    finally:
        del _held[0]
    if _held:
        raise SystemExit(128 + _held[0])


_DESCRIPTORS = {"-": 1, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)\Z")


def print_out(text, fault="probegen: standard output"):
    """Prints a text that was asked for, such as --help, and returns the exit
    status."""
    try:
        _write_all(1, text.encode())
    except OSError as error:
        complain("%s: %s\n" % (fault, error.strerror))
        return 1
    return 0


def complain(text):
    """Writes to standard error; a failure to do so is ignored. Names of files
    are printed byte for byte, whatever the locale."""
    with contextlib.suppress(OSError):
        _write_all(2, text.encode("utf-8", "surrogateescape"))


def _write_all(descriptor, data):
    """Writes ``data`` without sys.stdout: that is None where the descriptor is
    closed, and would repeat a failed write when the program ends."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest):]


def identity(path):
    """Returns a value that is equal for two names of one file."""
    try:
        status = os.stat(path)
        return status.st_dev, status.st_ino
    except OSError:
        return os.path.realpath(path)


def read(path, faults, limit=-1):
    """Returns the bytes of the file at ``path``, or of standard input for '-';
    None on a fault. More than ``limit`` bytes are a fault, because an input
    may have no end."""
    try:
        with open(0 if path == "-" else path, "rb") as file:
            data = file.read(limit + 1 if limit >= 0 else -1)
    except OSError as error:
        faults.file_error("UNREADABLE", path, "cannot read the file: %s"
                          % error.strerror)
        return None
    if 0 <= limit < len(data):
        faults.file_error("UNREADABLE", path, "the file is larger than %d "
                          "MiB, the limit for a description" % (limit >> 20))
        return None
    return data


def c_file_beside(path):
    """Returns the base name of the C file whose dependencies `gcc -MD` writes
    to ``path``: server.c for server.d. None if there is no such file."""
    stem, suffix = os.path.splitext(path)
    if suffix != ".d":
        return None
    return next((os.path.basename(stem + end) for end in _COMPILED
                 if os.path.exists(stem + end)), None)


def write(outputs, faults):
    """Writes each (path, data, always) of ``outputs``: all of them, or none if
    one fails. '-' is standard output. A path that is not a regular file
    (/dev/stdout, a FIFO) is written to directly.

    Unless ``always`` is set, a file that already has these bytes is not
    touched, so that make does not rebuild what depends on it.
    """
    with contextlib.ExitStack() as temporaries, contextlib.ExitStack() as undo:
        files = [_Output(*output, temporaries, undo if len(outputs) > 1
                         else None) for output in outputs]
        for step in _Output.stage, _Output.pass_on, _Output.rename:
            for file in files:
                try:
                    step(file)
                except OSError as error:
                    faults.file_error("UNWRITABLE", file.path,
                                      "cannot write the file: %s"
                                      % error.strerror, _hint(error.errno))
                    return
        undo.pop_all()


class _Output:
    """A file that is being written. Each step is taken for all files before
    the next step begins. ``undo`` is an ExitStack that restores what was
    replaced, or None if there is only one file."""

    def __init__(self, path, data, always, temporaries, undo):
        self.path = path
        self.data = data
        self.always = always
        self.descriptor = _descriptor(path)
        self.is_special = self.descriptor is not None or (
            os.path.exists(path) and not os.path.isfile(path))
        self.temporaries = temporaries
        self.undo = undo
        self.staged = None      # name of the temporary file

    def stage(self):
        """Writes the temporary file that will be renamed."""
        if self.is_special or not self.always and has(self.path, self.data):
            return
        folder, name = os.path.split(os.path.realpath(self.path))
        handle, staged = self.temporaries.enter_context(
            temporary(folder, name))
        with os.fdopen(handle, "wb") as file:
            file.write(self.data)
        os.chmod(staged, _mode(self.path))
        self.staged = staged

    def pass_on(self):
        """Writes to an output that cannot be replaced by renaming."""
        if self.descriptor is not None:
            _write_all(self.descriptor, self.data)
        elif self.is_special:
            with open(self.path, "wb") as file:
                file.write(self.data)

    def rename(self):
        """Renames the temporary file to the path of the output."""
        if self.staged is None:
            return
        path, old = os.path.realpath(self.path), self.staged + ".old"
        if self.undo is None:
            os.replace(self.staged, path)
            return
        self.temporaries.callback(_remove, old)
        is_there = _duplicate(path, old)
        os.replace(self.staged, path)
        if is_there:
            self.undo.callback(os.replace, old, path)
        else:
            self.undo.callback(_remove, path)


def _descriptor(path):
    """Returns the number of the open file that ``path`` is another name for,
    or None. If it were opened by that name, it would lose what others have
    written to it."""
    if path in _DESCRIPTORS:
        return _DESCRIPTORS[path]
    number = _DESCRIPTOR.match(path)
    return int(number[1]) if number else None


def _duplicate(path, name):
    """Gives a file a second name, or copies it where the file system has no
    links. Returns False if the file does not exist."""
    try:
        os.link(path, name)
    except FileNotFoundError:
        return False
    except OSError:
        shutil.copy2(path, name)
    return True


def _remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def has(path, data):
    """Returns whether the file at ``path`` has exactly these bytes."""
    try:
        with open(path, "rb") as file:
            return file.read(len(data) + 1) == data
    except OSError:
        return False


def _mode(path):
    """Returns the permissions of the file at ``path``, or those of a new file
    if there is none."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


@contextlib.contextmanager
def temporary(folder=None, prefix="probegen"):
    """Yields (handle, name) of a new file, which is removed at the end unless
    it was renamed."""
    # the prefix may already be as long as a name can be
    handle, name = tempfile.mkstemp(prefix=prefix[:32] + ".", dir=folder)
    try:
        yield handle, name
    finally:
        _remove(name)


def _hint(number):
    """Returns a hint for an error number, or None."""
    if number == errno.ENOENT:
        return "create the directory of the output first"
    if number == errno.EACCES:
        return "make the directory of the output writable: a temporary file " \
               "is written there first"
    return None
