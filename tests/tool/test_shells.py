# SPDX-License-Identifier: BSD-2-Clause
"""Completion for zsh and fish, and that of probegen."""

import os
import pty
import select
import subprocess
import time

import pytest

import completion_tool
from programs import which

# What compadd is given, for a line that ends at the cursor.
ZSH = """
zmodload zsh/parameter
fpath=($1 $fpath)
autoload -Uz _sdtkit
autoload +X _sdtkit
compadd() {
	local -a given
	while [[ $1 == -* ]]; do
		[[ $1 == -[Sda] ]] && shift
		[[ $1 == -l ]] || break
		shift
	done
	given=("${(@P)argv[-1]}")
	(( ${#given} )) && print -l -- $given
}
words=("${(@s: :)2}")
CURRENT=${#words}
PREFIX=${words[-1]}
_sdtkit
true
"""
LINES = [
    ("sdtkit ch", ["check"]),
    ("sdtkit list --tr", ["--traced"]),
    ("sdtkit list --color=a", ["--color=always", "--color=auto"]),
    ("sdtkit check --for=perf,b", ["--for=perf,bcc", "--for=perf,bpftrace"]),
    ("sdtkit list --description s", ["server.d", "sub/"]),
    ("sdtkit gen --depf", ["--depfile"]),
    ("probegen --emit std", []),
    ("probegen --emit stan", ["standalone"]),
    ("probegen --check", ["--check-current"]),
    ("probegen --dep", ["--depend-on-probegen", "--depfile"]),
    ("probegen -Wdep", ["-Wdependency-file"]),
    ("probegen -Wno-dep", ["-Wno-dependency-file"]),
    ("probegen -I s", ["sub/"]),
    ("probegen -D X", []),
    ("probegen -o s", ["server.d", "sub/"]),
    ("probegen ser", ["server.d"]),
    ("tsmbd --top=f", ["--top=files"]),
    ("tsmbd --flame s", ["server.d", "sub/"]),
]


@pytest.fixture(scope="module")
def share(source, tmp_path_factory):
    folder = tmp_path_factory.mktemp("share")
    completion_tool.place(source, folder)
    return folder


@pytest.fixture
def environment(build, tmp_path):
    """A directory with two files, and the commands in PATH."""
    (tmp_path / "server.d").touch()
    (tmp_path / "sub").mkdir()
    return {"cwd": tmp_path, "text": True, "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "env": dict(os.environ, HOME=str(tmp_path), PATH="%s:%s:%s" % (
                build / "lib" / "tool", build / "lib" / "tsmbd",
                os.environ["PATH"]))}


def need(shell):
    if not which(shell):
        pytest.skip(shell + " is missing")


@pytest.mark.parametrize("line, words", LINES)
def test_zsh(line, words, share, environment):
    need("zsh")
    done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh",
                           share / "zsh/site-functions", line], **environment)
    assert (sorted(done.stdout.split()), done.stderr) == (words, "")


@pytest.mark.parametrize("line, words", LINES)
def test_fish(line, words, share, environment):
    need("fish")
    done = subprocess.run(
        ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
         "--", share / "fish/vendor_completions.d" / (
             line.split()[0] + ".fish"), line], **environment)
    offers = [row.split("\t")[0] for row in done.stdout.splitlines()]
    assert (sorted(offers), done.stderr) == (words, "")


def test_descriptions(share, environment):
    """Options and commands come with what the help says of them."""
    def rows(line):
        done = subprocess.run(["bash", share / "sdtkit/completion.bash", line],
                              **environment)
        return dict(row.split("\t") for row in done.stdout.splitlines())
    assert rows("sdtkit ch") == {
        "check": "compare programs with their description"}
    texts = rows("sdtkit list --")
    assert texts["--traced"].startswith("with -p, -n, -a")
    assert texts["--pid="].startswith("list what a process has mapped")
    assert rows("probegen --al") == {
        "--alias": "give the sites of provider P a second note, as provider Q",
        "--always": "write the output even if it would not change"}
    assert rows("sdtkit list s") == {"server.d": "", "sub/": ""}
    assert rows("nothing --") == {}


def test_zsh_on_a_terminal(share, environment):
    need("zsh")
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        ["zsh", "-f", "-i"], stdin=follower, stdout=follower, stderr=follower,
        cwd=environment["cwd"], env=dict(environment["env"], TERM="dumb"),
        start_new_session=True)
    try:
        os.write(leader, b"fpath=(%s $fpath); autoload -Uz compinit; "
                 b"compinit -u -D; print re''ady\n"
                 % os.fsencode(str(share / "zsh/site-functions")))
        wait_for(leader, b"ready")
        os.write(leader, b"sdtkit che\t")
        wait_for(leader, b"check")
    finally:
        process.kill()
        process.wait()
        os.close(leader)
        os.close(follower)


def wait_for(terminal, word):
    said, end = b"", time.monotonic() + 300
    while word not in said:
        assert time.monotonic() < end, said
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 4096)


def test_each_option_of_probegen(share, environment, source):
    """What the command line knows is offered, except for what it ignores."""
    text = (source / "probegen/cli.py").read_text()
    long = text[text.index("_LONG = ["):].split("]")[0]
    names = {"--" + word.strip(' "\n=') for word in
             long.split("[")[1].split(",")} - {"--types", "--no-pyparsing"}
    done = subprocess.run(["bash", share / "sdtkit/completion.bash",
                           "probegen -"], **environment)
    offers = {row.split("\t")[0] for row in done.stdout.splitlines()}
    assert names | {"-h", "-G", "-C", "-s", "-o", "-I", "-D", "-U", "-V"} <= (
        offers)
