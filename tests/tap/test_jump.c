/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Jumps: that sites have them, and why some do not.  Where there are none
 * (another machine, SDTKIT_TAP_WAY=trap), the same holds by trap.
 */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../forbid.h"
#include "ways.h"
#include "jumps.h"
#include "place.h"

/* A jump goes to a stub, which goes on from there; the jump is behind a nop. */
#define HAS_STUBS	(is_by_jump() && sdtkit_tap_machine.jump->distance > 0)
#define HAS_TWO_NOPS	(is_by_jump() && sdtkit_tap_machine.jump->offset > 0)

/* ------------------------------- the first ones: no jump was made yet */

static unsigned int files;

/* Instead of libc's: how many files in memory the library makes. */
int memfd_create(const char *name, unsigned int flags)
{
	files++;
	return (int)syscall(SYS_memfd_create, name, flags);
}

/*
 * Takes the memory that trampolines would be searched in, above the stubs, and
 * attaches to two sites, which are close together.
 */
/* A search that finds no memory is neither long nor done for each site. */
TEST_ALONE(test_no_space, HAS_STUBS)
{
	const size_t area = 1 << 18, much = (size_t)1 << 30;
	uintptr_t stub = (uintptr_t)&fire - sdtkit_tap_machine.jump->distance;
	void *above = (void *)((stub & ~(area - 1)) + area);
	struct sdtkit_tap_ways ways;
	struct sdtkit_tap *tap;

	if (mmap(above, much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
		 MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != above)
		return 0;
	tap = open_raw("taps:pair,taps:number");
	sdtkit_tap_count_ways(tap, &ways);
	sdtkit_tap_close(tap);
	if (ways.traps != 2)
		return 1;
	/* One for the stubs, and one for the search. */
	return files > 4 ? 2 : 0;
}

/* Something is mapped where the stub would be. */
TEST_ALONE(test_taken_address, HAS_STUBS)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uintptr_t at = (uintptr_t)fire_number - jump->distance;
	struct sdtkit_tap_ways ways;
	struct sdtkit_tap *tap;

	/* The cold part of the function may be elsewhere in the text. */
	if (mmap((void *)((at & ~(page - 1)) - (1 << 20)), 2 << 20, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE |
		 MAP_NORESERVE, -1, 0) == MAP_FAILED)
		return 1;
	tap = open_raw("taps:number");
	sdtkit_tap_count_ways(tap, &ways);
	if (ways.jumps != 0 || strstr(ways.why, "in use") == NULL)
		return 2;
	raw_hits = 0;
	fire_number(1);
	if (raw_hits != 1)
		return 3;
	sdtkit_tap_close(tap);
	return 0;
}

static int without(long number, const char *said)
{
	struct sdtkit_tap_ways ways;
	struct sdtkit_tap *tap;

	if (forbid(number, SECCOMP_RET_ERRNO | EPERM) < 0)
		return 0;
	tap = open_raw("taps:number");
	sdtkit_tap_count_ways(tap, &ways);
	if (ways.jumps != 0 || strstr(ways.why, said) == NULL)
		return 1;
	raw_hits = 0;
	fire_number(1);
	sdtkit_tap_close(tap);
	return raw_hits != 1;
}

static int without_memory(void)
{
	return without(SYS_memfd_create, "executable memory");
}

static int without_membarrier(void)
{
	return without(SYS_membarrier, "membarrier");
}

TEST(test_refused)
{
	only_if(is_by_jump());
	assert_int_equal(in_child(without_memory), 0);
	assert_int_equal(in_child(without_membarrier), 0);
}

/* ----------------------------------------------------- sites with jumps */

TEST(test_ways)
{
	struct sdtkit_tap *tap = open_raw("taps:pair,taps:number");
	struct sdtkit_tap_ways ways;

	sdtkit_tap_count_ways(tap, &ways);
	assert_int_equal(ways.jumps + ways.traps, 2);
	assert_int_equal(ways.jumps, is_by_jump() ? 2 : 0);
	assert_true(is_by_jump() == (ways.why == NULL));
	sdtkit_tap_close(tap);
}

TEST(test_restored)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *tap;
	int i;

	for (i = 0; i < 20; i++) {
		tap = open_raw("taps:*");
		assert_false(sum_of_text() == before);
		sdtkit_tap_close(tap);
		assert_true(sum_of_text() == before);
	}
	assert_int_equal(raw_attached, raw_detached);
}

static const struct sdtkit_tap_place *place_of(void (*function)(uint64_t))
{
	struct sdtkit_tap *tap = open_tap("taps:pair");
	const struct sdtkit_tap_event *event;
	const struct sdtkit_tap_place *place;

	function(1);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	place = sdtkit_tap_place_find(event->site);
	sdtkit_tap_close(tap);
	return place;
}

static void write_byte(uint8_t *at, uint8_t byte)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *start = (void *)((uintptr_t)at & ~(page - 1));

	mprotect(start, page, PROT_READ | PROT_WRITE | PROT_EXEC);
	*at = byte;
	mprotect(start, page, PROT_READ | PROT_EXEC);
}

/* A tracer's breakpoint at the nop is no obstacle to the jump behind it. */
TEST(test_breakpoint_at_nop)
{
	const struct sdtkit_tap_place *place;
	struct sdtkit_tap *tap;
	uint8_t *site;

	only_if(HAS_TWO_NOPS);
	place = place_of(fire);
	site = (uint8_t *)place->address;
	write_byte(site, (uint8_t)sdtkit_tap_machine.traps[0].trap);
	tap = open_raw("taps:pair");
	assert_true(place->way == SDTKIT_TAP_JUMP);
	write_byte(site, (uint8_t)sdtkit_tap_machine.traps[0].nop);
	raw_hits = 0;
	fire(2);
	assert_int_equal(raw_hits, 1);
	sdtkit_tap_close(tap);
}

static void write_bytes(uint8_t *at, const uint8_t *bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		write_byte(at + i, bytes[i]);
}

/*
 * Linux 7.2 replaces the nop of ten bytes by a call, and leaves the end of that
 * when its tracer has gone: another nop of ten bytes, which has a jump too, and
 * is there again behind it.
 */
TEST_ALONE(test_remains_of_call, HAS_TWO_NOPS)
{
	static const uint8_t left[] = { 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84,
					0xe8, 0x35, 0x7b, 0xff, 0xff };
	const struct sdtkit_tap_place *place = place_of(fire);
	uint8_t *site = (uint8_t *)place->address;
	struct sdtkit_tap *tap;

	write_bytes(site, left, sizeof(left));
	fire(1);
	tap = open_raw("taps:pair");
	if (place->way != SDTKIT_TAP_JUMP)
		return 1;
	raw_hits = 0;
	fire(2);
	if (raw_hits != 1)
		return 2;
	sdtkit_tap_close(tap);
	fire(3);
	return raw_hits != 1 || memcmp(site, left, sizeof(left)) != 0;
}

/* A kernel that has its trap at the second nop, which it skips. */
static atomic_ulong kernel_hits;

static void like_kernel(int number, siginfo_t *info, void *context)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;

	kernel_hits++;
	/* The pc is behind the trap. */
	sdtkit_tap_set_pc(context, sdtkit_tap_pc(context) - 1 +
			  (uintptr_t)(jump->site_size - jump->offset));
}

TEST_ALONE(test_kernel_at_jump, HAS_TWO_NOPS)
{
	const struct sdtkit_tap_place *place = place_of(fire);
	struct sigaction action = {
		.sa_sigaction = like_kernel,
		.sa_flags = SA_SIGINFO,
	};
	uint8_t *jump = (uint8_t *)place->address + 1;
	struct sdtkit_tap *tap;

	sigaction(SIGTRAP, &action, NULL);
	tap = open_raw("taps:pair");
	raw_hits = 0;
	fire(1);
	/* It comes: the tap is told of no hits. */
	write_byte(jump, 0xcc);
	fire(2);
	if (raw_hits != 1 || kernel_hits != 1)
		return 1;
	/* It goes, and a rescan brings the jump back. */
	write_byte(jump, (uint8_t)sdtkit_tap_machine.jump->nop);
	good(sdtkit_tap_rescan(tap));
	fire(3);
	if (place->way != SDTKIT_TAP_JUMP || raw_hits != 2 || kernel_hits != 1)
		return 2;
	/* A rescan while it is there: both are told. */
	write_byte(jump, 0xcc);
	good(sdtkit_tap_rescan(tap));
	fire(4);
	if (place->way != SDTKIT_TAP_TRAP || raw_hits != 3 || kernel_hits != 2)
		return 3;
	sdtkit_tap_close(tap);
	fire(5);
	/* The semaphore is down. */
	return kernel_hits == 2 && raw_hits == 3 ? 0 : 4;
}

/* All system calls but those that end the process kill it. */
static int without_system_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	const struct sock_fprog program = { ROWS(filter), filter };
	int i;

	open_raw("taps:*");
	raw_hits = 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return 0;
	for (i = 0; i < 1000; i++)
		fire(7);
	return raw_hits != 1000;
}

TEST(test_no_system_calls)
{
#ifdef __SANITIZE_ADDRESS__
	only_if(false);	/* it makes some itself */
#endif
	only_if(is_by_jump());
	assert_int_equal(in_child(without_system_calls), 0);
}
