# SPDX-License-Identifier: BSD-2-Clause
"""Who may not trace is told in one line what to do: users, and a root without
capabilities, as containers have it."""

import os
import subprocess

import pytest

from programs import which

NONE = ["--inh-caps=-all", "--bounding-set=-all"]
WHO = {
    "user": (["--reuid=65534", "--regid=65534", "--clear-groups", *NONE],
             "as root"),
    "root": (NONE, "CAP_SYS_ADMIN, CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH"),
}
COMMANDS = {
    "top": ["lib/tool/sdtkit", "top", "PROGRAM"],
    "top -p": ["lib/tool/sdtkit", "top", "-p", "PID"],
    "bt": ["lib/tool/sdtkit", "bt", "-e", "smb2:request_end { @ = 1; }",
           "PROGRAM"],
    "serve": ["lib/tool/sdtkit", "serve", "--via=kernel",
              "--textfile=/dev/null"],
    "tsmbd": ["lib/tsmbd/tsmbd", "-f", "PROGRAM"],
    "tsmbd -p": ["lib/tsmbd/tsmbd", "-p", "PID"],
}


@pytest.fixture(scope="module")
def server(build):
    with subprocess.Popen([build / "examples/demo/demo-server", "--port", "0",
                           build], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"listening on ")
        yield str(process.pid)
        process.kill()


def readable(path, who):
    """It may execute it, and all above it: made with a umask of 077, or by
    another user whom only a root with its privileges can do without."""
    return all(status.st_mode & 1 or (who == "root" and status.st_uid == 0)
               for status in map(os.stat, [path, *path.parents]))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("who", WHO)
def test_refused(who, command, build, server, unavailable):
    options, expected = WHO[who]
    program = build / "examples/demo/demo-server"
    path = build / COMMANDS[command][0]
    if os.geteuid() != 0 or not which("setpriv"):
        unavailable("needs root and setpriv, to give privileges up")
    if not path.exists() or not program.exists():
        pytest.skip("%s was not built" % path.name)
    if not readable(path, who) or not readable(program, who):
        pytest.skip("without privileges, nobody may enter the build's "
                    "directory")
    if not which("bpftrace") and command == "bt":
        unavailable("bpftrace is not installed")
    words = [word.replace("PROGRAM", str(program)).replace("PID", server)
             for word in COMMANDS[command][1:]]
    environment = {name: value for name, value in os.environ.items()
                   if name != "BPFTRACE"}
    done = subprocess.run(
        ["setpriv", *options, path, *words], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=300, env=environment)
    assert done.returncode != 0
    assert expected in done.stdout
    assert ("--via=recorder" in done.stdout) == (command == "top")
    assert done.stdout.count("\n") == 1, done.stdout
