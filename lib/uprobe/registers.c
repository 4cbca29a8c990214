/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers.c - where the kernel keeps the registers of a process: for rdi of
 * x86-64, whose number is 5 in DWARF, in word 14 of its struct pt_regs.
 *
 * A machine of 32 bits has no such word.
 */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/ptrace.h>
#include <sdtkit/notes.h>

#include "registers.h"

#define WORD(type, member)	(offsetof(type, member) / sizeof(uint64_t))

/* Each machine has the word of pt_regs for a DWARF register number. */
#if defined(__x86_64__)
const unsigned int registers_machine = EM_X86_64;

static int word_of(unsigned int number)
{
	static const signed char words[] = {
		WORD(struct pt_regs, rax), WORD(struct pt_regs, rdx),
		WORD(struct pt_regs, rcx), WORD(struct pt_regs, rbx),
		WORD(struct pt_regs, rsi), WORD(struct pt_regs, rdi),
		WORD(struct pt_regs, rbp), WORD(struct pt_regs, rsp),
		WORD(struct pt_regs, r8), WORD(struct pt_regs, r9),
		WORD(struct pt_regs, r10), WORD(struct pt_regs, r11),
		WORD(struct pt_regs, r12), WORD(struct pt_regs, r13),
		WORD(struct pt_regs, r14), WORD(struct pt_regs, r15),
		WORD(struct pt_regs, rip),
	};

	return number < sizeof(words) ? words[number] : REGISTERS_NONE;
}
#elif defined(__aarch64__)
const unsigned int registers_machine = EM_AARCH64;

static int word_of(unsigned int number)
{
	return number <= 31 ? (int)number : REGISTERS_NONE;	/* 31: sp */
}
#elif defined(__s390x__)
const unsigned int registers_machine = EM_S390;

static int word_of(unsigned int number)
{
	return number <= 15 ? (int)(WORD(user_pt_regs, gprs) + number) :
		REGISTERS_NONE;
}
#elif defined(__powerpc64__)
const unsigned int registers_machine = EM_PPC64;

static int word_of(unsigned int number)
{
	return number <= 31 ? (int)number : REGISTERS_NONE;
}
#elif defined(__riscv) && __riscv_xlen == 64
const unsigned int registers_machine = EM_RISCV;

/* Word 0 is the program counter; x0, which is always 0, has no word. */
static int word_of(unsigned int number)
{
	return number >= 1 && number <= 31 ? (int)number : REGISTERS_NONE;
}
#else
const unsigned int registers_machine = EM_NONE;

static int word_of(unsigned int number)
{
	return REGISTERS_NONE;
}
#endif

int registers_word(const struct sdtkit_register *reg)
{
	return word_of(reg->number);
}
