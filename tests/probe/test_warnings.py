# SPDX-License-Identifier: BSD-2-Clause
"""A header and its probes compile without any warning, wherever they are
used. These warnings of clang's -Weverything are off:

    -Wno-c++98-compat, -Wno-c++98-compat-pedantic
        C++11 is what the header needs: variadic macros, long long
    -Wno-reserved-identifier
        in C++ a name with "__" in it is reserved; probes are called so
        (`a__b`), since D shows "__" as "-"
"""

import subprocess

import pytest

from opt_in import rarely
import probe_tool

COMMON = """-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wcast-qual -Wundef -Wunused-macros -Wredundant-decls -Wpointer-arith
    -Wwrite-strings -Wmissing-declarations -Winline -Wswitch-default
    -Wfloat-equal -Wcast-align -Wformat=2 -Wdouble-promotion""".split()
C = """-Wdeclaration-after-statement -Wc++-compat -Wstrict-prototypes
    -Wmissing-prototypes -Wold-style-definition -Wnested-externs
    -Wbad-function-cast""".split()
GCC = """-Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wjump-misses-init
    -Wstack-usage=4096 -Wtrampolines -Wunsafe-loop-optimizations""".split()
CXX = "-Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant".split()
CLANG = """-Weverything -Wno-c++98-compat -Wno-c++98-compat-pedantic
    -Wno-reserved-identifier""".split()
COMPILERS = {
    "gcc -std=c99": COMMON + C + GCC,
    "gcc -std=gnu17": COMMON + C + GCC,
    "g++ -std=c++11": COMMON + CXX,
    "g++ -std=c++20": COMMON + CXX,
    "clang -std=c99": COMMON + C + CLANG,
    "clang -std=gnu17": COMMON + C + CLANG,
    "clang++ -std=c++11": COMMON + ["-Wold-style-cast"] + CLANG,
    "clang++ -std=c++20": COMMON + ["-Wold-style-cast"] + CLANG,
}


BUILDS = [(compiler, backend) for compiler in COMPILERS
          for backend in [*probe_tool.BACKENDS, "single"]]


@pytest.mark.parametrize("compiler, backend", rarely(BUILDS, [
    ("gcc -std=c99", "native"), ("gcc -std=gnu17", "single"),
    ("g++ -std=c++20", "native"), ("clang -std=gnu17", "native"),
    ("clang++ -std=c++11", "native"), ("clang++ -std=c++20", "none")]))
def test_no_warning(compiler, backend, tmp_path, unavailable):
    probe_tool.need_backend(backend, unavailable)
    probe_tool.generate(
        tmp_path, single=probe_tool.PROBES if backend == "single" else ())
    command = compiler.split()
    run = subprocess.run(
        [*command, *COMPILERS[compiler], "-O2",
         *probe_tool.BACKENDS.get(backend, []), "-I", tmp_path, "-I",
         probe_tool.SOURCE / "include", "-c", "-o", tmp_path / "w.o",
         "-xc++" if "++" in command[0] else "-xc",
         probe_tool.HERE / "warnings.c"], stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (0, "")
