# SPDX-License-Identifier: BSD-2-Clause
"""The headers that a Samba tree gets, compiled as Samba would: with probes and
without, with Samba's profiling and without."""

import subprocess
import sys

import pytest

from samba_tool import SAMBA, SOURCE, apply, tree

PROVIDERS = ["ctdb", "smb2", "smbd", "smblock", "smbnet", "tevent", "vfs",
             "winbind"]

# How smbprofile.h defines and vfs_default.c uses them, in our own words.
CODE = """\
#include "lib/static_probes/samba_probes.h"
#include "lib/static_probes/vfs_probes.h"
#define START_PROFILE(x)
#define START_PROFILE_BYTES(x,n)
#define END_PROFILE(x)
#define END_PROFILE_BYTES(x)
#define SMBPROFILE_BYTES_ASYNC_STATE(_async)
#define SMBPROFILE_BYTES_ASYNC_START(_name, _area, _async, _bytes)
#define SMBPROFILE_BYTES_ASYNC_SET_IDLE(_async)
#define SMBPROFILE_BYTES_ASYNC_SET_BUSY(_async)
#define SMBPROFILE_BYTES_ASYNC_END(_async)
#include "lib/static_probes/profile_probes.h"

#define SMBopen 0x02	/* the operation's code, not a name */

struct state {
	int fd;
	SMBPROFILE_BYTES_ASYNC_STATE(profile_bytes)
};

int work(struct state *state, const char *reason);
int work(struct state *state, const char *reason)
{
	START_PROFILE(syscall_openat);
	state->fd++;
	END_PROFILE(syscall_openat);
	START_PROFILE(SMBopen);
	state->fd++;
	END_PROFILE(SMBopen);
	START_PROFILE_BYTES(syscall_readdir, 1);
	state->fd++;
	END_PROFILE_BYTES(syscall_readdir);
	SMBPROFILE_BYTES_ASYNC_START(syscall_asys_pread, 0,
				     state->profile_bytes, 4096);
	SMBPROFILE_BYTES_ASYNC_SET_IDLE(state->profile_bytes);
	SMBPROFILE_BYTES_ASYNC_SET_BUSY(state->profile_bytes);
	SMBPROFILE_BYTES_ASYNC_END(state->profile_bytes);
	SMBD_DISCONNECT_CLIENT("client", reason, "here");
	return state->fd;
}
"""


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """A tree that apply.py went over, with the headers that waf would make."""
    path = tmp_path_factory.mktemp("samba") / "tree"
    path.mkdir()
    assert apply(tree(path)).returncode == 0
    for name in PROVIDERS:
        where = path / "lib" / "static_probes"
        subprocess.run(
            [sys.executable, str(SOURCE / "probegen"),
             str(where / (name + ".d")), "-o",
             str(where / (name + "_on.h"))], check=True)
    return path


def compiled(top, code, *options, include=SOURCE / "include"):
    source = top / "work.c"
    source.write_text(code)
    subprocess.run(
        ["gcc", "-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror",
         "-Wno-unused-parameter", "-Wdeclaration-after-statement", "-I",
         str(top), "-I", str(include)] + list(options) +
        ["-c", str(source), "-o", str(top / "work.o")], check=True)
    return (top / "work.o").read_bytes()


def notes(top):
    out = subprocess.run(["readelf", "-n", str(top / "work.o")],
                         stdout=subprocess.PIPE, universal_newlines=True,
                         check=True).stdout
    return [line.split()[1] for line in out.split("\n") if " Name: " in line]


def test_on_has_the_probes(top):
    data = compiled(top, CODE, "-DWITH_STATIC_PROBES=1")
    found = notes(top)
    assert found.count("async_idle") == 1
    for name in ("op_start", "op_done", "async_start", "async_busy",
                 "async_done", "disconnect_client"):
        assert name in found
    assert b"syscall_openat" in data and b"SMBopen" in data
    assert b"syscall_readdir" not in data


def test_off_is_what_it_would_be_without_a_line_of_ours(top):
    """Byte for byte; debug information knows of the empty statements."""
    bare = "".join(
        "\n" if "static_probes" in line or "SMBD_" in line else line
        for line in CODE.splitlines(True))
    for options in (["-O2"], ["-O0"], ["-Og", "-fstack-protector-strong"]):
        assert compiled(top, CODE, *options) == compiled(top, bare, *options)


def test_end_of_a_synchronous_operation_is_no_async_done(top):
    code = """\
#include "lib/static_probes/vfs_probes.h"
int f(void);
int f(void)
{
	char __profasync_syscall_pread = 0;
	PROBES_ASYNC_DONE(__profasync_syscall_pread)
	return __profasync_syscall_pread;
}
"""
    compiled(top, code, "-DWITH_STATIC_PROBES=1")
    assert "async_done" not in notes(top)


def test_libtevent_alone_has_no_probes(top):
    """Its own build knows neither the option nor lib/static_probes."""
    code = '#include "tevent_probes.h"\nint f(int x);\nint f(int x)\n' \
        '{\n\tTEVENT_FD_END(&x, &x);\n\treturn x;\n}\n'
    compiled(top, code, "-I", str(top / "lib/tevent"))
    assert notes(top) == []


def test_smb2_can_have_a_name_for_dtrace(top):
    """What the wscript's rule runs for --with-smb2-alias=smbserver."""
    where = top / "lib/static_probes"
    subprocess.run(
        [sys.executable, str(SOURCE / "probegen"), "--alias",
         "smb2=smbserver", str(where / "smb2.d"), "-o",
         str(where / "alias.h")], check=True)
    code = '#include "lib/static_probes/alias.h"\nvoid f(int x);\n' \
        'void f(int x)\n{\n\tSMB2_SESSION_END(x);\n}\n'
    compiled(top, code)
    assert notes(top) == ["session_end", "session_end"]
    assert b"smbserver" in (top / "work.o").read_bytes()


def test_wscript_is_python():
    compile((SAMBA / "static_probes/wscript").read_text(), "wscript", "exec")


def test_standalone_headers_need_no_sdtkit(top, tmp_path):
    compiled(top, CODE, "-DWITH_STATIC_PROBES=1")
    expected = notes(top)
    assert apply(tree(tmp_path), "--standalone").returncode == 0
    compiled(tmp_path, CODE, "-DWITH_STATIC_PROBES=1", include=tmp_path)
    assert notes(tmp_path) == expected
    assert apply(tmp_path, "--undo").returncode == 0
    assert not (tmp_path / "lib").exists() or not any(
        (tmp_path / "lib").rglob("*.h"))
