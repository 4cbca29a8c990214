/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machines whose operands are understood: one line for each. MACHINE(NAME)
 * is the table sdtkit_arch_NAME in arch_NAME.c. arch.h declares them, arch.c
 * makes its list of them, and meson.build finds the files to compile in here.
 *
 * docs/architectures.md tells how a machine is added.
 */
MACHINE(aarch64)
MACHINE(arm)
MACHINE(i386)
MACHINE(loongarch64)
MACHINE(ppc64)
MACHINE(riscv)
MACHINE(s390x)
MACHINE(x86_64)
