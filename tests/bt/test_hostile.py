# SPDX-License-Identifier: BSD-2-Clause
"""Scripts that nobody would write, and files with many probes or with names
that are no names: an answer comes soon, and nothing gets into the script."""

import itertools
import random
import re
import subprocess

import pytest

from conftest import HERE
from opt_in import usual

PARTS = ["args", ".", "->", "req", "peer", "port", "key", "grid", "[", "]",
         "{", "}", "(", ")", "/", "*", "//", '"', "\n", " ", "smb:done", "!",
         "smb:start", ",", "usdt:", "name", "==", "CREATE", "$x", "@", "arg9",
         "arg1", "str", "#", "struct", "BEGIN", "1", "9" * 30, "\\", ":"]


@pytest.fixture
def answers(sdtkit, notes, tmp_path):
    """answers(text): what sdtkit bt --print makes of it."""
    def run(text, *files):
        path = tmp_path / "script.bt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = sdtkit("--print", "--target", "0.17", path, *(files or [notes]),
                      errors="replace")
        assert done.returncode in (0, 2), done
        assert (done.returncode == 2) == (done.stdout == ""), done
        return done
    return run


@pytest.mark.parametrize("seed", usual(list(range(40)), *range(8)))
def test_garbage(answers, seed):
    chosen = random.Random(seed)
    answers(bytes(chosen.randrange(1, 256) for _ in range(300)))
    words = " ".join(chosen.choice(PARTS) for _ in range(60))
    answers(words)
    answers("smb:done,smb:start { %s }" % words)


@pytest.mark.parametrize("text", [
    "smb:start { %s }" % ("@[args.user, args.opcode == CREATE] = 1;\n" * 25000),
    "smb:start { %s }" % ("@[args.usr] = 1; " * 60000),
    "smb:* { @ = 1; }\n" * 20000,
    "smb:start { " + "{" * 300000 + "}" * 300000 + "}",
    "smb:done { " + "args.req.key[" * 20000 + "1" + "]" * 20000 + "}",
    "smb:done { " + "args.req.key[" * 20000 + "}",
    'smb:start { "' + "x" * 1000000, "smb:start /* " * 90000,
    "smb:start " + "/ " * 200000, "!" * 100000, ":" * 100000, "," * 100000,
], ids=range(12))
def test_long(answers, text):
    answers(text)


def test_many_probes(answers, assembled_many):
    done = answers("many:*,!many:probe7 { @[probe] = args.value; }",
                   assembled_many)
    assert done.stdout.count("usdt:") == 499
    assert len(done.stdout.splitlines()) == 1


@pytest.fixture
def assembled_many(tmp_path):
    return assemble(tmp_path, "".join(
        '\tprobe many, probe%d, "8@%%rdi"\n'
        '\tdescribe many, probe%d, "", "u8", "uint64_t", "value"\n' % (i, i)
        for i in range(500)))


def test_many_wordings(answers, tmp_path):
    """The two arguments stand elsewhere in each probe."""
    places = list(itertools.permutations(range(6), 2))
    text = ""
    for i, (y, z) in enumerate(places):
        names = ["x"] * 6
        names[y], names[z] = "y", "z"
        text += ('\tprobe many, probe%d, "8@%%rdi 8@%%rsi 8@%%rdx 8@%%rcx '
                 '8@%%r8 8@%%r9"\n\tdescribe many, probe%d, ""%s\n' % (
                     i, i, "".join(', "u8", "uint64_t", "%s"' % name
                                   for name in names)))
    done = answers("many:* { @[args.y] = args.z; }", assemble(tmp_path, text))
    found = re.findall(r"@\[arg(\d)\] = arg(\d);", done.stdout)
    assert sorted((int(y), int(z)) for y, z in found) == places


def assemble(folder, text):
    (folder / "many.s").write_text('\t.include "notes.inc"\n' + text)
    subprocess.run(["gcc", "-nostdlib", "-shared",
                    "-Wa,-I," + str(HERE.parent / "tool"),
                    str(folder / "many.s"), "-o", str(folder / "many.so")],
                   check=True)
    return folder / "many.so"


@pytest.mark.parametrize("name", [
    "x { system(1) } BEGIN", "x*", "x,y", "x\\n", "x:y", "x\\042y"])
def test_names_of_probes_stay_names(answers, tmp_path, name):
    path = assemble(tmp_path, '\tprobe odd, "%s", "8@%%rdi"\n' % name)
    done = answers("odd:* { print(1); }", path)
    assert done.returncode == 2 or 'odd:"%s" {' % name in done.stdout
