/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Jumps: that sites have them, why some do not, and what processes do with
 * them.  Where there are none (another machine, SDTKIT_TAP_WAY=trap), the same
 * holds by trap.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jump.h"
#include "machine.h"
#include "place.h"
#include "raw_hits.h"
#include "tap_all.h"

static bool by_jump;

/* Where that is not so, the test is left out; cmocka's skip() fails. */
#define only_if(condition)						\
	do {								\
		if (!(condition)) {					\
			print_message("# left out: not by jump\n");	\
			return;						\
		}							\
	} while (0)

static struct sdtkit_tap *open_raw(const char *pattern)
{
	struct sdtkit_tap *tap = NULL;

	good(sdtkit_tap_open_raw(pattern, NULL, &raw_counting, &tap));
	return tap;
}

static __attribute__((noinline)) void fire(uint64_t number)
{
	TAPS_PAIR(number, "jump");
}

static __attribute__((noinline)) void fire_number(int number)
{
	TAPS_NUMBER(number);
}

/* In a process of its own, which ends with 0 if all is well. */
static void in_child(int (*test)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(test());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_ways(void **state)
{
	struct sdtkit_tap *tap = open_raw("taps:pair,taps:number");
	struct sdtkit_tap_ways ways;

	(void)state;
	sdtkit_tap_count_ways(tap, &ways);
	assert_int_equal(ways.jumps + ways.traps, 2);
	assert_int_equal(ways.jumps, by_jump ? 2 : 0);
	assert_true(by_jump == (ways.why == NULL));
	sdtkit_tap_close(tap);
}

static void test_restored(void **state)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *tap;
	int i;

	(void)state;
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
static void test_breakpoint_at_nop(void **state)
{
	const struct sdtkit_tap_place *place;
	struct sdtkit_tap *tap;
	uint8_t *site;

	(void)state;
	only_if(by_jump && sdtkit_tap_machine.jump->offset > 0);
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

/* A kernel that has its trap at the second nop, which it skips. */
static atomic_ulong kernel_hits;

static void like_kernel(int number, siginfo_t *info, void *context)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;

	(void)number;
	(void)info;
	kernel_hits++;
	/* The pc is behind the trap. */
	sdtkit_tap_set_pc(context, sdtkit_tap_pc(context) - 1 +
			  (uintptr_t)(jump->site_size - jump->offset));
}

static int with_kernel_at_jump(void)
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

static void test_kernel_at_jump(void **state)
{
	(void)state;
	only_if(by_jump && sdtkit_tap_machine.jump->offset > 0);
	in_child(with_kernel_at_jump);
}

/* -------------------------------------------------------------- obstacles */

/* Something is mapped where the stub would be. */
static int with_taken_address(void)
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

/* The program has no jump yet: its stubs' memory is not mapped. */
static void test_taken_address(void **state)
{
	(void)state;
	only_if(by_jump && sdtkit_tap_machine.jump->distance > 0);
	in_child(with_taken_address);
}

static int forbid(long number, uint32_t action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { ROWS(filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
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

static void test_refused(void **state)
{
	(void)state;
	only_if(by_jump);
	in_child(without_memory);
	in_child(without_membarrier);
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

static void test_no_system_calls(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	only_if(false);	/* it makes some itself */
#endif
	only_if(by_jump);
	in_child(without_system_calls);
}

/* -------------------------------------------------------------- processes */

static int hit_in_child(void)
{
	raw_hits = 0;
	fire(1);
	fire(2);
	return raw_hits != 2;
}

/* fork() without the handlers of pthread_atfork(). */
static pid_t raw_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void test_children(void **state)
{
	struct sdtkit_tap *tap = open_raw("taps:*");
	int status = 0;
	pid_t child;

	(void)state;
	fire(0);
	in_child(hit_in_child);
	child = raw_fork();
	if (child == 0)
		_exit(hit_in_child());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	raw_hits = 0;
	child = vfork();
	if (child == 0) {
		fire(3);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	fire(4);
	assert_int_equal(raw_hits, 2);
	sdtkit_tap_close(tap);
}

static int open_in_child(void)
{
	struct sdtkit_tap *tap = open_raw("taps:*");
	struct sdtkit_tap *events = open_tap("taps:number");

	raw_hits = 0;
	fire(1);
	fire_number(2);
	/* Of fire() its own and its parent's. */
	if (raw_hits < 3 || sdtkit_tap_count(events, NULL) != 1)
		return 1;
	sdtkit_tap_close(events);
	sdtkit_tap_close(tap);
	raw_hits = 0;
	fire(1);
	return raw_hits == 0;
}

/* What a child attaches to is not in the way of what its parent does. */
static void test_child_attaches(void **state)
{
	struct sdtkit_tap *tap = open_raw("taps:pair"), *more;
	struct sdtkit_tap_ways ways;

	(void)state;
	in_child(open_in_child);
	more = open_raw("taps:*");
	sdtkit_tap_count_ways(more, &ways);
	assert_int_equal(ways.traps, by_jump ? 0 : ways.jumps + ways.traps);
	raw_hits = 0;
	fire(1);
	fire_number(1);
	assert_int_equal(raw_hits, 3);
	in_child(open_in_child);
	sdtkit_tap_close(more);
	sdtkit_tap_close(tap);
}

static int exec_in_child(void)
{
	fire(1);
	execl("/bin/true", "true", (char *)NULL);
	return 1;
}

static void test_exec(void **state)
{
	struct sdtkit_tap *tap = open_raw("taps:*");

	(void)state;
	in_child(exec_in_child);
	sdtkit_tap_close(tap);
}

/* ----------------------------------------------------- backtrace, longjmp */

static void *frames[32];
static int frame_count;

static void take_backtrace(const struct sdtkit_tap_event *event, void *context)
{
	(void)event;
	(void)context;
	frame_count = backtrace(frames, (int)ROWS(frames));
}

static bool is_in_backtrace(const void *address)
{
	int i;

	for (i = 0; i < frame_count; i++) {
		if (frames[i] == address)
			return true;
	}
	return false;
}

static void *caller;

static __attribute__((noinline)) void fire_and_tell(void)
{
	caller = __builtin_return_address(0);
	fire(5);
	__asm__ __volatile__("");
}

/* From the callback to who called the function that has the site. */
static void test_backtrace(void **state)
{
	const struct sdtkit_tap_options options = {
		.callback = take_backtrace,
	};
	struct sdtkit_tap *tap;

	(void)state;
	frame_count = backtrace(frames, (int)ROWS(frames));
	good(sdtkit_tap_open_with("taps:pair", &options, &tap));
	fire_and_tell();
	sdtkit_tap_close(tap);
	assert_true(is_in_backtrace(caller));
}

static sigjmp_buf out;

static void jump_out(int number)
{
	(void)number;
	siglongjmp(out, 1);
}

static void raise_alarm(void)
{
	raise(SIGALRM);
}

/* A close comes back, and keeps what a hit that never returns may need. */
static int left_by_longjmp(void)
{
	struct sdtkit_tap *tap = open_raw("taps:pair");
	time_t start = time(NULL);
	unsigned long before = raw_detached;

	signal(SIGALRM, jump_out);
	raw_extra = raise_alarm;
	if (sigsetjmp(out, 1) == 0)
		fire(1);
	raw_extra = NULL;
	fire(2);
	sdtkit_tap_close(tap);
	if (time(NULL) - start > 20)
		return 1;
	return raw_detached != before;
}

static void test_left_by_longjmp(void **state)
{
	(void)state;
	only_if(by_jump);
	in_child(left_by_longjmp);
}

/* The library is loaded at the same address, or another one, with its jumps. */
static void test_loaded_and_unloaded(void **state)
{
	const char *path = *state;
	int i;

	for (i = 0; i < 50; i++) {
		void *library = dlopen(path, RTLD_NOW);
		struct sdtkit_tap *tap;
		void (*plug_call)(int);

		assert_non_null(library);
		plug_call = (void (*)(int))(uintptr_t)dlsym(library,
							    "plug_call");
		assert_non_null(plug_call);
		tap = open_raw("plug:*");
		raw_hits = 0;
		plug_call(i);
		assert_true(raw_hits > 0);
		if (i % 2 == 0)
			sdtkit_tap_close(tap);
		dlclose(library);
		if (i % 2 != 0)
			sdtkit_tap_close(tap);
	}
	assert_int_equal(raw_attached, raw_detached);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken_address),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_restored),
		cmocka_unit_test(test_breakpoint_at_nop),
		cmocka_unit_test(test_kernel_at_jump),
		cmocka_unit_test(test_no_system_calls),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_child_attaches),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_backtrace),
		cmocka_unit_test(test_left_by_longjmp),
		cmocka_unit_test_prestate(test_loaded_and_unloaded,
					  argc > 1 ? argv[1] : NULL),
	};
	const char *way = getenv("SDTKIT_TAP_WAY");

	by_jump = sdtkit_tap_machine.jump != NULL &&
		  (way == NULL || strcmp(way, "trap") != 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
