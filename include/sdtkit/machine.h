/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/machine.h - the differences between machines.
 *
 * No other header contains any of them. A machine that is not listed here uses
 * the defaults.
 *
 *	SDTKIT_PLAIN_NOP	the instruction at a site; on x86-64 a second one
 *				follows, see site-native.h
 *	SDTKIT_OPERAND(n)	how the text of an asm names operand n
 *	SDTKIT_LOAD		loads the semaphore %1 into %0, if that takes
 *				fewer instructions than the compiler uses
 *	SDTKIT_CLOBBERS		what a site changes, as far as compilers know
 *
 * Memory at the address in register operand 0 plus a number, see operand.h:
 *
 *	SDTKIT_MEMORY(offset)	how the note names that memory
 *	SDTKIT_ADDRESS		the constraint of that operand
 *
 * For single sites, see site-single.h; without them, a machine has no single
 * sites:
 *
 *	SDTKIT_RETURN		returns from a function
 *	SDTKIT_ABI_0 to _11	where the arguments of a function are at its
 *				entry: registers, then the stack
 *
 * The stack at a function's entry: psABI of x86-64 3.2.3, AAPCS64 6.8.2,
 * OpenPOWER ELF v2 2.2.3 (the first stack slot is that of the ninth word),
 * s390x ELF 1.2.3, RISC-V 2.1, LoongArch procedure call standard, "argument
 * passing".
 *
 * Included by sdtkit/operand.h. The guide to adding a machine is in
 * docs/architectures.md.
 */
#ifndef SDTKIT_MACHINE_H
#define SDTKIT_MACHINE_H

#if defined(__x86_64__) || defined(__i386__)
/* -------------------------------------------------------- x86-64, i386 */

#define SDTKIT_ON_X86

/*
 * There are two assembler dialects, {AT&T|Intel}. A note is written in the
 * first, whichever the compiler was asked for (-masm=intel).
 */
#define SDTKIT_OPERAND(n)	"{|%%}%" #n

#if defined(__x86_64__) && defined(__LP64__)
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
#endif

#elif defined(__aarch64__)
/* -------------------------------------------------------------- aarch64 */

#ifndef __clang__
#define SDTKIT_LOAD	"ldrh\t%w0, %1"
#endif
#define SDTKIT_MEMORY(offset)	"[%0, " offset "]"
#ifdef __LP64__
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
#endif

#elif defined(__arm__)
/* ------------------------------------------------------- arm and Thumb */

#ifndef __clang__
#define SDTKIT_LOAD	"ldrh\t%0, %1"
#endif
#define SDTKIT_MEMORY(offset)	"[%0, #" offset "]"
#define SDTKIT_ADDRESS		"l"
/* clang must not use the register that it calls r12: libbpf calls it ip. */
#ifdef __clang__
#define SDTKIT_CLOBBERS		"r12", "memory"
#endif

#elif defined(__loongarch__)
/* ------------------------------------------------------------ LoongArch */

/* gcc writes memory like this; clang writes a blank behind the comma. */
#define SDTKIT_MEMORY(offset)	"%0," offset
#if __loongarch_grlen == 64
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
#endif

#elif defined(__powerpc__)
/* ---------------------------------------------------------------- power */

/* Not register 0, which stands for no register in an address. */
#define SDTKIT_ADDRESS		"b"
#if defined(__powerpc64__) && defined(_CALL_ELF) && _CALL_ELF == 2
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
#endif

#elif defined(__riscv)
/* --------------------------------------------------------------- RISC-V */

#if __riscv_xlen == 64
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
#endif

#elif defined(__s390__)
/* ---------------------------------------------------------------- s390x */

/* The nop of s390x has an operand. */
#define SDTKIT_PLAIN_NOP	"nop 0"
/* Not register 0, which stands for no register in an address. */
#define SDTKIT_ADDRESS		"a"
#ifdef __s390x__
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

#endif
/* ------------------------------------------------------------- defaults */

#ifndef SDTKIT_PLAIN_NOP
#define SDTKIT_PLAIN_NOP	"nop"
#endif
#ifndef SDTKIT_OPERAND
#define SDTKIT_OPERAND(n)	"%" #n
#endif
#ifndef SDTKIT_MEMORY
#define SDTKIT_MEMORY(offset)	offset "(" SDTKIT_OPERAND(0) ")"
#endif
#ifndef SDTKIT_ADDRESS
#define SDTKIT_ADDRESS		"r"
#endif
/*
 * A tracer follows pointers, so the stores before the site must have been made:
 * the site clobbers memory.
 */
#ifndef SDTKIT_CLOBBERS
#define SDTKIT_CLOBBERS		"memory"
#endif

#endif /* SDTKIT_MACHINE_H */
