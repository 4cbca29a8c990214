/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine that the program runs on: its trap instruction, and where a
 * signal's context has the registers.  All other files read registers from
 * a block, by their numbers in DWARF, however the library was told of the hit.
 *
 * A context is that of the machine for which the library is compiled, so that
 * machine.c includes one of the files machine_*.h only; lib/decode has the
 * tables of all machines, since any host may read any file.
 */
#ifndef SDTKIT_TAP_MACHINE_PRIV_H
#define SDTKIT_TAP_MACHINE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "sdtkit/notes.h"

/* A site's instruction, and the one that replaces its beginning. */
struct sdtkit_tap_trap {
	/* Numbers of so many bytes, in the machine's byte order. */
	uint32_t nop;
	uint32_t trap;
	uint8_t nop_size;
	uint8_t trap_size;
};

struct sdtkit_tap_place;

enum {
	/* Room for the code of any. */
	SDTKIT_TAP_TRAMPOLINE_MAX = 128,
};

/* A jump instead of a trap: see jump.h and stub.h. */
struct sdtkit_tap_jump {
	/*
	 * The first bytes of a site that has room for a jump, and how many
	 * bytes such a site has in all. Those behind may be any.
	 */
	const uint8_t *site;
	uint8_t begin_size;
	uint8_t site_size;
	/* The part that is replaced: where it is in the site, and its value. */
	uint8_t offset;
	uint8_t nop_size;
	uint32_t nop;
	uint8_t stub_size;
	uint8_t trampoline_size;
	/* How far below its site a stub has to be; 0: there are no stubs. */
	uintptr_t distance;
	/* How far apart a trampoline, its stub and its site may be. */
	uintptr_t reach;
	/* Called before any other.  NULL, or why there are no jumps here. */
	const char *(*prepare)(void);
	/* What is written at the site, to go from there to the target. */
	uint32_t (*code)(uintptr_t site, uintptr_t target);
	/* These write the code for an address to a copy of it. */
	void (*write_stub)(unsigned char *to, uintptr_t at,
			   uintptr_t trampoline);
	void (*write_trampoline)(unsigned char *to, uintptr_t at,
				 const struct sdtkit_tap_place *place,
				 uintptr_t site);
};

/*
 * A protection of pages beyond reading, writing and executing: it restricts
 * where indirect branches may land.  The loader gives it to objects that ask
 * for it in their property note.
 */
struct sdtkit_tap_branch_protection {
	/* For mprotect(2); 0: this machine has none. */
	int protection;
	/* The bit in AT_HWCAP2 that says that the processor has it. */
	unsigned long capability;
	/* The property of the object, and the bit in it. */
	uint32_t property;
	uint32_t feature;
};

enum {
	SDTKIT_TAP_SIGNALS = 2,
	/* No machine has more general registers, and vector registers behind. */
	SDTKIT_TAP_REGISTERS = 40,
	/* The size of a vector register in the block of these. */
	SDTKIT_TAP_VECTOR_SIZE = 16,
};

struct sdtkit_tap_machine {
	/* e_machine of its ELF files; 0: this machine is not known. */
	uint16_t machine;
	/*
	 * The signals that traps raise.  Where there are two, the kernel looks
	 * at the instruction again to choose: on arm it is SIGILL if the trap
	 * has just been taken away, on s390x SIGTRAP if a debugger is there.
	 */
	int signals[SDTKIT_TAP_SIGNALS];
	/* How far behind the trap the context's pc is. */
	uint8_t behind;
	/* The shortest come first: behind a site's nop the code may end. */
	const struct sdtkit_tap_trap *traps;
	size_t trap_count;
	/* NULL: there are traps only. */
	const struct sdtkit_tap_jump *jump;
	/* The registers of the block: those with a number below this. */
	uint8_t register_count;
	/* A register without a number is one that is always 0. */
	bool has_zero;
	/* The numbers of the vector registers that can be read; 0: none can. */
	uint8_t first_vector;
	uint8_t vector_count;
	struct sdtkit_tap_branch_protection branch_protection;
};

extern const struct sdtkit_tap_machine sdtkit_tap_machine;

/* The context's pc. */
uintptr_t sdtkit_tap_pc(const ucontext_t *context);
void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc);

/*
 * Copies the general registers of a context to their places in a block, which
 * has register_count of them.
 */
void sdtkit_tap_registers(const ucontext_t *context, uint64_t *registers);

/*
 * The vector registers of a context, SDTKIT_TAP_VECTOR_SIZE bytes of each; NULL
 * if it has none.
 */
const void *sdtkit_tap_vectors(const ucontext_t *context);

/* Flushes the instruction cache. */
void sdtkit_tap_flush(void *start, size_t size);

#endif /* SDTKIT_TAP_MACHINE_PRIV_H */
