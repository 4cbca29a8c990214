# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit list`: its output, its messages and its exit status."""

import os
import re
import shutil
import subprocess
import tempfile

import pytest

from conftest import description
from programs import which

PROBES = [
    ("smb2", "request_start", "8@%rdi 8@%rsi"),
    ("smb2", "request_end", "8@%rdi -4@$5"),
    ("smb2", "request_end", "8@%rax -4@%edx"),
    ("smb2", "request_end", "8@%rax"),
    ("vfs", "idle", ""),
    ("vfs", "half", "8@%rdi", 16),
    ("vfs", "half", "8@%rdi"),
    ("vfs", "half", "8@%rdi", 16),
    ("odd", "types", "1@%al -2@%ax 8f@%xmm0 16@%rax $5 4@[x0, 8]"),
]

SUMMARY = """\
SITES  SEMAPHORE  PROBE
    1  no         odd:types(u8, s16, f64, u128, ?, u32)
    1  no         smb2:request_end(u64)
    2  no         smb2:request_end(u64, s32)
    1  no         smb2:request_start(u64, u64)
    1  no         vfs:half(u64)
    2  yes        vfs:half(u64)
    1  no         vfs:idle()
"""

# Address 0 is not in a segment of code, so there is no offset.
VERBOSE = """\
PROBE               ADDRESS  OFFSET  SEMAPHORE  OPERANDS
odd:types           0        -       -          1@%al -2@%ax 8f@%xmm0 16@%rax \
$5 4@[x0, 8]
smb2:request_end    0        -       -          8@%rdi -4@$5
smb2:request_end    0        -       -          8@%rax -4@%edx
smb2:request_end    0        -       -          8@%rax
smb2:request_start  0        -       -          8@%rdi 8@%rsi
vfs:half            0        -       0x10       8@%rdi
vfs:half            0        -       -          8@%rdi
vfs:half            0        -       0x10       8@%rdi
vfs:idle            0        -       -          -
"""


def test_summary(sdtkit, assembled):
    done = sdtkit("list", assembled(*PROBES))
    assert (done.stdout, done.stderr, done.returncode) == (SUMMARY, "", 0)


@pytest.mark.parametrize("option", ["-v", "--verbose", "--verb"])
def test_verbose(sdtkit, assembled, option):
    done = sdtkit("list", option, assembled(*PROBES))
    assert (done.stdout, done.stderr, done.returncode) == (VERBOSE, "", 0)


def test_option_behind_the_file(sdtkit, assembled):
    assert sdtkit("list", assembled(*PROBES), "-v").stdout == VERBOSE


def test_semaphores(sdtkit, compiled):
    lines = sdtkit("list", compiled("semaphores")).stdout.splitlines()[1:]
    assert lines and all(line.split()[1] == "yes" for line in lines)


def test_object_file_does_not_tell(sdtkit, compiled):
    lines = sdtkit("list", compiled("object")).stdout.splitlines()[1:]
    assert lines and all(line.split()[1] == "?" for line in lines)


def test_several_files_have_headings(sdtkit, assembled):
    path = assembled(*PROBES)
    done = sdtkit("list", path, path)
    assert done.stdout == "%s:\n%s\n%s:\n%s" % (path, SUMMARY, path, SUMMARY)
    assert (done.stderr, done.returncode) == ("", 0)


def test_names_cannot_drive_the_terminal(sdtkit, assembled):
    path = assembled((r"\033[2J", r"a b\\\n", r"8@\033]0;x\007"))
    for option in [], ["-v"]:
        text = sdtkit("list", *option, path).stdout
        assert re.fullmatch(r"[\n -~]*", text)
        assert r"\x1b[2J:a\x20b\x5c\x0a" in text


def test_a_long_name_does_not_widen_the_table(sdtkit, assembled):
    long = "n" * 5000
    path = assembled(("p", long, ""), ("p", "a", "8@%rdi"))
    lines = sdtkit("list", "-v", path).stdout.splitlines()
    assert len(lines[0]) < 100 and len(lines[1]) < 100
    assert lines[2].startswith("p:%s  0        -  " % long)


# A file without probes: the message says so, and why that may be.

def no_probes(done, path, reason):
    assert done.stdout == ""
    assert done.stderr.startswith("sdtkit list: %s: no probes: " % path)
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == 1


def test_none_dynamic(sdtkit, tmp_path):
    path = make(tmp_path, "int main(void) { return 0; }")
    done = sdtkit("list", path)
    no_probes(done, path, "the libraries that it loads have none")
    assert "SDTKIT_DISABLE" not in done.stderr


def test_none_static(sdtkit, tmp_path):
    path = make(tmp_path, "int f(void) { return 0; }", "-c")
    done = sdtkit("list", path)
    no_probes(done, path, "built without any")
    assert "SDTKIT_DISABLE" not in done.stderr


def test_none_but_described(sdtkit, assembled):
    """There are descriptions but no sites, so the file was compiled with
    -DSDTKIT_DISABLE."""
    path = assembled(description("smb", "start", ""))
    no_probes(sdtkit("list", path), path, "SDTKIT_DISABLE")


def test_none_of_that_name(sdtkit, assembled, tmp_path):
    path = assembled(*PROBES)
    done = sdtkit("list", path, "request_end", cwd=str(tmp_path))
    assert done.stderr == (
        "sdtkit list: request_end: No such file or directory; if it is the "
        "name of a probe, write '*:request_end'\n")
    assert done.returncode == 2
    done = sdtkit("list", "-p", os.getpid(), "request_end")
    assert "'request_end' is a FILE" in done.stderr
    assert "'*:request_end'" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


def test_none_stripped_of_notes(sdtkit, compiled):
    path = compiled("pie")
    subprocess.run(["objcopy", "-R", ".note.stapsdt", str(path)], check=True)
    no_probes(sdtkit("list", path), path, "llvm-strip --strip-all")


def test_none_stripped_by_llvm(sdtkit, compiled):
    if not which("llvm-strip"):
        pytest.skip("llvm-strip is missing")
    path = compiled("pie")
    subprocess.run(["llvm-strip", "--strip-all", str(path)], check=True)
    no_probes(sdtkit("list", path), path, "llvm-strip --strip-all")


def test_none_without_section_headers(sdtkit, compiled):
    path = compiled("pie")
    data = bytearray(path.read_bytes())
    data[0x28:0x30] = bytes(8)
    data[0x3c:0x40] = bytes(4)
    path.write_bytes(data)
    no_probes(sdtkit("list", path), path, "no section headers")


def make(tmp_path, text, *args):
    source = tmp_path / "plain.c"
    source.write_text(text)
    path = tmp_path / "plain"
    subprocess.run(["gcc", str(source), "-o", str(path)] + list(args),
                   check=True)
    return path


# If a file cannot be read, the exit status is 2, and the other files are
# listed all the same.

def cut_off(tmp_path):
    path = make(tmp_path, "int main(void) { return 0; }")
    path.write_bytes(path.read_bytes()[:-100])
    return path


def script(tmp_path):
    path = tmp_path / "script"
    path.write_text("#!/bin/sh\n")
    return path


def fifo(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(str(path))
    return path


TROUBLE = [
    (lambda tmp_path: tmp_path / "absent", "No such file or directory"),
    (cut_off, "section headers are missing"),
    (script, "not an ELF file"),
    (fifo, "not a regular file"),
]


@pytest.mark.parametrize("maker, reason", TROUBLE,
                         ids=[reason for _, reason in TROUBLE])
def test_trouble(sdtkit, tmp_path, maker, reason):
    path = maker(tmp_path)
    done = sdtkit("list", path)
    assert done.stdout == ""
    assert done.stderr.startswith("sdtkit list: %s: " % path)
    assert reason in done.stderr
    assert done.returncode == 2


def test_trouble_no_permission(build):
    """Root may read everything, so the command runs as nobody."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        command = shutil.copy(str(build / "lib" / "tool" / "sdtkit"),
                              directory)
        os.chmod(command, 0o755)
        secret = shutil.copy(command, directory + "/secret")
        os.chmod(secret, 0)
        become = (lambda: os.setuid(65534)) if os.geteuid() == 0 else None
        done = subprocess.run([command, "list", secret], preexec_fn=become,
                              capture_output=True, text=True)
    assert done.stdout == ""
    assert done.stderr == "sdtkit list: %s: Permission denied\n" % secret
    assert done.returncode == 2


def test_trouble_does_not_stop_the_others(sdtkit, assembled, tmp_path):
    path = assembled(*PROBES)
    done = sdtkit("list", tmp_path / "absent", path, "/dev/null", path)
    assert done.stdout == "%s:\n%s\n%s:\n%s" % (path, SUMMARY, path, SUMMARY)
    assert done.stderr.count("\n") == 2
    assert done.returncode == 2


def test_one_file_with_probes_is_enough(sdtkit, assembled, tmp_path):
    plain = make(tmp_path, "int main(void) { return 0; }")
    path = assembled(*PROBES)
    assert sdtkit("list", plain, path).returncode == 0
    assert sdtkit("list", plain, plain).returncode == 1
    assert sdtkit("list", path, tmp_path / "absent").returncode == 2


def test_damage_leaves_the_other_sites(sdtkit, assembled):
    path = assembled(*(PROBES + [("vfs", "idle", "")]))
    data = path.read_bytes()
    assert data.count(b"vfs\0idle\0\0") == 2
    path.write_bytes(data.replace(b"vfs\0idle\0\0", b"vfs_idle__"))
    done = sdtkit("list", path)
    assert done.stdout == "".join(
        line for line in SUMMARY.splitlines(True)
        if "vfs:idle" not in line)
    first, more = done.stderr.splitlines()
    assert "provider name is not terminated" in first
    assert "1 more error like this" in more
    assert done.returncode == 2
