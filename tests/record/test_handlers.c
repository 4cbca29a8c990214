/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handlers of faults that the program has, beside those of the recorder, which
 * is the shared library here: each test is a process of its own.
 */
#define _GNU_SOURCE
#include "../child.h"
#include "../cmocka_all.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "sdtkit/recorder.h"

#include "recorded_probes.h"

enum {
	PAGE = 4096,
	MANY = 100,
	/* A sanitizer has a small stack for signals. */
	NESTED = 4,
	SETS = 200000,
};

/* What the children count, in memory that they share with the parent. */
static int *calls;
/* An address that is no memory, which the compiler does not know. */
static volatile int *volatile nowhere;

static int make_memory(void **state)
{
	calls = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	nowhere = (volatile int *)mmap(NULL, PAGE, PROT_NONE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return calls == MAP_FAILED || nowhere == MAP_FAILED;
}

static void record(void)
{
	static const struct sdtkit_recorder_options options = {
		.flags = SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_NO_DUMP |
			 SDTKIT_RECORDER_NO_LISTEN,
	};
	struct sdtkit_recorder *recorder;

	if (sdtkit_recorder_open("rec:*", &options, &recorder) < 0)
		_exit(100);
	REC_STEP(0, "begun");
}

static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	/* SA_NODEFER does not take it out of the mask. */
	sigfillset(&action.sa_mask);
	sigdelset(&action.sa_mask, number);
	sigaction(number, &action, NULL);
}

static int run(int (*test)(void))
{
	*calls = 0;
	return in_child(test);
}

/* ------------------------------------------- a handler that faults itself */

static void fault_again(int number)
{
	if (++*calls < NESTED)
		*nowhere = 1;
	_exit(101);
}

static int fault_in_handler(void)
{
	handle(SIGSEGV, fault_again, 0);
	record();
	*nowhere = 1;
	return 0;
}

static int fault_in_later_handler(void)
{
	record();
	handle(SIGSEGV, fault_again, SA_ONSTACK);
	*nowhere = 1;
	return 0;
}

/* As without a recorder: the second fault ends the process. */
TEST(test_fault_in_handler)
{
	int status = run(fault_in_handler);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_int_equal(*calls, 1);
	status = run(fault_in_later_handler);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_int_equal(*calls, 1);
}

static int fault_without_defer(void)
{
	record();
	handle(SIGSEGV, fault_again, SA_NODEFER);
	*nowhere = 1;
	return 0;
}

TEST(test_nodefer)
{
	int status = run(fault_without_defer);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 101);
	assert_int_equal(*calls, NESTED);
}

/* ---------------------------------------------- a handler that hits probes */

static sigjmp_buf out;

static void hit_bad_address(int number)
{
	++*calls;
	REC_STEP(1, (char *)(uintptr_t)nowhere);
	siglongjmp(out, 1);
}

static int hit_in_handler(void)
{
	volatile int i;

	record();
	handle(SIGSEGV, hit_bad_address, 0);
	for (i = 0; i < MANY; i++) {
		if (sigsetjmp(out, 1) == 0)
			*nowhere = 1;
		REC_STEP(2, (char *)(uintptr_t)nowhere);
	}
	return 0;
}

TEST(test_hit_in_handler)
{
	assert_int_equal(run(hit_in_handler), 0);
	assert_int_equal(*calls, MANY);
}

/* -------------------------------------------------- other names of signal() */

static int handle_by_other_names(void)
{
	struct sigaction seen;
	volatile int i;

	record();
	sysv_signal(SIGSEGV, hit_bad_address);
	for (i = 0; i < MANY; i++)
		REC_STEP(2, (char *)(uintptr_t)nowhere);
	sigaction(SIGSEGV, NULL, &seen);
	if (*calls != 0 || seen.sa_handler != hit_bad_address ||
	    seen.sa_flags != ((int)SA_RESETHAND | SA_NODEFER))
		return 1;
	if (sigsetjmp(out, 1) == 0)
		*nowhere = 1;
	if (ssignal(SIGSEGV, fault_again) != SIG_DFL)
		return 2;
	REC_STEP(3, (char *)(uintptr_t)nowhere);
	return 0;
}

TEST(test_other_names)
{
	assert_int_equal(run(handle_by_other_names), 0);
	assert_int_equal(*calls, 1);
}

/* ------------------------------------------------ dispositions and flags */

static int sent_without_handler(void)
{
	record();
	handle(SIGFPE, SIG_IGN, SA_SIGINFO);
	raise(SIGFPE);
	handle(SIGFPE, SIG_DFL, SA_SIGINFO);
	raise(SIGFPE);
	return 0;
}

/* The kernel looks at the handler first, and then at SA_SIGINFO. */
TEST(test_siginfo_without_handler)
{
	int status = run(sent_without_handler);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGFPE);
}

static void *set_masks(void *stop)
{
	while (!atomic_load((atomic_bool *)stop)) {
		struct sigaction action = { .sa_handler = fault_again };

		sigaction(SIGFPE, &action, NULL);
		/* At the other end of the structure. */
		action.sa_flags = SA_RESTART;
		action.sa_handler = hit_bad_address;
		sigaction(SIGFPE, &action, NULL);
	}
	return NULL;
}

/* What one thread sets, another one gets whole. */
static int set_and_get(void)
{
	struct sigaction seen;
	atomic_bool stop = false;
	pthread_t thread;
	int i, torn = 0;

	record();
	handle(SIGFPE, hit_bad_address, SA_RESTART);
	pthread_create(&thread, NULL, set_masks, &stop);
	for (i = 0; i < SETS; i++) {
		sigaction(SIGFPE, NULL, &seen);
		torn += (seen.sa_handler == hit_bad_address) !=
			(seen.sa_flags == SA_RESTART);
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	return torn > 0;
}

TEST(test_set_and_get)
{
	assert_int_equal(run(set_and_get), 0);
}

int main(void)
{
	return tests_run(NULL, make_memory, NULL);
}
