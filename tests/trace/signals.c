/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that handle the signal of traps themselves, or block it. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "act.h"

static volatile sig_atomic_t handled;

static void count(int number)
{
	(void)number;
	handled++;
}

/* Has a handler for SIGTRAP and raises the signal itself, between hits. */
static int own_handler(const char *argument)
{
	struct sigaction action = { .sa_handler = count }, seen;

	ACT_STEP(1);
	if (argument[0] == '1')
		signal(SIGTRAP, count);
	else
		sigaction(SIGTRAP, &action, NULL);
	sigaction(SIGTRAP, NULL, &seen);
	ACT_STEP(2);
	raise(SIGTRAP);
	ACT_STEP(3);
	__asm__ volatile("int3");
	printf("handled %d, mine %d\n", (int)handled,
	       seen.sa_handler == count);
	return 0;
}

static int own_trap(const char *argument)
{
	ACT_STEP(1);
	if (argument[0] == '1')
		signal(SIGTRAP, SIG_IGN);
	raise(SIGTRAP);
	ACT_STEP(2);
	__asm__ volatile("int3");
	return 0;
}

static volatile sig_atomic_t blocked_there;

static void note_mask(int number)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	blocked_there = sigismember(&mask, SIGUSR1) * 10 +
			sigismember(&mask, SIGUSR2);
	ACT_STEP(number);
}

/*
 * Sets the signal's handler and flags as it wants them: first to ignore it,
 * then to handle it once, at last to die of it.
 */
static int own_flags(const char *argument)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	(void)argument;
	action.sa_handler = SIG_IGN;
	sigaction(SIGTRAP, &action, NULL);
	raise(SIGTRAP);
	ACT_STEP(1);
	action.sa_flags = (int)SA_RESETHAND;
	action.sa_handler = note_mask;
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGTRAP, &action, NULL);
	raise(SIGTRAP);
	sigaction(SIGTRAP, NULL, &action);
	printf("blocked %02d, again %d\n", (int)blocked_there,
	       action.sa_handler != SIG_DFL);
	fflush(stdout);
	action.sa_flags = SA_SIGINFO;
	action.sa_handler = SIG_DFL;
	sigaction(SIGTRAP, &action, NULL);
	raise(SIGTRAP);
	return 0;
}

static void fire_in_handler(int number)
{
	ACT_STEP(number);
}

/*
 * Fires while all signals are blocked, as masks() does it in a handler, in a
 * thread and in a system call that waits.
 */
static void *blocked(void *unused)
{
	sigset_t all;

	(void)unused;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	ACT_STEP(1);
	sigprocmask(SIG_BLOCK, &all, NULL);
	ACT_STEP(2);
	return NULL;
}

static int masks(const char *argument)
{
	struct sigaction action = { .sa_handler = fire_in_handler };
	struct timespec soon = { .tv_nsec = 1000000 };
	pthread_t thread;
	sigset_t all;

	(void)argument;
	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	pthread_create(&thread, NULL, blocked, NULL);
	pthread_join(thread, NULL);
	blocked(NULL);
	raise(SIGUSR1);
	sigfillset(&all);
	sigdelset(&all, SIGUSR1);
	ppoll(NULL, 0, &soon, &all);
	puts("alive");
	return 0;
}

#if __GLIBC_PREREQ(2, 35)
/*
 * A handler hits a site while epoll_pwait2() waits with all other signals
 * blocked.
 */
static int waits(const char *argument)
{
	const struct timespec limit = { .tv_sec = 5 };
	struct epoll_event event;
	sigset_t all;

	(void)argument;
	signal(SIGALRM, fire_in_handler);
	ualarm(20000, 0);
	sigfillset(&all);
	sigdelset(&all, SIGALRM);
	epoll_pwait2(epoll_create1(0), &event, 1, &limit, &all);
	puts("alive");
	return 0;
}
#endif

static sigjmp_buf back;

static void jump(int number)
{
	ACT_STEP(number);
	siglongjmp(back, 1);
}

/* A handler that hits a site and leaves with siglongjmp(). */
static int jumps(const char *argument)
{
	volatile int i;

	(void)argument;
	signal(SIGUSR1, jump);
	for (i = 1; i <= 100; i++) {
		if (sigsetjmp(back, 1) == 0)
			raise(SIGUSR1);
		ACT_STEP(i);
	}
	return 0;
}

/*
 * Waits for Ctrl-C, and then a little longer, because the tracer must not send
 * the signal a second time.
 */
static int interrupted(const char *argument)
{
	struct sigaction action = { .sa_handler = count };
	int i;

	(void)argument;
	sigaction(SIGINT, &action, NULL);
	ACT_STEP(SIGINT);
	puts("waiting");
	fflush(stdout);
	while (handled == 0)
		usleep(1000);
	for (i = 0; i < 50; i++)
		usleep(1000);
	ACT_STEP(handled);
	printf("interrupted %d\n", (int)handled);
	return 3;
}

/* Checks that a hit changes neither errno nor registers. */
static int preserved(const char *argument)
{
	long sum = 0;
	double product = 1;
	int i;

	(void)argument;
	for (i = 1; i <= 10; i++) {
		errno = i;
		sum += i;
		product *= 1.5;
		ACT_STEP(i);
		if (errno != i)
			return 90;
	}
	printf("%ld %.3f\n", sum, product);
	return 0;
}

const struct act signal_acts[] = {
	{ "own-handler", own_handler },
	{ "own-trap", own_trap },
	{ "own-flags", own_flags },
	{ "masks", masks },
#if __GLIBC_PREREQ(2, 35)
	{ "waits", waits },
#endif
	{ "jumps", jumps },
	{ "interrupted", interrupted },
	{ "preserved", preserved },
	{ NULL, NULL },
};
