# SPDX-License-Identifier: BSD-2-Clause
"""accept/NAME.d is taken, in both forms of header, and both compile. The files
are what DTrace 2.0.7's own `dtrace -h` accepts, and a few that only builds on
Linux have (no final `;`). What it refuses is in err/.
"""

import pathlib
import subprocess

import pytest

from probegen_tool import SOURCE, run
from programs import ALL

ACCEPT = pathlib.Path(__file__).resolve().parent / "accept"
# <sys/sdt.h> is that of SystemTap with --all, else ours
SDT = [] if ALL else ["-I", SOURCE / "include/sdtkit/sdt"]


@pytest.mark.parametrize("form", ["native", "dropin"])
@pytest.mark.parametrize("path", sorted(ACCEPT.glob("*.d")),
                         ids=lambda path: path.stem)
def test_accepted(path, form, tmp_path):
    header = tmp_path / "out.h"
    options = ["-Wno-all"] if form == "native" else ["-h"]
    result = run(*options, "-s", path, "-o", header)
    assert (result.returncode, result.stderr) == (0, "")
    assert header.read_text().count("_ENABLED()") >= path.read_text().count(
        "probe ")
    for language in ["-xc", "-xc++"] if ALL else [
            "-xc" if form == "native" else "-xc++"]:
        subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                        "-I", SOURCE / "include", *SDT, "-include", header,
                        language, "/dev/null"], check=True)
