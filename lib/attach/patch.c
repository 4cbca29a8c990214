/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See patch.h.  On x86-64 a site goes from 90 to cc and back.
 *
 * Other threads may run the site meanwhile: a trap is no longer than the nop
 * that it replaces, is written by one store, and is of those instructions
 * that each of these machines allows to be replaced so.  They keep on running,
 * so the page remains executable while it is writable.
 *
 * Where a policy forbids pages that are both, the kernel still writes through
 * /proc/thread-self/mem, as it does for a debugger, unless that is forbidden as well.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "patch.h"

static uint32_t read_number(uintptr_t address, unsigned int size)
{
	const void *at = (const void *)address;
	uint16_t half;
	uint32_t word;

	switch (size) {
	case 1:
		return *(const volatile uint8_t *)at;
	case 2:
		memcpy(&half, at, sizeof(half));
		return half;
	default:
		memcpy(&word, at, sizeof(word));
		return word;
	}
}

/* The thread sanitizer has no room to note down a write to code. */
#define UNWATCHED __attribute__((no_sanitize("thread")))

UNWATCHED
static void write_number(uintptr_t address, uint32_t value, unsigned int size)
{
	void *at = (void *)address;

	switch (size) {
	case 1:
		__atomic_store_n((uint8_t *)at, (uint8_t)value,
				 __ATOMIC_SEQ_CST);
		break;
	case 2:
		__atomic_store_n((uint16_t *)at, (uint16_t)value,
				 __ATOMIC_SEQ_CST);
		break;
	default:
		__atomic_store_n((uint32_t *)at, value, __ATOMIC_SEQ_CST);
	}
	sdtkit_tap_flush(at, size);
}

/* The first bytes of the nop, as many as the trap has. */
static uint32_t head_of_nop(const struct sdtkit_tap_trap *trap)
{
	uint8_t bytes[sizeof(trap->nop)];
	uint16_t half = (uint16_t)trap->nop;

	if (trap->nop_size == trap->trap_size)
		return trap->nop;
	/* On s390x: the upper half, because it comes first in memory. */
	memcpy(bytes, &trap->nop, sizeof(bytes));
	memcpy(&half, bytes, sizeof(half));
	return half;
}

const struct sdtkit_tap_trap *sdtkit_tap_find_nop(uintptr_t address)
{
	size_t i;

	for (i = 0; i < sdtkit_tap_machine.trap_count; i++) {
		const struct sdtkit_tap_trap *trap =
			&sdtkit_tap_machine.traps[i];

		if (read_number(address, trap->nop_size) == trap->nop)
			return trap;
	}
	return NULL;
}

bool sdtkit_tap_is_trapped(uintptr_t address,
			   const struct sdtkit_tap_trap *trap)
{
	return read_number(address, trap->trap_size) == trap->trap;
}

UNWATCHED
static bool exchange_number(uintptr_t address, uint32_t from, uint32_t to,
			    unsigned int size)
{
	uint8_t byte = (uint8_t)from;
	bool done;

	if (size == 1)
		done = __atomic_compare_exchange_n((uint8_t *)address, &byte,
						   (uint8_t)to, false,
						   __ATOMIC_SEQ_CST,
						   __ATOMIC_SEQ_CST);
	else
		done = __atomic_compare_exchange_n((uint32_t *)address, &from,
						   to, false, __ATOMIC_SEQ_CST,
						   __ATOMIC_SEQ_CST);
	sdtkit_tap_flush((void *)address, size);
	return done;
}

static void *page_of(uintptr_t address, size_t *size)
{
	*size = (size_t)sysconf(_SC_PAGESIZE);
	return (void *)(address & ~(*size - 1));
}

static int make_writable(uintptr_t address, int protection)
{
	size_t size;
	void *page = page_of(address, &size);

	return mprotect(page, size, protection | PROT_READ | PROT_WRITE |
			PROT_EXEC) < 0 ? -errno : 0;
}

static void protect_again(uintptr_t address, int protection)
{
	size_t size;
	void *page = page_of(address, &size);

	mprotect(page, size, protection);
}

static int write_mapped(uintptr_t address, uint32_t value, unsigned int size,
			int protection)
{
	int ret = make_writable(address, protection);

	if (ret < 0)
		return ret;
	write_number(address, value, size);
	protect_again(address, protection);
	return 0;
}

/* Under an emulator that file may be the memory of the emulator. */
static bool is_ours(int fd)
{
	volatile uintptr_t mark[2] = { (uintptr_t)&mark, (uintptr_t)fd };
	uintptr_t seen[2];

	return pread(fd, seen, sizeof(seen), (off_t)(uintptr_t)&mark) ==
	       (ssize_t)sizeof(seen) && seen[0] == mark[0] &&
	       seen[1] == mark[1];
}

static int write_forced(uintptr_t address, uint32_t value, unsigned int size)
{
	unsigned char bytes[sizeof(value)];
	uint16_t half = (uint16_t)value;
	int fd = open("/proc/thread-self/mem", O_RDWR | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	memcpy(bytes, &value, sizeof(value));
	if (size == 1)
		bytes[0] = (unsigned char)value;
	if (size == 2)
		memcpy(bytes, &half, sizeof(half));
	errno = EIO;
	if (!is_ours(fd) ||
	    pwrite(fd, bytes, size, (off_t)address) != (ssize_t)size)
		ret = -errno;
	close(fd);
	if (ret == 0)
		sdtkit_tap_flush((void *)address, size);
	return ret;
}

/* The errors of both ways to write. */
struct attempt {
	int by_mapping;
	int by_file;
};

static bool write_text(uintptr_t address, uint32_t value, unsigned int size,
		       int protection, struct attempt *attempt)
{
	attempt->by_mapping = write_mapped(address, value, size, protection);
	if (attempt->by_mapping == 0)
		return true;
	attempt->by_file = write_forced(address, value, size);
	return attempt->by_file == 0;
}

int sdtkit_tap_set_trap(uintptr_t address, const struct sdtkit_tap_trap *trap,
			int protection)
{
	struct attempt attempt;

	if (write_text(address, trap->trap, trap->trap_size, protection,
		       &attempt))
		return 0;
	return sdtkit_tap_fail(EACCES, "the instruction at %#lx cannot be "
		"replaced: mprotect() to write says \"%s\", /proc/self/mem "
		"says \"%s\".\nA policy seals the text: run the test without "
		"it (SELinux: execmod; systemd: MemoryDenyWriteExecute=; "
		"prctl: PR_SET_MDWE; seccomp; mseal; kernel: "
		"proc_mem.force_override=)", (unsigned long)address,
		strerror(-attempt.by_mapping), strerror(-attempt.by_file));
}

bool sdtkit_tap_clear_trap(uintptr_t address,
			   const struct sdtkit_tap_trap *trap, int protection)
{
	struct attempt unused;

	return write_text(address, head_of_nop(trap), trap->trap_size,
			  protection, &unused);
}

bool sdtkit_tap_holds(uintptr_t address, uint32_t number, unsigned int size)
{
	return read_number(address, size) == number;
}

bool sdtkit_tap_exchange(uintptr_t address, uint32_t from, uint32_t to,
			 unsigned int size, int protection)
{
	bool done;

	if (!sdtkit_tap_holds(address, from, size))
		return false;
	if (make_writable(address, protection) < 0)
		return write_forced(address, to, size) == 0;
	done = exchange_number(address, from, to, size);
	protect_again(address, protection);
	return done;
}
