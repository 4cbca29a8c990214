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

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "system.h"

struct sdtkit_record_fixup {
	uintptr_t load;
	uintptr_t behind;
};

/*
 * Where there is no process_vm_readv(2), as in qemu-user and in some sandboxes:
 * through a file in memory, as lib/attach/safe_read.c does it. memory.c.
 */
bool sdtkit_record_load_by_file(uintptr_t address, void *to, size_t size);

static inline bool sdtkit_record_load_carefully(uintptr_t address, void *to,
						size_t size, long pid)
{
	struct iovec here = { to, size };
	struct iovec there = { (void *)address, size };
	long got = sdtkit_record_system(SYS_process_vm_readv, pid, (long)&here,
					1, (long)&there, 1, 0);

	if (got >= 0 || got == -EFAULT)
		return got == (long)size;
	return sdtkit_record_load_by_file(address, to, size);
}

/* Instructions: to load, and to set what says that it failed. */
#if defined(__x86_64__)
#define SDTKIT_RECORD_LOAD_WORD	"movq (%2), %0"
#define SDTKIT_RECORD_LOAD_BYTE	"movzbl (%2), %k0"
#define SDTKIT_RECORD_SET(n)	"movl $" #n ", %k1"
#elif defined(__aarch64__)
#define SDTKIT_RECORD_LOAD_WORD	"ldr %0, [%2]"
#define SDTKIT_RECORD_LOAD_BYTE	"ldrb %w0, [%2]"
#define SDTKIT_RECORD_SET(n)	"mov %1, #" #n
#elif defined(__powerpc64__)
#define SDTKIT_RECORD_LOAD_WORD	"ld %0, 0(%2)"
#define SDTKIT_RECORD_LOAD_BYTE	"lbz %0, 0(%2)"
#define SDTKIT_RECORD_SET(n)	"li %1, " #n
#endif

#ifdef SDTKIT_RECORD_SET
/* On ppc64, r0 as an address is the number 0. */
#ifdef __powerpc64__
#define SDTKIT_RECORD_ADDRESS	"b"
#else
#define SDTKIT_RECORD_ADDRESS	"r"
#endif
#define SDTKIT_RECORD_LOAD(instruction, address, value, failed)		\
	__asm__ __volatile__(SDTKIT_RECORD_SET(1) "\n"			\
		"77:	" instruction "\n"				\
		"	" SDTKIT_RECORD_SET(0) "\n"			\
		"78:\n"							\
		"	.pushsection sdtkit_fixup,\"aw\"\n"		\
		"	.balign	8\n"					\
		"	.quad	77b, 78b\n"				\
		"	.popsection\n"					\
		: "=&r" (value), "=&r" (failed)				\
		: SDTKIT_RECORD_ADDRESS (address) : "memory")

static inline bool sdtkit_record_load_word(uintptr_t address, uint64_t *word)
{
	uint64_t value, failed;

	SDTKIT_RECORD_LOAD(SDTKIT_RECORD_LOAD_WORD, address, value, failed);
	*word = value;
	return failed == 0;
}

static inline bool sdtkit_record_load_byte(uintptr_t address, uint64_t *byte)
{
	uint64_t value, failed;

	SDTKIT_RECORD_LOAD(SDTKIT_RECORD_LOAD_BYTE, address, value, failed);
	*byte = value;
	return failed == 0;
}
#define SDTKIT_RECORD_FIXES	1
#else
static inline bool sdtkit_record_load_word(uintptr_t address, uint64_t *word)
{
	return false;
}

static inline bool sdtkit_record_load_byte(uintptr_t address, uint64_t *byte)
{
	return false;
}
#define SDTKIT_RECORD_FIXES	0
#endif

#endif /* SDTKIT_RECORD_ACCESS_H */
