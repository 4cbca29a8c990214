/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test-tap-jump_life PLUG.so: what processes do with jumps: children,
 * backtraces, hits that are left, libraries that come and go.  Where there are
 * no jumps (another machine, SDTKIT_TAP_WAY=trap), the same holds by trap.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>

#include "../raw_fork.h"
#include "ways.h"
#include "jumps.h"

static int hit_in_child(void)
{
	raw_hits = 0;
	fire(1);
	fire(2);
	return raw_hits != 2;
}

TEST(test_children)
{
	struct sdtkit_tap *tap = open_raw("taps:*");
	pid_t child;

	fire(0);
	assert_int_equal(in_child(hit_in_child), 0);
	child = raw_fork();
	if (child == 0)
		_exit(hit_in_child());
	assert_int_equal(status_of(child), 0);
	raw_hits = 0;
	child = vfork();
	if (child == 0) {
		fire(3);
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
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
	/* One of fire() itself, and one of its parent. */
	if (raw_hits < 3 || sdtkit_tap_count(events, NULL) != 1)
		return 1;
	sdtkit_tap_close(events);
	sdtkit_tap_close(tap);
	raw_hits = 0;
	fire(1);
	return raw_hits == 0;
}

/* What a child attaches to is not in the way of what its parent does. */
TEST(test_child_attaches)
{
	struct sdtkit_tap *tap = open_raw("taps:pair"), *more;
	struct sdtkit_tap_ways ways;

	assert_int_equal(in_child(open_in_child), 0);
	more = open_raw("taps:*");
	sdtkit_tap_count_ways(more, &ways);
	assert_int_equal(is_by_jump() ? ways.traps : ways.jumps, 0);
	raw_hits = 0;
	fire(1);
	fire_number(1);
	assert_int_equal(raw_hits, 3);
	assert_int_equal(in_child(open_in_child), 0);
	sdtkit_tap_close(more);
	sdtkit_tap_close(tap);
}

static int exec_in_child(void)
{
	fire(1);
	execl("/bin/true", "true", (char *)NULL);
	return 1;
}

TEST(test_exec)
{
	struct sdtkit_tap *tap = open_raw("taps:*");

	assert_int_equal(in_child(exec_in_child), 0);
	sdtkit_tap_close(tap);
}

static void *frames[32];
static int frame_count;

static void take_backtrace(const struct sdtkit_tap_event *event, void *context)
{
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
TEST(test_backtrace)
{
	struct sdtkit_tap *tap;

	frame_count = backtrace(frames, (int)ROWS(frames));
	tap = open_with("taps:pair", .callback = take_backtrace);
	fire_and_tell();
	sdtkit_tap_close(tap);
	assert_true(is_in_backtrace(caller));
}

static sigjmp_buf out;

static void jump_out(int number)
{
	siglongjmp(out, 1);
}

static void raise_alarm(void)
{
	raise(SIGALRM);
}

/* A close comes back, and keeps what a hit that never returns may need. */
TEST_ALONE(test_left_by_longjmp, is_by_jump())
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
	/* The close sleeps often, each time longer on a busy machine. */
	if (time(NULL) - start > 300)
		return 1;
	return raw_detached != before;
}

/* The library is loaded at the same address, or another one, with its jumps. */
TEST(test_loaded_and_unloaded)
{
	int i;

	for (i = 0; i < 50; i++) {
		void *library = dlopen(test_argument, RTLD_NOW);
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
