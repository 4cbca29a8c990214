/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/machine-entry.h - where the arguments of a function are at its entry.
 *
 * It is for single sites, see site-single.h: a machine that is not listed here
 * has none. On aarch64 the third argument is SDTKIT_ABI_2, "x2".
 *
 *	SDTKIT_RETURN		returns from a function
 *	SDTKIT_ABI_0 to _11	registers, then the stack
 *
 * The stack at a function's entry: psABI of x86-64 3.2.3, AAPCS64 6.8.2,
 * OpenPOWER ELF v2 2.2.3 (the first stack slot is that of the ninth word),
 * s390x ELF 1.2.3, RISC-V 2.1, LoongArch procedure call standard, "argument
 * passing".
 *
 * Included by sdtkit/site-single.h. The guide to adding a machine is in
 * docs/architectures.md.
 */
#ifndef SDTKIT_MACHINE_ENTRY_H
#define SDTKIT_MACHINE_ENTRY_H

#if defined(__x86_64__) && defined(__LP64__)
/* ----------------------------------------------------------------- x86-64 */

#define SDTKIT_RETURN	"ret"
#define SDTKIT_ABI_0	"%%rdi"
#define SDTKIT_ABI_1	"%%rsi"
#define SDTKIT_ABI_2	"%%rdx"
#define SDTKIT_ABI_3	"%%rcx"
#define SDTKIT_ABI_4	"%%r8"
#define SDTKIT_ABI_5	"%%r9"
#define SDTKIT_ABI_6	"8(%%rsp)"
#define SDTKIT_ABI_7	"16(%%rsp)"
#define SDTKIT_ABI_8	"24(%%rsp)"
#define SDTKIT_ABI_9	"32(%%rsp)"
#define SDTKIT_ABI_10	"40(%%rsp)"
#define SDTKIT_ABI_11	"48(%%rsp)"

#elif defined(__aarch64__) && defined(__LP64__)
/* ---------------------------------------------------------------- aarch64 */

#define SDTKIT_RETURN	"ret"
#define SDTKIT_ABI_0	"x0"
#define SDTKIT_ABI_1	"x1"
#define SDTKIT_ABI_2	"x2"
#define SDTKIT_ABI_3	"x3"
#define SDTKIT_ABI_4	"x4"
#define SDTKIT_ABI_5	"x5"
#define SDTKIT_ABI_6	"x6"
#define SDTKIT_ABI_7	"x7"
#define SDTKIT_ABI_8	"[sp]"
#define SDTKIT_ABI_9	"[sp, 8]"
#define SDTKIT_ABI_10	"[sp, 16]"
#define SDTKIT_ABI_11	"[sp, 24]"

#elif defined(__loongarch__) && __loongarch_grlen == 64
/* -------------------------------------------------------------- LoongArch */

#define SDTKIT_RETURN	"jirl\t$zero, $ra, 0"
#define SDTKIT_ABI_0	"$r4"
#define SDTKIT_ABI_1	"$r5"
#define SDTKIT_ABI_2	"$r6"
#define SDTKIT_ABI_3	"$r7"
#define SDTKIT_ABI_4	"$r8"
#define SDTKIT_ABI_5	"$r9"
#define SDTKIT_ABI_6	"$r10"
#define SDTKIT_ABI_7	"$r11"
#define SDTKIT_ABI_8	"$r3,0"
#define SDTKIT_ABI_9	"$r3,8"
#define SDTKIT_ABI_10	"$r3,16"
#define SDTKIT_ABI_11	"$r3,24"

#elif defined(__powerpc64__) && defined(_CALL_ELF) && _CALL_ELF == 2
/* ------------------------------------------------------------------ power */

#define SDTKIT_RETURN	"blr"
#define SDTKIT_ABI_0	"3"
#define SDTKIT_ABI_1	"4"
#define SDTKIT_ABI_2	"5"
#define SDTKIT_ABI_3	"6"
#define SDTKIT_ABI_4	"7"
#define SDTKIT_ABI_5	"8"
#define SDTKIT_ABI_6	"9"
#define SDTKIT_ABI_7	"10"
#define SDTKIT_ABI_8	"96(1)"
#define SDTKIT_ABI_9	"104(1)"
#define SDTKIT_ABI_10	"112(1)"
#define SDTKIT_ABI_11	"120(1)"

#elif defined(__riscv) && __riscv_xlen == 64
/* ----------------------------------------------------------------- RISC-V */

#define SDTKIT_RETURN	"ret"
#define SDTKIT_ABI_0	"a0"
#define SDTKIT_ABI_1	"a1"
#define SDTKIT_ABI_2	"a2"
#define SDTKIT_ABI_3	"a3"
#define SDTKIT_ABI_4	"a4"
#define SDTKIT_ABI_5	"a5"
#define SDTKIT_ABI_6	"a6"
#define SDTKIT_ABI_7	"a7"
#define SDTKIT_ABI_8	"0(sp)"
#define SDTKIT_ABI_9	"8(sp)"
#define SDTKIT_ABI_10	"16(sp)"
#define SDTKIT_ABI_11	"24(sp)"

#elif defined(__s390x__)
/* ------------------------------------------------------------------ s390x */

#define SDTKIT_RETURN	"br\t%%r14"
#define SDTKIT_ABI_0	"%%r2"
#define SDTKIT_ABI_1	"%%r3"
#define SDTKIT_ABI_2	"%%r4"
#define SDTKIT_ABI_3	"%%r5"
#define SDTKIT_ABI_4	"%%r6"
#define SDTKIT_ABI_5	"160(%%r15)"
#define SDTKIT_ABI_6	"168(%%r15)"
#define SDTKIT_ABI_7	"176(%%r15)"
#define SDTKIT_ABI_8	"184(%%r15)"
#define SDTKIT_ABI_9	"192(%%r15)"
#define SDTKIT_ABI_10	"200(%%r15)"
#define SDTKIT_ABI_11	"208(%%r15)"

#endif

#endif /* SDTKIT_MACHINE_ENTRY_H */
