# SPDX-License-Identifier: BSD-2-Clause
"""http_none.c, with which tsmbd is built where libmicrohttpd is missing."""

import os
import re
import subprocess

from demo_server import LIMIT

MAIN = """
#include "http/http.h"

int main(void)
{
	static struct http_options options;

	options.listen = "127.0.0.1";
	http_page("/", 0);
	http_reread(&options);
	http_start();
	http_tick();
	http_stop();
	if (http_header(0, "") != 0)
		return 2;
	http_check(&options);
	return 3;
}
"""


def test_it_builds_and_says_so(source, tmp_path):
    lib = source / "lib"
    (tmp_path / "main.c").write_text(MAIN)
    for file in tmp_path / "main.c", lib / "http" / "http_none.c":
        subprocess.run(
            [os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE",
             "-Wall", "-Wextra", "-Wno-unused-parameter",
             "-Wmissing-prototypes", "-Werror", "-c",
             "-I", lib, "-I", lib / "tsmbd", "-I", lib / "slots",
             "-I", lib / "text", "-I", lib / "symbols", file,
             "-o", tmp_path / (file.stem + ".o")], check=True)
    names = subprocess.run(
        ["nm", "--defined-only", "--extern-only", tmp_path / "http_none.o"],
        stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    declared = re.findall(r"^[^ *\t/].*?\b(http_\w+)\(",
                          (lib / "http" / "http.h").read_text(),
                          re.MULTILINE)
    assert sorted(line.split()[2] for line in names.splitlines()) == \
        sorted(set(declared) - {"http_get"})
    subprocess.run([os.environ.get("CC", "cc"), tmp_path / "main.o",
                    tmp_path / "http_none.o", "-o", tmp_path / "main"],
                   check=True)
    done = subprocess.run([tmp_path / "main"], stderr=subprocess.PIPE,
                          timeout=LIMIT)
    assert done.returncode == 1
    assert done.stderr == (b"main: --listen=127.0.0.1: this program was "
                           b"built without libmicrohttpd\n")
