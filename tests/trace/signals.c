/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that handle the signal of traps themselves, or block it. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "act.h"

enum { PAGE = 4096 };

static volatile sig_atomic_t handled;

static void count(int number)
{
	handled++;
}

/* Has a handler for SIGTRAP and raises the signal itself, between hits. */
ACT(own_handler)
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

ACT(own_trap)
{
	ACT_STEP(1);
	if (argument[0] == '1')
		signal(SIGTRAP, SIG_IGN);
	raise(SIGTRAP);
	ACT_STEP(2);
	__asm__ volatile("int3");
	return 0;
}

static char *locked_page;

static void unlock_page(int number)
{
	handled++;
	syscall(SYS_mprotect, locked_page, PAGE, PROT_READ | PROT_WRITE);
}

/*
 * A handler of faults that needs more than the alternate stack has: it is to
 * run on the thread's own, whatever is installed over it.
 */
static void need_much_stack(int number)
{
	volatile char large[200000];

	memset((char *)large, number, sizeof(large));
	unlock_page(number);
}

static void lock_page(void)
{
	locked_page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
}

ACT(on_own_stack)
{
	char *space = mmap(NULL, 64 * PAGE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const stack_t small = { .ss_sp = space + 62 * PAGE,
				.ss_size = 2 * PAGE };
	struct sigaction action = { .sa_handler = need_much_stack };

	mprotect(small.ss_sp, small.ss_size, PROT_READ | PROT_WRITE);
	sigaltstack(&small, NULL);
	sigaction(SIGSEGV, &action, NULL);
	lock_page();
	ACT_STEP(1);
	*locked_page = 1;
	printf("handled %d\n", (int)handled);
	return 0;
}

/* A filter that forbids what the C library's handlers need not do. */
ACT(restricted_fault)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(code) / sizeof(code[0]), code };

	signal(SIGSEGV, unlock_page);
	lock_page();
	ACT_STEP(1);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
	*locked_page = 1;
	printf("handled %d\n", (int)handled);
	fflush(stdout);
	_exit(0);
}

/* An ignored signal interrupts nothing. */
ACT(ignored_abort)
{
	int ends[2];
	char byte = 0;

	signal(SIGABRT, SIG_IGN);
	ACT_STEP(1);
	if (pipe(ends) < 0 || fork() == 0) {
		usleep(50000);
		kill(getppid(), SIGABRT);
		usleep(50000);
		_exit(write(ends[1], "x", 1) != 1);
	}
	printf("read %d\n", (int)read(ends[0], &byte, 1));
	return 0;
}

enum { ALONE = 1 << 20, BESIDE = 1 << 16 };

static void hit_there(int number)
{
	handled++;
	ACT_TEXT("in the handler");
}

/* The alternate stack is above the thread's own, and not known in a handler. */
static void *hit_beside(void *space)
{
	stack_t beside = { .ss_sp = (char *)space + ALONE, .ss_size = BESIDE,
			   .ss_flags = 1U << 31 /* SS_AUTODISARM */ };
	struct sigaction action = { .sa_handler = hit_there,
				    .sa_flags = SA_ONSTACK | SA_RESTART };
	const struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { 0 };
	int i;

	sigaltstack(&beside, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 200000; i++)
		ACT_STEP(i);
	setitimer(ITIMER_REAL, &never, NULL);
	return NULL;
}

ACT(disarmed)
{
	void *space = mmap(NULL, ALONE + BESIDE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t blocked;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, space, ALONE);
	if (pthread_create(&thread, &attributes, hit_beside, space) != 0)
		return 1;
	sigfillset(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	pthread_join(thread, NULL);
	printf("%d\n", (int)handled);
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
ACT(own_flags)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

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

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	ACT_STEP(1);
	sigprocmask(SIG_BLOCK, &all, NULL);
	ACT_STEP(2);
	return NULL;
}

ACT(masks)
{
	struct sigaction action = { .sa_handler = fire_in_handler };
	struct timespec soon = { .tv_nsec = 1000000 };
	pthread_t thread;
	sigset_t all;

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
ACT(waits)
{
	const struct timespec limit = { .tv_sec = 5 };
	struct epoll_event event;
	sigset_t all;

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
ACT(jumps)
{
	volatile int i;

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
ACT(interrupted)
{
	struct sigaction action = { .sa_handler = count };
	int i;

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
ACT(preserved)
{
	long sum = 0;
	double product = 1;
	int i;

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
