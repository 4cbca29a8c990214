# SPDX-License-Identifier: BSD-2-Clause
"""What is installed for systemd, and the example of a configuration."""

import getpass
import os
import re
import shutil
import subprocess

import pytest

from demo_server import LIMIT
from serving import has_no_http, hash_of, make_certificate
from programs import which

# given on the command line only, or of no use to a service
LEFT_OUT = {"daemon", "socket", "config", "check-config", "help", "version",
            "pid", "interval", "count", "json", "by", "lines", "heatmap",
            "flame", "frequency"}


@pytest.fixture
def room(source):
    return source / "lib" / "tsmbd"


def analyze(*args):
    return subprocess.run(["systemd-analyze", "--no-pager", *args],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=LIMIT)


@pytest.fixture
def unit(program, tmp_path):
    """The unit, as verify wants it: with a program that exists, and whose
    path has no blank."""
    if which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = (program.parent / "tsmbd.service").read_text()
    path = tmp_path / "tsmbd.service"
    path.write_text(re.sub(r"=\S*/tsmbd( |$)", "=/bin/true\\1", text,
                           flags=re.MULTILINE))
    return path


def test_hardened(unit):
    result = analyze("security", "--offline=yes", str(unit))
    level = re.search(r"Overall exposure level .*: ([0-9.]+)", result.stdout)
    assert level and float(level.group(1)) <= 2.0, result.stdout


def test_the_unit_is_right(unit):
    """No man page is installed here, which it says."""
    result = analyze("verify", str(unit))
    lines = [line for line in result.stdout.splitlines()
             if str(unit.name) in line and "'man " not in line]
    assert lines == []


def test_places(program):
    text = (program.parent / "tsmbd.service").read_text()
    assert "@" not in re.sub("@(system-service|privileged|resources)", "",
                             text)
    assert re.search("^ExecStart=/.*/tsmbd serve --config=/.*/tsmbd.conf$",
                     text, re.MULTILINE)


def options(program):
    usage = subprocess.run([program, "--help"], stdout=subprocess.PIPE,
                           universal_newlines=True, check=True).stdout
    return set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", usage, re.MULTILINE))


def test_the_example_has_every_option(program, room):
    text = (room / "tsmbd.conf").read_text()
    assert re.findall("^[^#\n]", text, re.MULTILINE) == []
    named = re.findall(r"^#([a-z-]+) = ", text, re.MULTILINE)
    assert set(named) == options(program) - LEFT_OUT
    assert len(named) == len(set(named))


def test_the_example_is_good(program, room, open_directory):
    """Without the '#', too; it names files and a user that are not here."""
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    make_certificate(open_directory)
    (open_directory / "users").write_text("prom:%s\n" % hash_of("x"))
    (open_directory / "users").chmod(0o600)
    text = (room / "tsmbd.conf").read_text()
    text = text.replace("run-as = tsmbd", "run-as = %s" % getpass.getuser())
    if os.geteuid() == 0:
        text = text.replace("run-as = root", "run-as = nobody")
        for name in "key", "users":
            shutil.chown(open_directory / name, "nobody")
    for name in "cert.pem", "key.pem", "users":
        text = text.replace("/etc/tsmbd/" + name,
                            str(open_directory / name.partition(".")[0]))
    place = open_directory / "lib"
    place.mkdir()
    if os.geteuid() == 0:
        shutil.chown(place, "nobody")
    text = re.sub("/var/lib/[a-z/-]*/", "%s/" % place, text)
    path = open_directory / "tsmbd.conf"
    for lines in (text, re.sub(r"^#(?!name)([a-z-]+ = )", r"\1", text,
                               flags=re.MULTILINE)):
        path.write_text(lines)
        subprocess.run([program, "--config", path, "--check-config"],
                       check=True, stdout=subprocess.DEVNULL, timeout=LIMIT)


def test_the_user(room):
    text = (room / "tsmbd.sysusers").read_text()
    assert re.search('^u tsmbd - "', text, re.MULTILINE)
