/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that cannot be written: PR_SET_MDWE, a seccomp filter and mseal() forbid
 * it, or a debugger's breakpoint is already there.
 */
#include <link.h>
#include <sys/mman.h>

#include "../child.h"
#include "../forbid.h"
#include "machine.h"
#include "tap_all.h"

#ifndef PR_SET_MDWE
#define PR_SET_MDWE	65
#endif
#ifndef SYS_mseal
#define SYS_mseal	462
#endif

enum {
	NOT_RESTORED = 1,
	WRITABLE = 2,
	LEFT_OUT = 77,
};

/*
 * Each test runs in a child, because what it forbids stays forbidden; why says
 * what the kernel lacks if it does not.
 */
#define SEALED(name, why)						\
static int name##_in_child(void);					\
TEST(name)								\
{									\
	int status = in_child(name##_in_child);				\
									\
	if (status == LEFT_OUT << 8)					\
		unavailable(why);					\
	assert_int_equal(status, 0);					\
}									\
static int name##_in_child(void)

static int works(void)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *tap = open_tap("taps:*");

	TAPS_NUMBER(1);
	good(sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 1)));
	sdtkit_tap_close(tap);
	TAPS_NUMBER(2);
	return sum_of_text() == before ? 0 : NOT_RESTORED;
}

/* Sets range[0] and range[1] to the pages that have the program's code. */
static int find_code(struct dl_phdr_info *info, size_t size, void *data)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	uintptr_t *range = data;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		range[0] = (info->dlpi_addr + segment->p_vaddr) & ~(page - 1);
		range[1] = (info->dlpi_addr + segment->p_vaddr +
			    segment->p_memsz + page - 1) & ~(page - 1);
	}
	return 1;
}

/*
 * Whether code can still be made writable: if so, the kernel does not support
 * what a test needs.
 */
static bool is_writable(uintptr_t start)
{
	return mprotect((void *)start, 1, PROT_READ | PROT_WRITE |
			PROT_EXEC) == 0;
}

/* PR_SET_MDWE: the kernel refuses to make executable memory writable. */
SEALED(test_write_or_execute, "PR_SET_MDWE needs Linux 6.3")
{
	uintptr_t range[2];

	dl_iterate_phdr(find_code, range);
	if (prctl(PR_SET_MDWE, 1, 0, 0, 0) < 0)
		return LEFT_OUT;
	return is_writable(range[0]) ? WRITABLE : works();
}

SEALED(test_sealed_mapping, "mseal() needs Linux 6.10")
{
	uintptr_t range[2];

	dl_iterate_phdr(find_code, range);
	if (syscall(SYS_mseal, range[0], range[1] - range[0], 0) < 0)
		return LEFT_OUT;
	return is_writable(range[0]) ? WRITABLE : works();
}

SEALED(test_no_way, "no seccomp filters")
{
	struct sdtkit_tap *tap = NULL;

	if (forbid(SYS_mprotect, SECCOMP_RET_ERRNO | EPERM) != 0 ||
	    forbid(SYS_pwrite64, SECCOMP_RET_ERRNO | EPERM) != 0)
		return LEFT_OUT;
	bad(EACCES, "mprotect() to write says \"Operation not permitted\", "
	    "/proc/self/mem says \"Operation not permitted\".\nA policy seals "
	    "the text: run the test without it",
	    sdtkit_tap_open("taps:*", &tap));
	assert_non_null(strstr(sdtkit_tap_error(), "taps:n"));
	assert_int_equal(taps_number_semaphore, 0);
	TAPS_NUMBER(1);
	tap = open_with("taps:*", .flags = SDTKIT_TAP_LENIENT);
	assert_true(sdtkit_tap_left_out(tap) > 0);
	TAPS_NUMBER(1);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 0);
	sdtkit_tap_close(tap);
	return 0;
}

/*
 * When the tap is closed, the traps cannot be removed; the next tap uses them.
 */
SEALED(test_sealed_while_open, "no seccomp filters")
{
	struct sdtkit_tap *tap = open_tap("taps:*");
	uint64_t tapped = sum_of_text();

	if (forbid(SYS_mprotect, SECCOMP_RET_ERRNO | EPERM) != 0 ||
	    forbid(SYS_pwrite64, SECCOMP_RET_ERRNO | EPERM) != 0)
		return LEFT_OUT;
	sdtkit_tap_close(tap);
	assert_true(sum_of_text() == tapped);
	assert_int_equal(taps_number_semaphore, 0);
	TAPS_NUMBER(1);
	tap = open_tap("taps:*");
	assert_true(sum_of_text() == tapped);
	TAPS_NUMBER(2);
	good(sdtkit_tap_expect_next(tap, "taps:number",
				    sdtkit_tap_int("n", 2)));
	assert_int_equal(sdtkit_tap_count(tap, NULL), 1);
	sdtkit_tap_close(tap);
	return 0;
}

/* Without process_vm_readv(), strings are read through a file. */
SEALED(test_no_readv, "no seccomp filters")
{
	struct sdtkit_tap *tap;

	if (forbid(SYS_process_vm_readv, SECCOMP_RET_ERRNO | EPERM) != 0 ||
	    forbid(SYS_process_vm_writev, SECCOMP_RET_ERRNO | EPERM) != 0)
		return LEFT_OUT;
	tap = open_tap("taps:*");
	TAPS_PAIR(1, "through a file");
	TAPS_PAIR(2, (char *)8);
	good(sdtkit_tap_expect(tap, "taps:pair",
			       sdtkit_tap_str("text", "through a file")));
	bad(EILSEQ, "no memory at that address",
	    sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_str("text", "")));
	sdtkit_tap_close(tap);
	return 0;
}

static uint8_t *number_site(void)
{
	struct sdtkit_tap *tap = open_tap("taps:number");
	const struct sdtkit_tap_event *event;
	uint8_t *site;

	TAPS_NUMBER(1);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	site = (uint8_t *)event->site;
	sdtkit_tap_close(tap);
	return site;
}

/* Replaces the nop of a site of taps:number by other bytes. */
static int with_at_site(uint32_t bytes, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sdtkit_tap *tap = NULL;
	uint8_t *site;
	int ret;

	site = number_site();
	mprotect((void *)((uintptr_t)site & ~(page - 1)), 2 * page,
		 PROT_READ | PROT_WRITE | PROT_EXEC);
	if (size == 1)
		*site = (uint8_t)bytes;
	else if (size == 2)
		memcpy(site, &(uint16_t){ (uint16_t)bytes }, size);
	else
		memcpy(site, &(uint32_t){ bytes }, size);
	ret = sdtkit_tap_open("taps:number", &tap);
	assert_null(tap);
	return ret;
}

static int with_breakpoint(void)
{
	only_traps();
	bad(EBUSY, "a debugger or a tracer has its breakpoint at",
	    with_at_site(sdtkit_tap_machine.traps[0].trap,
			 sdtkit_tap_machine.traps[0].trap_size));
	return 0;
}

static int with_other_code(void)
{
	bad(EOPNOTSUPP, "there is no nop that this library knows",
	    with_at_site(0xfefefefe, 4));
	return 0;
}

TEST(test_something_at_site)
{
	assert_int_equal(in_child(with_breakpoint), 0);
	assert_int_equal(in_child(with_other_code), 0);
}
