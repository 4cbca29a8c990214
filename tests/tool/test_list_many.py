# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit list` of directories and archives, patterns, descriptions, colours and
the progress on a terminal."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from conftest import description
from test_list import PROBES, SUMMARY, make


# Descriptions.

def described(assembled):
    return assembled(
        ("smb2", "start", "8@%rdi 8@%rsi 8@%rdx", 16),
        ("smb2", "start", "-4@%edi 8@%rsi 8@%rdx", 16),
        ("smb2", "stop", "8@%rdi", 18),
        ("vfs", "idle", ""),
        description("smb2", "start", "A request begins.",
                    ("u8", "uint64_t", "mid"), ("z", "char *", "user"),
                    ("u2", "uint16_t", "")),
        description("vfs", "idle", ""))


def test_prototypes(sdtkit, assembled):
    assert sdtkit("list", described(assembled)).stdout == """\
SITES  SEMAPHORE  PROBE
    2  yes        smb2:start(uint64_t mid, char *user, uint16_t)
    1  yes        smb2:stop(u64)
    1  no         vfs:idle()
"""


@pytest.mark.parametrize("option", ["-s", "--summary"])
def test_summaries(sdtkit, assembled, option):
    lines = sdtkit("list", option, described(assembled)).stdout.splitlines()
    assert lines[2] == 22 * " " + "A request begins."
    assert len(lines) == 5


# Patterns.

@pytest.mark.parametrize("patterns, names", [
    (["smb2:*"], ["smb2:request_end", "smb2:request_start"]),
    (["smb2:request_end"], ["smb2:request_end"]),
    (["*:i*", "odd:*"], ["odd:types", "vfs:idle"]),
    (["*:*"], ["odd:types", "smb2:request_end", "smb2:request_start",
               "vfs:half", "vfs:idle"]),
    (["smb2:*,vfs:idle"], ["smb2:request_end", "smb2:request_start",
                           "vfs:idle"]),
    (["smb2:*,!smb2:*_end"], ["smb2:request_start"]),
    (["smb2:*", "!smb2:*_end"], ["smb2:request_start"]),
    (["!smb2:*_end"], ["odd:types", "smb2:request_start", "vfs:half",
                       "vfs:idle"]),
    (["!smb2:*_end", "!vfs:*"], ["odd:types", "smb2:request_start"]),
    # the last pattern that matches decides
    (["!smb2:*", "smb2:*_end"], ["smb2:request_end"]),
])
def test_patterns(sdtkit, assembled, patterns, names):
    path = assembled(*PROBES)
    done = sdtkit("list", *([path] + patterns))
    found = re.findall(r" (\w+:\w+)\(", done.stdout)
    assert sorted(set(found)) == names and done.returncode == 0
    before = sdtkit("list", *(patterns + [path]))
    assert before.stdout == done.stdout


def test_pattern_that_fits_nothing(sdtkit, assembled):
    path = assembled(*PROBES)
    for pattern, hint in [
            ("smb:*", "; similar ones: smb2:request_start, smb2:request_end"),
            ("smb2:request_", "; similar ones: smb2:request_start, "
             "smb2:request_end"),
            # only the provider is similar to one
            ("smb:zzzzzzzzzzzz", "; similar ones: smb2:request_start, "
             "smb2:request_end"),
            ("vfs:idel", "; similar ones: vfs:idle, vfs:half"),
            ("zfs_arc:evict", ", and none has a similar name; 'sdtkit list' "
             "without a pattern shows all")]:
        done = sdtkit("list", path, pattern)
        assert done.stderr == "sdtkit list: no probe matches '%s'%s\n" % (
            pattern, hint)
        assert (done.stdout, done.returncode) == ("", 1)


def test_pattern_that_excludes_nothing(sdtkit, assembled):
    done = sdtkit("list", assembled(*PROBES), "smb2:*", "!vfs:idel")
    assert done.stderr == ("sdtkit list: no probe matches '!vfs:idel'; similar "
                           "ones: vfs:idle, vfs:half\n")
    assert (done.stdout.count("smb2:"), done.returncode) == (3, 0)


@pytest.mark.parametrize("patterns", [["!*:*"], ["smb2:*,!*:*"],
                                      ["vfs:*", "!vfs:*"]])
def test_patterns_that_exclude_everything(sdtkit, assembled, patterns):
    done = sdtkit("list", assembled(*PROBES), *patterns)
    assert done.stderr == "sdtkit list: the patterns exclude all probes\n"
    assert (done.stdout, done.returncode) == ("", 1)


def test_a_word_that_is_only_half_a_pattern(sdtkit, assembled):
    done = sdtkit("list", assembled(*PROBES), "smb2:*,!idle")
    assert done.stderr == (
        "sdtkit list: '!idle' is not a pattern: write '!*:idle' for a probe "
        "of any provider, '!idle:*' for all probes of a provider\n")
    assert (done.stdout, done.returncode) == ("", 2)


@pytest.mark.parametrize("sign", ["", "!"])
def test_a_star_alone(sdtkit, assembled, sign):
    done = sdtkit("list", assembled(*PROBES), "smb2:*,%s*" % sign)
    assert done.stderr == (
        "sdtkit list: '%s*' is not a pattern: write '%s*:*' for all probes\n"
        % (sign, sign))
    assert (done.stdout, done.returncode) == ("", 2)


@pytest.mark.parametrize("sign", ["", "!"])
def test_a_word_that_may_be_the_name_of_a_probe(sdtkit, sign):
    done = sdtkit("list", sign + "idle")
    assert done.stderr.endswith(
        "if it is the name of a probe, write '%s*:idle'\n" % sign)
    assert (done.stdout, done.returncode) == ("", 2)


def test_one_of_two_patterns_fits_nothing(sdtkit, assembled, tree):
    done = sdtkit("list", tree, "vfs:idle", "odd:typos")
    assert done.stdout.count("vfs:idle()") == 2
    assert done.stderr == ("sdtkit list: no probe matches 'odd:typos'; similar "
                           "ones: odd:types\n")
    assert done.returncode == 0


def test_a_file_with_a_colon(sdtkit, assembled, tmp_path):
    shutil.copy(str(assembled(*PROBES)), str(tmp_path / "a:b"))
    done = sdtkit("list", "./a:b", cwd=str(tmp_path))
    assert done.stdout == SUMMARY


# Directories.

@pytest.fixture
def tree(assembled, tmp_path):
    """Returns a directory with files of all kinds, two of which have
    probes."""
    top = tmp_path / "tree"
    (top / "bin").mkdir(parents=True)
    shutil.copy(str(assembled(*PROBES)), str(top / "bin" / "server"))
    shutil.copy(str(top / "bin" / "server"), str(top / "a.so"))
    (top / "bin" / "link").symlink_to("server")
    (top / "script").write_text("#!/bin/sh\n")
    (top / "empty").write_text("")
    os.mkfifo(str(top / "fifo"))
    shutil.copy(str(make(tmp_path, "int main(void) { return 0; }")),
                str(top / "plain"))
    return top


def test_directory(sdtkit, tree):
    done = sdtkit("list", tree)
    assert done.stdout == "%s/a.so:\n%s\n%s/bin/server:\n%s" % (
        tree, SUMMARY, tree, SUMMARY)
    assert (done.stderr, done.returncode) == ("", 0)


def test_directory_by_a_link(sdtkit, tree, tmp_path):
    (tmp_path / "link").symlink_to(tree)
    done = sdtkit("list", tmp_path / "link", "vfs:idle")
    assert done.stdout.count("vfs:idle()") == 2


def test_directory_with_trouble(sdtkit, tree):
    broken = tree / "bin" / "broken"
    broken.write_bytes((tree / "plain").read_bytes()[:-100])
    done = sdtkit("list", tree)
    assert done.stdout.count(SUMMARY) == 2
    assert done.stderr.startswith("sdtkit list: %s: " % broken)
    assert done.returncode == 2


def test_directory_without_probes(sdtkit, tree):
    for path in tree / "a.so", tree / "bin" / "server":
        path.unlink()
    done = sdtkit("list", tree)
    assert "no probes in any of its" in done.stderr
    assert (done.stdout, done.returncode) == ("", 1)


def test_archive(sdtkit, compiled, tmp_path):
    archive = tmp_path / "lib.a"
    subprocess.run(["ar", "rc", str(archive), str(compiled("object"))],
                   check=True)
    done = sdtkit("list", archive)
    assert " ?          demo:none()" in done.stdout
    assert (done.stderr, done.returncode) == ("", 0)


# Colours and progress, which are printed on terminals only.

ESCAPE = re.compile(r"\033\[[0-9;]*m")


def test_no_colour_in_a_pipe(sdtkit, assembled):
    assert "\033" not in sdtkit("list", assembled(*PROBES)).stdout


@pytest.fixture(params=["list", "list -v", "list -l", "check", "diff"])
def args(request, build, assembled, tmp_path):
    """Returns a command that prints something about a file."""
    path = assembled(*PROBES)
    if request.param == "diff":
        (tmp_path / "old.d").write_text("provider a { probe b(int c); };")
        return command(build, "diff", tmp_path / "old.d", path)
    return command(build, *request.param.split(), path)


def output_of(args, **environ):
    return subprocess.run(args, stdout=subprocess.PIPE, timeout=300,
                          universal_newlines=True,
                          env=dict(os.environ, **environ)).stdout


def test_colour_if_wanted(args):
    plain = output_of(args)
    assert plain and "\033" not in plain
    coloured = output_of(args + ["--color=always"], NO_COLOR="1")
    assert coloured != plain and ESCAPE.sub("", coloured) == plain
    for option in "--color=never", "--color=auto":
        assert output_of(args + [option]) == plain


def read_terminal(master):
    """Returns all output until the other end is closed."""
    data, end = b"", time.monotonic() + 120
    while select.select([master], [], [], max(0, end - time.monotonic()))[0]:
        try:
            data += os.read(master, 65536)
        except OSError:         # how Linux reports that it is closed
            break
    os.close(master)
    return data.decode()


def command(build, *args):
    return [str(build / "lib" / "tool" / "sdtkit")] + [str(a) for a in args]


@pytest.mark.parametrize("environ, coloured", [
    ({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({}, False),
    ({"TERM": "xterm", "NO_COLOR": "1"}, False),
    ({"TERM": "xterm", "NO_COLOR": ""}, True),
])
def test_colour_on_a_terminal(args, environ, coloured):
    master, slave = pty.openpty()
    process = subprocess.Popen(args, stdout=slave,
                               env={"PATH": os.environ["PATH"], **environ})
    os.close(slave)
    text = read_terminal(master)
    process.wait(timeout=300)
    assert "smb2:request_start" in text
    assert bool(ESCAPE.search(text)) == coloured


def test_progress_on_a_terminal(build, assembled, tmp_path):
    """Progress is printed after a second, so the command has to wait: the pipe
    to which it writes is full until then."""
    top = tmp_path / "tree"
    top.mkdir()
    big = assembled(*[("p", "probe_%d" % i, "8@%rdi") for i in range(4000)])
    for name in "abc":
        shutil.copy(str(big), str(top / name))
    master, slave = pty.openpty()
    process = subprocess.Popen(command(build, "list", "-v", top), stderr=slave,
                               stdout=subprocess.PIPE)
    os.close(slave)
    # it has begun, however long it took to start
    assert select.select([process.stdout], [], [], 300)[0]
    time.sleep(1.3)
    lines = process.stdout.read().count(b"p:probe_")
    text = read_terminal(master)
    process.wait(timeout=300)
    assert lines == 3 * 4000
    assert re.search(r"[12] files?, [12] with probes: \S+/[bc]", text)
    assert text.endswith("\r\033[K")


def test_no_progress_in_a_pipe(sdtkit, tree):
    assert sdtkit("list", tree).stderr == ""
