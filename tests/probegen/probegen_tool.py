# SPDX-License-Identifier: BSD-2-Clause
"""Runs the checkout's probegen.

run() calls its main() in this process, with arguments, a directory, an
environment and standard streams as a program has them: a new interpreter takes
fifty times as long as most descriptions. start() runs it the way a build does;
test_cli.py, test_cli_output.py and test_dropin_cli.py show that this works.
"""

import contextlib
import gc
import os
import pathlib
import signal
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROBEGEN = str(SOURCE / "probegen")

# a description without a fault, and one with an unknown type
GOOD = "provider a {\n\tprobe event(int x);\n};\n"
BAD = "provider a {\n\tprobe event(Oid x);\n};\n"

# those that probegen and this file have handlers for
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGALRM)

if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))


def codes():
    """Returns all codes of probegen's errors."""
    from probegen import diag
    return diag.CODES


def warnings():
    """Returns the names of all its warnings."""
    from probegen import diag
    return diag.WARNINGS


def start(*args, **options):
    """Runs `probegen ARGS` as a program of its own, and returns the finished
    process, with its output as text."""
    return subprocess.run(
        [sys.executable, PROBEGEN] + [str(arg) for arg in args],
        capture_output=True, text=True, **options)


@contextlib.contextmanager
def _as_a_program(streams, cwd, env, timeout):
    """Inside this context, this process has the standard streams, directory,
    environment and signals of a program that has just been started."""
    kept = [os.dup(number) for number in range(3)]
    place = os.open(".", os.O_PATH)
    environment = dict(os.environ)
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        if cwd is not None:
            os.chdir(cwd)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        signal.signal(signal.SIGALRM, _hangs)
        signal.alarm(timeout)
        yield
    finally:
        signal.alarm(0)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        gc.enable()
        os.environ.clear()
        os.environ.update(environment)
        os.fchdir(place)
        for number, stream in enumerate(kept):
            os.dup2(stream, number)
        for stream in kept + [place]:
            os.close(stream)


def _hangs(_number, _frame):
    raise AssertionError("probegen does not end")


def run_bytes(*args, input=None, cwd=None, env=None, timeout=600,
              program="probegen"):
    """Like run(), with bytes."""
    from probegen import cli
    words = [program] + [os.fsdecode(str(arg)) for arg in args]
    streams = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
    try:
        os.write(streams[0], input or b"")
        os.lseek(streams[0], 0, os.SEEK_SET)
        with _as_a_program(streams, cwd, env, timeout):
            try:
                status = cli.main(words)
            except SystemExit as end:
                status = end.code
        texts = [_contents(stream) for stream in streams[1:]]
    finally:
        for stream in streams:
            os.close(stream)
    return subprocess.CompletedProcess(words, status, *texts)


def _contents(stream):
    os.lseek(stream, 0, os.SEEK_SET)
    with open(stream, "rb", closefd=False) as file:
        return file.read()


def run(*args, input=None, **options):
    """Does in this process what `probegen ARGS` does, and returns it like a
    finished process, with its output as text."""
    done = run_bytes(*args, input=None if input is None else input.encode(
        errors="surrogateescape"), **options)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done
