/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads from addresses that the program passes to a probe, which may be
 * anything. A load that faults raises SIGSEGV or SIGBUS; the handler of
 * faults.c finds its address in a table and goes on behind it:
 *
 *	.sdtkit_fixup	address of the load, address behind
 *
 * Where our handler would not be called (the program has put its own in its
 * place, or the thread blocks the signal), the kernel makes the copy: see
 * `careful`.
 */
#ifndef SDTKIT_RECORD_ACCESS_H
#define SDTKIT_RECORD_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "system.h"

struct sdtkit_record_fixup {
	uintptr_t load;
	uintptr_t behind;
};

static inline bool sdtkit_record_load_carefully(uintptr_t address, void *to,
						size_t size, long pid)
{
	struct iovec here = { to, size };
	struct iovec there = { (void *)address, size };

	return sdtkit_record_system(SYS_process_vm_readv, pid, (long)&here, 1,
				    (long)&there, 1, 0) == (long)size;
}

#ifdef __x86_64__
#define SDTKIT_RECORD_LOAD(instruction, address, value, failed)		\
	__asm__ __volatile__("movl	$1, %k1\n"			\
		"77:	" instruction "\n"				\
		"	xorl	%k1, %k1\n"				\
		"78:\n"							\
		"	.pushsection sdtkit_fixup,\"aw\"\n"		\
		"	.balign	8\n"					\
		"	.quad	77b, 78b\n"				\
		"	.popsection\n"					\
		: "=&r" (value), "=&r" (failed) : "r" (address) : "memory")

static inline bool sdtkit_record_load_word(uintptr_t address, uint64_t *word)
{
	uint64_t value, failed;

	SDTKIT_RECORD_LOAD("movq (%2), %0", address, value, failed);
	*word = value;
	return failed == 0;
}

static inline bool sdtkit_record_load_byte(uintptr_t address, uint64_t *byte)
{
	uint64_t value, failed;

	SDTKIT_RECORD_LOAD("movzbl (%2), %k0", address, value, failed);
	*byte = value;
	return failed == 0;
}
#define SDTKIT_RECORD_FIXES	1
#else
static inline bool sdtkit_record_load_word(uintptr_t address, uint64_t *word)
{
	(void)address;
	(void)word;
	return false;
}

static inline bool sdtkit_record_load_byte(uintptr_t address, uint64_t *byte)
{
	(void)address;
	(void)byte;
	return false;
}
#define SDTKIT_RECORD_FIXES	0
#endif

#endif /* SDTKIT_RECORD_ACCESS_H */
