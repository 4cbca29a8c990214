/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of a process, as a program in the kernel sees them. */
#ifndef UPROBE_REGISTERS_H
#define UPROBE_REGISTERS_H

struct sdtkit_register;

enum { REGISTERS_NONE = -1 };

/*
 * The first words, which a program on x86-64 may copy: all registers that hold
 * arguments, but that of the stack.
 */
#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
enum { REGISTERS_COPIED = 16 };
#endif

/* The machine that this program runs on, as in e_machine. */
extern const unsigned int registers_machine;

/*
 * Returns the word of 8 bytes of struct pt_regs that holds the full register,
 * or REGISTERS_NONE. The register is one of a file for registers_machine.
 */
int registers_word(const struct sdtkit_register *reg);

#endif /* UPROBE_REGISTERS_H */
