# SPDX-License-Identifier: BSD-2-Clause
"""Guests with the kernels of Debian's releases, and what is run in each.

    kernels.py      the kernels, and the machines
    features.py     what is run: mostly tests of other rooms, in the guest
    loader.py       compiles usdt.c, for one of them
    in_guest.py     runs pytest, or a program, in a guest; what came of it
    results/        a JSON file for each kernel: what came of the last run;
                    recorded.py reads and writes them
    machines.py     the same for kernels of other machines, by hand
    page.py         makes docs/kernels.md of these files

    ./dev test --kernels                                all of it
    SDTKIT_KERNELS=6.1,7.2 ...                          these kernels
    SDTKIT_REGENERATE=1 ...                             writes results/

Emulation (qemu's TCG) is about 20 times slower than the machine, and no guest
tells honest times.
"""
