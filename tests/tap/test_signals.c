/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The signal of traps, and other signals: handlers that were installed before
 * the tap or are installed later, that hit sites themselves, or that run on
 * stacks of their own.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "../child.h"
#include "../preload/disposition.h"
#include "machine.h"
#include "tap_all.h"

#define TRAP	(sdtkit_tap_machine.signals[0])

static volatile sig_atomic_t caught;
static struct sigaction overlaid;

static void set_handler(int number, void (*handler)(int), int flags,
			bool mask_all)
{
	struct sigaction action = { .sa_flags = flags };

	action.sa_handler = handler;
	if (mask_all)
		sigfillset(&action.sa_mask);
	assert_int_equal(sigaction(number, &action, NULL), 0);
}

static void count(int number)
{
	caught++;
}

static void count_and_pass_on(int number, siginfo_t *info, void *context)
{
	caught++;
	overlaid.sa_sigaction(number, info, context);
}

static void fire(int number)
{
	TAPS_NUMBER(number);
}

/* A test in a process of its own, because the handler stays installed. */
#define TEST_IN_CHILD(name, expected)					\
static void name##_in_child(void);					\
TEST(name)								\
{									\
	pid_t child = fork();						\
									\
	if (child == 0) {						\
		name##_in_child();					\
		_exit(0);						\
	}								\
	assert_int_equal(status_of(child), expected);			\
}									\
static void name##_in_child(void)

TEST_IN_CHILD(test_earlier_handler, 0)
{
	struct sdtkit_tap *tap;

	set_handler(TRAP, count, 0, false);
	tap = open_tap("taps:*");
	TAPS_NUMBER(1);
	assert_int_equal(caught, 0);
	raise(TRAP);
	assert_int_equal(caught, 1);
	good(sdtkit_tap_expect(tap, "taps:number"));
	sdtkit_tap_close(tap);
	raise(TRAP);
	assert_int_equal(caught, 2);
}

TEST_IN_CHILD(test_no_handler, TRAP)
{
	sdtkit_tap_close(open_tap("taps:*"));
	raise(TRAP);
}

TEST_IN_CHILD(test_ignored, 0)
{
	signal(TRAP, SIG_IGN);
	sdtkit_tap_close(open_tap("taps:*"));
	raise(TRAP);
}

/* The kernel looks at the handler first, and then at SA_SIGINFO. */
TEST_IN_CHILD(test_no_handler_with_siginfo, TRAP)
{
	set_handler(TRAP, SIG_DFL, SA_SIGINFO, false);
	sdtkit_tap_close(open_tap("taps:*"));
	raise(TRAP);
}

TEST_IN_CHILD(test_ignored_with_siginfo, 0)
{
	set_handler(TRAP, SIG_IGN, SA_SIGINFO, false);
	sdtkit_tap_close(open_tap("taps:*"));
	raise(TRAP);
}

static sigset_t blocked_there;

static void note_mask(int number)
{
	caught++;
	sigprocmask(SIG_BLOCK, NULL, &blocked_there);
}

/* What is blocked in the handler, and that it is called only once. */
TEST_IN_CHILD(test_flags_of_handler, TRAP)
{
	struct sigaction action = { .sa_flags = (int)SA_RESETHAND };

	action.sa_handler = note_mask;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	assert_int_equal(sigaction(TRAP, &action, NULL), 0);
	sdtkit_tap_close(open_tap("taps:*"));
	raise(TRAP);
	assert_int_equal(caught, 1);
	assert_int_equal(sigismember(&blocked_there, SIGUSR1), 1);
	assert_int_equal(sigismember(&blocked_there, SIGUSR2), 0);
	sigprocmask(SIG_BLOCK, NULL, &blocked_there);
	assert_int_equal(sigismember(&blocked_there, SIGUSR1), 0);
	raise(TRAP);
}

/* sigaction(2), and another thread that calls it between any two calls. */
static struct sigaction installed;

static int set_meanwhile(int number, const struct sigaction *new,
			 struct sigaction *old)
{
	if (old != NULL)
		*old = installed;
	if (new != NULL)
		installed = *new;
	else
		installed.sa_handler = fire;
	return 0;
}

TEST(test_handler_of_another_thread)
{
	struct sdtkit_disposition disposition = { 0 };
	const struct sigaction ours = { .sa_handler = count };
	struct sigaction kept;

	installed.sa_handler = SIG_IGN;
	assert_true(sdtkit_disposition_take(&disposition, TRAP, &ours,
					    set_meanwhile));
	sdtkit_disposition_get(&disposition, &kept);
	assert_ptr_equal(installed.sa_handler, count);
	assert_ptr_equal(kept.sa_handler, fire);
}

TEST_IN_CHILD(test_later_handler, 0)
{
	struct sdtkit_tap *tap = open_tap("taps:*"), *again;

	set_handler(TRAP, count, 0, false);
	bad(EPIPE, "replaced the handler", sdtkit_tap_expect(tap,
							    "taps:number"));
	bad(EPIPE, "before sdtkit_tap_open()",
	    sdtkit_tap_expect_none(tap, NULL));
	/* The next open, or a rescan, installs the tap's handler again. */
	again = open_tap("taps:*");
	TAPS_NUMBER(1);
	assert_int_equal(caught, 0);
	good(sdtkit_tap_expect(tap, "taps:number"));
	good(sdtkit_tap_expect(again, "taps:number"));
	raise(TRAP);
	assert_int_equal(caught, 1);
	sdtkit_tap_close(again);
	sdtkit_tap_close(tap);
}

/*
 * The program's handler is installed over the tap's and passes on what is not
 * its own; a rescan then installs the tap's over the program's. A signal must
 * not go round between them for ever.
 */
TEST_IN_CHILD(test_handlers_in_a_circle, 0)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };
	struct sdtkit_tap *tap;

	only_traps();
	set_handler(TRAP, count, 0, false);
	tap = open_tap("taps:*");
	action.sa_sigaction = count_and_pass_on;
	sigaction(TRAP, &action, &overlaid);
	TAPS_NUMBER(1);
	assert_int_equal(caught, 1);
	good(sdtkit_tap_rescan(tap));
	TAPS_NUMBER(2);
	assert_int_equal(caught, 1);
	raise(TRAP);
	assert_int_equal(caught, 3);
	good(sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 1)));
	good(sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 2)));
	sdtkit_tap_close(tap);
}

TEST(test_blocked_signal)
{
	struct sdtkit_tap *tap = NULL;
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, TRAP);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	bad(EBUSY, "unblock it with pthread_sigmask()",
	    sdtkit_tap_open("taps:*", &tap));
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_null(tap);
}

/* A probe in a handler is traced, even if the handler blocks all signals. */
TEST(test_site_in_handler)
{
	struct sdtkit_tap *tap;

	set_handler(SIGUSR1, fire, 0, false);
	set_handler(SIGUSR2, fire, 0, true);
	tap = open_tap("taps:*");
	raise(SIGUSR1);
	raise(SIGUSR2);
	good(sdtkit_tap_expect(tap, "taps:number",
			       sdtkit_tap_int("n", SIGUSR1)));
	good(sdtkit_tap_expect(tap, "taps:number",
			       sdtkit_tap_int("n", SIGUSR2)));
	sdtkit_tap_close(tap);
}

enum {
	CAPACITY = 1 << 20,
	INTERRUPTIONS = 2000,
};

static void *interrupt(void *thread)
{
	int i;

	for (i = 0; i < INTERRUPTIONS; i++) {
		pthread_kill(*(pthread_t *)thread, SIGUSR1);
		usleep(20);
	}
	return NULL;
}

/*
 * Handlers of other signals interrupt the handling of hits, and hit sites too.
 */
TEST(test_interrupted)
{
	const struct sdtkit_tap_event *event;
	pthread_t self = pthread_self(), other;
	uint64_t next = 0, own = 0, fired = 0;
	struct sdtkit_tap *tap;

	set_handler(SIGUSR1, fire, SA_RESTART, false);
	tap = open_with("taps:*", .capacity = CAPACITY);
	assert_int_equal(pthread_create(&other, NULL, interrupt, &self), 0);
	/* On a busy machine the other thread takes long: there is a limit. */
	while (pthread_tryjoin_np(other, NULL) != 0) {
		if (own < CAPACITY - INTERRUPTIONS)
			TAPS_PAIR(own++, "main");
	}
	while (sdtkit_tap_next(tap, &event) > 0) {
		if (strcmp(event->probe->probe, "number") == 0)
			fired++;
		else
			assert_int_equal(event->values[0].bits, next++);
	}
	assert_true(fired > 0);
	assert_int_equal(next, own);
	assert_int_equal(sdtkit_tap_lost(tap), 0);
	sdtkit_tap_close(tap);
}

static jmp_buf after;

static void overflown(int number)
{
	TAPS_NUMBER(number);
	siglongjmp(after, 1);
}

static volatile unsigned int deepest = UINT32_MAX;

__attribute__((noinline)) static unsigned int sink(unsigned int depth)
{
	volatile char array[4096];

	array[depth % sizeof(array)] = (char)depth;
	if (depth == deepest)
		return 0;
	return sink(depth + 1) + (unsigned int)array[0];
}

/*
 * The stack overflows; the handler of SIGSEGV has a stack of its own and hits a
 * site.
 */
TEST(test_stack_overflow)
{
	static char stack[65536];
	const stack_t alternative = {
		.ss_sp = stack, .ss_size = sizeof(stack),
	};
	const stack_t none = { .ss_flags = SS_DISABLE };
	struct sdtkit_tap *tap;

	sigaltstack(&alternative, NULL);
	set_handler(SIGSEGV, overflown, SA_ONSTACK | SA_NODEFER, false);
	tap = open_tap("taps:*");
	if (sigsetjmp(after, 1) == 0)
		sink(0);
	signal(SIGSEGV, SIG_DFL);
	sigaltstack(&none, NULL);
	good(sdtkit_tap_expect(tap, "taps:number",
			       sdtkit_tap_int("n", SIGSEGV)));
	sdtkit_tap_close(tap);
}

static ucontext_t main_context, small_context;

static void on_small_stack(void)
{
	TAPS_PAIR(16, "small");
}

/*
 * A hit on the small stack of a coroutine, with an inaccessible page below it.
 */
TEST(test_small_stack)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 5 * page;
	struct sdtkit_tap *tap = open_tap("taps:*");
	char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(stack, MAP_FAILED);
	assert_int_equal(mprotect(stack, page, PROT_NONE), 0);
	getcontext(&small_context);
	small_context.uc_stack.ss_sp = stack + page;
	small_context.uc_stack.ss_size = size - page;
	small_context.uc_link = &main_context;
	makecontext(&small_context, on_small_stack, 0);
	swapcontext(&main_context, &small_context);
	good(sdtkit_tap_expect(tap, "taps:pair",
			       sdtkit_tap_str("text", "small")));
	munmap(stack, size);
	sdtkit_tap_close(tap);
}
