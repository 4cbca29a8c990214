/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/machine.h - the differences between machines.
 *
 * Only machine-entry.h contains others of them. A machine that is not listed here uses
 * the defaults.
 *
 *	SDTKIT_PLAIN_NOP	the instruction at a site; on x86-64 a second one
 *				follows, see below
 *	SDTKIT_REGISTERS	how many arguments of a probe of <sys/sdt.h>
 *				(sdt/sys/sdt.h) are in registers; the others are
 *				in the frame
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
 * Where the arguments of a function are at its entry differs, too: that is in
 * machine-entry.h, which only single sites need.
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

#ifdef __x86_64__
#define SDTKIT_REGISTERS	6
#endif

#elif defined(__aarch64__)
/* -------------------------------------------------------------- aarch64 */

#ifndef __clang__
#define SDTKIT_LOAD	"ldrh\t%w0, %1"
#endif
#define SDTKIT_MEMORY(offset)	"[%0, " offset "]"

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

#elif defined(__powerpc__)
/* ---------------------------------------------------------------- power */

/* Not register 0, which stands for no register in an address. */
#define SDTKIT_ADDRESS		"b"

#elif defined(__s390__)
/* ---------------------------------------------------------------- s390x */

/* The nop of s390x has an operand. */
#define SDTKIT_PLAIN_NOP	"nop 0"
/* Not register 0, which stands for no register in an address. */
#define SDTKIT_ADDRESS		"a"
#define SDTKIT_REGISTERS	6

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
#if __SIZEOF_LONG__ == 4 || defined(SDTKIT_USE_FRAME)
#undef SDTKIT_REGISTERS
#define SDTKIT_REGISTERS	0
#elif !defined(SDTKIT_REGISTERS)
#define SDTKIT_REGISTERS	12
#endif
/*
 * A tracer follows pointers, so the stores before the site must have been made:
 * the site clobbers memory.
 */
#ifndef SDTKIT_CLOBBERS
#define SDTKIT_CLOBBERS		"memory"
#endif

/* ------------------------------------------------------ what is at a site */

/*
 * -DSDTKIT_NOP chooses what is at the site:
 *	nop10	the default on x86-64: a nop, where tracers put their trap, and
 *		behind it a nop of ten bytes, 66 2e 0f 1f 84 00 00 00 00 00, in
 *		which there is room for a jump. The note has the address of the
 *		first
 *	nop	the default and the only choice on other machines: the nop alone
 *	nop5	an error. Linux 6.18 turns the five-byte nop of a traced site
 *		into a call: its return address overwrites the red zone below
 *		the stack, and children forked while traced die at the site
 */
#define SDTKIT_NOP_IS_	1	/* -DSDTKIT_NOP= */
#define SDTKIT_NOP_IS_nop	1
#define SDTKIT_NOP_IS_nop5	5
#define SDTKIT_NOP_IS_nop10	10
#define SDTKIT_NOP_IS(nop)	SDTKIT_NOP_IS_##nop
#define SDTKIT_NOP_SIZE(nop)	SDTKIT_NOP_IS(nop)
#ifndef SDTKIT_NOP
#ifdef __x86_64__
#define SDTKIT_NOP	nop10
#else
#define SDTKIT_NOP	nop
#endif
#endif

#if SDTKIT_NOP_SIZE(SDTKIT_NOP) == 5
#error "SDTKIT_NOP=nop5: Linux 6.18 makes a call of it, which \
overwrites the red zone and kills forked children; use nop or nop10"
#elif SDTKIT_NOP_SIZE(SDTKIT_NOP) == 10 && defined(__x86_64__)
#define SDTKIT_ASM_NOP	\
	"nop\n	.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n"
#elif SDTKIT_NOP_SIZE(SDTKIT_NOP) == 1
#define SDTKIT_ASM_NOP	SDTKIT_PLAIN_NOP "\n"
#else
#error "SDTKIT_NOP is nop, or on x86-64 nop10"
#endif

#endif /* SDTKIT_MACHINE_H */
