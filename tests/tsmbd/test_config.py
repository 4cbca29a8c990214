# SPDX-License-Identifier: BSD-2-Clause
"""The configuration file: every option, and what is wrong with a file."""

import os
import shutil
import subprocess

import pytest

from demo_server import LIMIT
from serving import has_no_http, hash_of, make_certificate


@pytest.fixture
def check(program, tmp_path):
    """check(text, option...): what --check-config says of such a file."""
    path = tmp_path / "tsmbd.conf"

    def run(text, *options):
        if text is not None:
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return subprocess.run(
            [program, *options, "--config", path, "--check-config"],
            capture_output=True, timeout=LIMIT, text=True)
    run.path = path
    return run


@pytest.fixture
def out(open_directory):
    """A directory in which the user of the service may write."""
    open_directory.chmod(0o777)
    return open_directory


def is_good(result):
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "the configuration is good\n"


def service_is(result, *lines, stderr=""):
    """A good configuration of a service, and what it does."""
    assert (result.returncode, result.stderr) == (0, stderr)
    assert result.stdout.splitlines() == [
        "the configuration is good: the service",
        "  traces processes that are called smbd", *lines]


def is_wrong(check, result, line, text):
    where = "%s:%d" % (check.path, line) if line else str(check.path)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr == "tsmbd: %s: %s\n" % (where, text)


@pytest.mark.parametrize("text", [
    "", "\n\n", "# a comment", "top = clients", "  top=clients,files  \r\n",
    "top = clients\ntop = files\t# twice\nby = bytes\n", "errors = yes\n",
    "errors = no", "slow = 0.5", "run-as = nobody", "share = a#b",
    "node = 0",
    "\t # one\n\nname = smbd",
])
def test_good(check, text):
    is_good(check(text))


@pytest.mark.parametrize("text, line, says", [
    ("nam = x", 1, "unknown key 'nam': did you mean 'name'?"),
    ("\n#\nzzzz = 1", 3, "unknown key 'zzzz': use the name of a long option, "
     "without the '--'"),
    ("errors", 1, "'errors' has no '=': write it as KEY = VALUE"),
    ("[x]", 1, "'[x]' begins a section, and this file has none: write each "
     "option as KEY = VALUE"),
    ("username = anna", 1, "unknown key 'username': use 'user' for those "
     "whose requests are counted, or 'run-as' for the user of the service"),
    ("= 1", 1, "unknown key '': use the name of a long option, without the "
     "'--'"),
    ("errors = maybe", 1, "invalid value 'maybe' for errors: use no or yes"),
    ("errors =", 1, "invalid value '' for errors: use no or yes"),
    ("slow = fast", 1, "invalid value 'fast' for slow: use a number of "
     "milliseconds"),
    ("\ninterval = 5s", 2, "invalid value '5s' for interval: use a number of "
     "seconds, at least 0.01"),
    ("frequency = 0", 1, "invalid value '0' for frequency: use a whole "
     "number from 1 to 1000000000"),
    ("share = a,,b", 1, "share has an empty name: put one comma between two "
     "names"),
    ("history = x\nhistory-size = 10M", 2, "invalid value '10M' for "
     "history-size: use a whole number of MiB, from 1 to 1048576"),
    ("run-as =", 1, "invalid value '' for run-as: it is empty"),
    ("listen = 127.0.0.1\n\nlisten = ::1", 3, "'listen' is set in line 1 "
     "already: remove one of the two lines"),
    ("errors = no\nerrors = yes", 2, "'errors' is set in line 1 already: "
     "remove one of the two lines"),
    ("top = 'clients'", 1, "the value of 'top' begins with a quote: write it "
     "without quotes"),
    ("config = x", 1, "'config' cannot be set in a file: give --config on "
     "the command line"),
    ("daemon = yes", 1, "'daemon' cannot be set in a file: give --daemon on "
     "the command line"),
    ("top = cli\0ents", 1, "the line has a byte of 0: this is not a text "
     "file"),
    ("top = \x1b[2J\udcff\x7f\n", 1, "invalid value '?[2J??' for top: "
     "use clients, users, shares or files"),
    ("a\x1bb = 1", 1, "unknown key 'a?b': use the name of a long option, "
     "without the '--'"),
    ("command = open", 1, "invalid value 'open' for command: use names of "
     "SMB2, as in create,query_directory"),
])
def test_wrong(check, text, line, says):
    is_wrong(check, check(text), line, says)


REPORTS = ("the service prints no reports: leave out interval, count, json, "
           "heatmap and flame")


@pytest.mark.parametrize("text, line, says", [
    ("listen = 0.0.0.0:1", 1, "listen=0.0.0.0:1: everybody in the network "
     "could read names of files and users: use auth=FILE, or no-auth to "
     "allow that"),
    ("listen = ::1\ntls-cert = /x", 2, "tls-cert and tls-key have to be "
     "given together"),
    ("\ninterval = 5", 2, REPORTS),
    ("name = smbd\n\nheatmap = x.svg", 3, REPORTS),
    ("name = smbd\nfile = /usr/sbin/smbd", 2, "name and file exclude each "
     "other: use one of them"),
    ("history-size = 64", 1, "history-size has no effect without history"),
    ("#\nsave-size = 5", 2, "save-size has no effect without save"),
    ("save = x", 1, "save has no effect without when"),
    ("top-series = 5", 1, "top-series has no effect without listen or "
     "textfile"),
    ("\nrun-as = no --such --user\n", 2, "there is no user 'no --such "
     "--user': give another one with run-as"),
    ("# who\nrun-as = root", 2, "run-as cannot be root: use a user that "
     "owns nothing else"),
])
def test_what_would_end_the_service(check, text, line, says):
    is_wrong(check, check(text, "--daemon"), line, says)


def test_the_place_is_that_of_the_last_one(check):
    """The command line comes last, so the line of the file is not meant."""
    result = check("run-as = nobody", "--run-as=no-such-user")
    assert (result.returncode, result.stderr) == (
        1, "tsmbd: there is no user 'no-such-user': give another one with "
        "--run-as\nTry 'tsmbd --help'.\n")


@pytest.mark.parametrize("text", [
    "listen = 0.0.0.0\nno-auth = yes",
    "listen = 127.1.2.3", "listen = ::1", "listen = unix:/x"])
def test_who_may_connect_is_said(check, text):
    is_good(check(text))


@pytest.fixture
def has_http(program):
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")


def test_files_of_passwords(check, has_http, tmp_path):
    users = tmp_path / "users"
    text = "listen = [::]\nauth = %s" % users
    is_wrong(check, check(text), 2, "auth=%s: No such file or directory" %
             users)
    users.write_text("prom:plain\n")
    users.chmod(0o600)
    result = check(text)
    assert (result.returncode, result.stdout) == (1, "")
    assert "users:1: not a hash" in result.stderr
    users.write_text("prom:%s\n" % hash_of("x"))
    is_good(check(text))
    users.chmod(0o644)
    is_wrong(check, check(text), 2, "auth=%s: others may read or change the "
             "file: use 'chmod 640' or 'chmod 600'" % users)


def test_certificates(check, has_http, tmp_path):
    text = "listen = [::1]\ntls-cert = %s\ntls-key = %s" % (
        tmp_path / "cert", tmp_path / "key")
    is_wrong(check, check(text), 2, "tls-cert=%s/cert: No such file or "
             "directory" % tmp_path)
    make_certificate(tmp_path)
    is_good(check(text))
    cert = (tmp_path / "cert").read_bytes()
    make_certificate(tmp_path)
    (tmp_path / "cert").write_bytes(cert)
    is_wrong(check, check(text), 2, "tls-cert=%s/cert: this and %s/key are "
             "not a certificate and its key, as PEM" % (tmp_path, tmp_path))


def test_files_are_read_as_the_user(program, has_http, open_directory):
    """As the service will do; root could read them."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    users = open_directory / "users"
    users.write_text("prom:%s\n" % hash_of("x"))
    users.chmod(0o600)
    options = [program, "serve", "--check-config", "--listen=127.0.0.1",
               "--auth=%s" % users, "--run-as=nobody"]
    done = subprocess.run(options, stderr=subprocess.PIPE, timeout=LIMIT)
    assert done.returncode == 1 and b"Permission denied" in done.stderr
    # a login of root is in root's group, too; the service will not be
    users.chmod(0o640)
    done = subprocess.run(options, stderr=subprocess.PIPE, timeout=LIMIT,
                          preexec_fn=lambda: os.setgroups([0]))
    assert done.returncode == 1 and b"Permission denied" in done.stderr
    shutil.chown(users, "nobody")
    assert subprocess.run(options, timeout=LIMIT).returncode == 0


def test_a_service_that_makes_nothing(check, out):
    """As the example does whose lines are all comments."""
    nothing = ("tsmbd: the service makes nothing: set listen, textfile, "
               "history, html or when\n")
    done = check("# html = page.html\nrun-as = nobody", "--daemon")
    assert (done.returncode, done.stderr) == (0, nothing)
    assert done.stdout.splitlines() == [
        "the configuration has no mistakes, but the service",
        "  traces processes that are called smbd",
        "  runs as the user nobody", "  makes nothing"]
    service_is(check("html = %s/x.html\nrun-as = nobody" % out, "--daemon"),
               "  runs as the user nobody", "  writes the page to %s/x.html" % out)
    is_good(check("# html = page.html"))


def test_what_a_service_would_do(check, has_http, out):
    text = """run-as = nobody
share = home
share = \x1b[2Jx
command = read
listen = unix:/x
textfile = {0}/x.prom
history = {0}/h
history-size = 5
when = connections > 900
when = connections > 990
save = {0}/i
html = {0}/p""".format(out)
    service_is(
        check(text, "--daemon"),
        "  counts only requests of these shares: home, ?[2Jx",
        "  counts only requests of some commands",
        "  runs as the user nobody",
        "  serves metrics and the page at unix:/x",
        "  writes metrics to %s/x.prom" % out,
        "  keeps a history of at most 5 MiB in %s/h" % out,
        "  watches for incidents: 2 conditions",
        "  saves at most 256 MiB of incidents in %s/i" % out,
        "  writes the page to %s/p" % out)


def test_user_is_not_run_as(check, out):
    """Who means the user of the service counts nothing."""
    text = ("run-as = nobody\ntextfile = %s/x\nuser = anna\nuser = %%s" %
            out)
    does = ("  counts only requests of these users of clients: anna, %s",
            "  runs as the user nobody", "  writes metrics to %s/x" % out)
    service_is(check(text % "bob", "--daemon"), does[0] % "bob", *does[1:])
    service_is(check(text % "nobody", "--daemon"), does[0] % "nobody",
               *does[1:], stderr="tsmbd: %s:4: user = nobody counts only "
               "requests of clients that log on by this name: the user of the "
               "service is set by run-as\n" % check.path)


def test_a_large_file(check):
    is_wrong(check, check("#" * (1 << 20) + "x"), 0,
             "cannot read the configuration: it is larger than 1048576 bytes")


def test_a_long_value_is_cut(check):
    result = check("top = " + "x" * 100000)
    assert result.returncode == 1 and len(result.stderr) < 1000


def test_no_regular_file(check):
    is_wrong(check, check(None), 0,
             "cannot read the configuration: No such file or directory")
    check.path.mkdir()
    is_wrong(check, check(None), 0,
             "cannot read the configuration: it is not a regular file")
    check.path.rmdir()
    os.mkfifo(check.path)
    is_wrong(check, check(None), 0,
             "cannot read the configuration: it is not a regular file")


def test_the_command_line_comes_last(check):
    """A wrong value of it is no fault of the file."""
    is_good(check("by = bytes", "--top", "files"))
    result = check("top = files", "--slow", "x")
    assert result.returncode == 1
    assert result.stderr == (
        "tsmbd: invalid value 'x' for --slow: use a number of milliseconds\n"
        "Try 'tsmbd --help'.\n")


def test_an_option_is_no_value(check):
    """A value was forgotten; one behind "=" may be anything."""
    result = check("", "--html", "--history=DIR")
    assert (result.returncode, result.stderr) == (
        1, "tsmbd: --html needs a value, and '--history=DIR' was taken for "
        "it: use --html=VALUE\nTry 'tsmbd --help'.\n")
    is_good(check("", "--html=--history"))


def test_it_must_make_sense_together(check):
    is_wrong(check, check("by = bytes"), 1,
             "by and lines have no effect without top")


def test_on_the_command_line_it_is_an_option(check):
    result = check("", "--history-size=10M")
    assert (result.returncode, result.stderr) == (
        1, "tsmbd: invalid value '10M' for --history-size: use a whole number "
        "of MiB, from 1 to 1048576\nTry 'tsmbd --help'.\n")
    result = check("by = bytes", "--by=time")
    assert (result.returncode, result.stderr) == (
        1, "tsmbd: --by and --lines have no effect without --top\n"
        "Try 'tsmbd --help'.\n")


@pytest.mark.parametrize("words", [[], ["serve"], ["replay"], ["merge"]])
def test_the_program_has_no_path(program, words):
    """In messages of getopt(3), too."""
    result = subprocess.run([program, *words, "--no-such-option"],
                            stderr=subprocess.PIPE, timeout=LIMIT,
                            universal_newlines=True)
    assert result.returncode == 1
    assert result.stderr.startswith(
        "tsmbd: unrecognized option '--no-such-option'\n")


@pytest.mark.parametrize("words, said", [
    (["--lisen=1"], "tsmbd: unrecognized option '--lisen=1'\n"
     "tsmbd: did you mean --listen?\n"),
    (["--xyzzy"], "tsmbd: unrecognized option '--xyzzy'\n"),
    (["-@"], "tsmbd: invalid option -- '@'\n"),
])
def test_unknown_options(program, words, said):
    result = subprocess.run([program, *words], stderr=subprocess.PIPE,
                            timeout=LIMIT, text=True)
    assert (result.returncode, result.stderr) == (
        1, said + "Try 'tsmbd --help'.\n")


@pytest.mark.parametrize("option, says", [
    ("--run-as=nobody", "have no effect without --daemon"),
    ("--pid-file=x", "have no effect without --daemon"),
    ("--auth=x", "have no effect without --listen"),
    ("--no-auth", "have no effect without --listen"),
    ("--tls-cert=x", "have no effect without --listen"),
])
def test_what_would_not_protect_is_refused(program, option, says):
    result = subprocess.run([program, option, "-f", "/none"],
                            stderr=subprocess.PIPE, timeout=LIMIT,
                            universal_newlines=True)
    assert result.returncode == 1
    assert says in result.stderr
