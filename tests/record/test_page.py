# SPDX-License-Identifier: BSD-2-Clause
"""The program of docs/recorder.md, as it stands there."""

import re
import subprocess


def blocks(page):
    return re.findall(r"^```c?\n(.*?)^```$", page.read_text(),
                      re.DOTALL | re.MULTILINE)


def test_program(source, build, recorder):
    folder = recorder.folder
    page = blocks(source / "docs" / "recorder.md")
    description, = [text for text in page if text.startswith("provider")]
    program, = [text for text in page if text.startswith("#include")]
    (folder / "watch_probes.d").write_text(description)
    (folder / "watch.c").write_text(program)
    subprocess.run(["/usr/bin/python3", str(source / "probegen"),
                    "watch_probes.d"], cwd=str(folder), check=True)
    subprocess.run(["cc", "-Wall", "-Werror", "watch.c", "-I",
                    str(source / "include"), "-L", str(build / "lib/record"),
                    "-lsdtkit-recorder", "-Wl,-rpath," +
                    str(build / "lib/record")], cwd=str(folder), check=True)
    done = subprocess.run(["./a.out"], cwd=str(folder), check=True,
                          stdout=subprocess.PIPE)
    assert done.stdout == b""
    assert recorder.show(folder / "wrong.sdtkit").texts == [
        'watch:job(id=%d, what="wash")' % i for i in range(3)]


def test_sdtkit_trace_reads_it(build, recorder):
    recorder.run("step 3 crash SEGV")
    dump, = recorder.files("dump")
    done = recorder.call(build / "lib" / "tool" / "sdtkit", "trace",
                         "--snapshot", dump)
    assert done.returncode == 0
    assert done.stdout.count("rec:step(number=") == 3
    assert "signal 11" in done.stderr
