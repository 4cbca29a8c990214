# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of this room share: the program of acts, and running it with
sdtkit trace."""

import contextlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

import pytest

from trace_lines import HERE, LIMIT, SOURCE, Result, compile_program

@contextlib.contextmanager
def public_folder():
    """Returns a directory that other users may enter; pytest's are not
    such."""
    with tempfile.TemporaryDirectory(prefix="sdtkit-trace-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def public():
    with public_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def public_session():
    with public_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def acts(source, unavailable):
    """Returns the directory with program, plugin.so and act_probes.h."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64",):
        unavailable("acts have traps of their own, of x86-64")
    with public_folder() as folder:
        compile_acts(source, folder)
        yield folder


def compile_acts(source, folder):
    subprocess.run(["/usr/bin/python3", str(source / "probegen"), "-Wno-all",
                    str(HERE / "act.d"), "-o",
                    str(folder / "act_probes.h")], check=True)
    compile_program(folder, folder / "program", "-g", "-O2", "-Wall",
                    "-Wextra", "-Wno-unused-parameter", "-Werror")
    subprocess.run(["gcc", "-g", "-O2", "-I", folder, "-I", SOURCE / "include",
                    "-fPIC", "-shared", HERE / "plugin.c", "-o",
                    folder / "plugin.so"], check=True)


@pytest.fixture(scope="session")
def sdtkit(build):
    return str(build / "lib" / "tool" / "sdtkit")


@pytest.fixture
def trace(sdtkit, acts, tmp_path):
    """trace(act, argument..., options=[...]): runs an act under sdtkit trace
    and returns the Result. The lines go to a file if to_file is set, messages
    to standard error."""
    def run(*command, options=(), quiet=True, to_file=True,
            timeout=LIMIT, **more):
        out = tmp_path / "lines"
        words = [str(word) for word in command]
        if "/" not in words[0]:
            words.insert(0, str(acts / "program"))
        done = subprocess.run(
            [sdtkit, "trace"] + (["-q"] if quiet else [])
            + (["-o", str(out)] if to_file else []) + list(options) + ["--"] + words,
            capture_output=True, text=True, timeout=timeout, cwd=str(tmp_path),
            **more)
        lines = out.read_text(errors="surrogateescape").splitlines() \
            if out.exists() else []
        return Result(done.returncode, done.stdout, lines, done.stderr)
    return run


@pytest.fixture
def show(sdtkit, tmp_path):
    """show(word...): runs sdtkit trace, and returns what has come of it."""
    def run(*words, command=sdtkit, **more):
        return subprocess.run([command, "trace", *map(str, words)], text=True,
                              capture_output=True, timeout=LIMIT,
                              cwd=str(tmp_path), **more)
    return run


@pytest.fixture
def fails(show):
    """fails(word...): what sdtkit trace says when it refuses to trace."""
    def run(*words, **more):
        done = show(*words, **more)
        assert (done.returncode, done.stdout) == (125, "")
        return done.stderr
    return run


@pytest.fixture
def on_disk(sdtkit, acts, tmp_path, unavailable):
    """on_disk("64k", script): what the script says on a disk of that size,
    which is full when $1 (sdtkit) traces $2 (the program). $3 is the disk's
    directory, $4 another one."""
    def run(size, script):
        (tmp_path / "disk").mkdir()
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=%s none "$3" '
             '|| exit 77\n%s' % (size, script), "sh", sdtkit, acts / "program",
             tmp_path / "disk", tmp_path / "copy"], capture_output=True,
            text=True, timeout=LIMIT)
        if done.stdout == "":
            unavailable("no right to mount: " + done.stderr)
        assert done.stdout == "done\n1\n"
        return done.stderr
    return run


@pytest.fixture
def objects(source):
    """objects(texts): parses each line as JSON, which must match the
    schema."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((source / "docs" / "trace.schema.json").read_text())
    for kind in schema["definitions"].values():
        if "properties" in kind:
            kind["additionalProperties"] = False
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    def load(texts):
        found = [json.loads(text) for text in texts]
        for item in found:
            validator.validate(item)
        return found
    return load


@pytest.fixture(scope="session")
def nobody():
    """Returns options of subprocess.run() for an unprivileged user."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}
