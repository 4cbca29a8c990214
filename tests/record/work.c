/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work ORDER...: hits probes, and knows nothing of a recorder. Orders:
 *
 *	step N		hits rec:step N times
 *	all		one hit of each probe
 *	threads N M	N threads hit rec:step M times each
 *	fork N		a child hits rec:step N times and ends by _exit()
 *	zombie		a child is killed, and nobody asks how it ended
 *	vfork		a child of vfork() hits, and executes true
 *	background	goes on as a child, and its parent ends
 *	say		prints its number, and flushes
 *	wait		until a line comes
 *	leave		the main thread ends, and another one goes on
 *	closefrom	closes all descriptors but the first three
 *	nobody		becomes the user nobody
 *	block		blocks all signals
 *	suspend		waits for a signal, all others blocked; its handler hits
 *			rec:step with a bad address
 *	handle		has a handler for SIGSEGV, which ends it with status 3
 *	crash SIGNAL	SEGV by a store, others by raise()
 *	open FILE	loads a library and calls its plug()
 *	open-in-child FILE	a child does that, and ends by _exit()
 *	reopen N FILE	four threads load a library and unload it N times
 *	exec		executes itself, "step 1"
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorded_probes.h"

/* As in recorded.d. */
struct thing {
	unsigned long long id;
	char *owner;
	int sizes[3];
};

enum color { RED, GREEN = 5 };

static char *program;

static void step(uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		REC_STEP(i, "some text");
}

/* No thread ends before all have hit: so each needs a ring. */
static pthread_barrier_t barrier;

static void *step_in_thread(void *count)
{
	step((uintptr_t)count);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void threads(int count, uintptr_t steps)
{
	pthread_t threads[64];
	int i;

	pthread_barrier_init(&barrier, NULL, (unsigned int)count);
	for (i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, step_in_thread,
			       (void *)steps);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void all(void)
{
	static char owner[] = "bob";
	struct thing thing = { .id = 77, .owner = owner,
			       .sizes = { 1, -2, 3 } };

	REC_STEP(1, "a.txt");
	REC_NUMBERS(-1, 65535, -70000, UINT64_MAX, (void *)0x1234);
	REC_ADDRESS(owner, 4);
	REC_THING_DONE(&thing);
	REC_PAINTED(GREEN);
	REC_NONE();
}

static void child(uint64_t steps)
{
	pid_t pid = fork();

	if (pid == 0) {
		step(steps);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void zombie(void)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		raise(SIGKILL);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
}

static void vfork_child(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		REC_STEP(1000, "vfork");
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

/*
 * The parent ends when the child's handlers of fork() have run: the recorder
 * waits for them for a short time only, and a busy machine may take longer.
 */
static void background(void)
{
	int ends[2];
	char c;

	if (pipe(ends) < 0)
		exit(9);
	if (fork() != 0) {
		close(ends[1]);
		exit(read(ends[0], &c, 1) != 0);
	}
	close(ends[0]);
	close(ends[1]);
}

static void say(void)
{
	printf("%d\n", (int)getpid());
	fflush(stdout);
}

static void wait_for_line(void)
{
	char c = 0;

	while (c != '\n' && read(0, &c, 1) == 1)
		;
}

static void block(void)
{
	sigset_t set;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void hit_nowhere(int number)
{
	REC_STEP((uint64_t)number, (char *)16);
}

static void suspend(void)
{
	sigset_t set;

	signal(SIGUSR1, hit_nowhere);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	sigfillset(&set);
	sigdelset(&set, SIGUSR1);
	sigsuspend(&set);
}

static void on_signal(int number)
{
	_exit(3);
}

static void crash(const char *name)
{
	int *volatile nowhere = (int *)16;

	if (strcmp(name, "SEGV") == 0)
		*nowhere = 1;
	else if (strcmp(name, "ABRT") == 0)
		abort();
	else if (strcmp(name, "KILL") == 0)
		raise(SIGKILL);
	else
		raise(strcmp(name, "BUS") == 0 ? SIGBUS :
		      strcmp(name, "ILL") == 0 ? SIGILL : SIGFPE);
}

static void open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW), *symbol;
	void (*plug)(void);

	symbol = library != NULL ? dlsym(library, "plug") : NULL;
	if (symbol == NULL)
		exit(9);
	memcpy(&plug, &symbol, sizeof(plug));
	plug();
}

static void open_in_child(const char *path)
{
	pid_t pid = fork();

	if (pid == 0) {
		open_library(path);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static int reopen_count;

static void *reopen_in_thread(void *path)
{
	int i;

	for (i = 0; i < reopen_count; i++)
		dlclose(dlopen(path, RTLD_NOW));
	return NULL;
}

static void reopen(int count, char *path)
{
	pthread_t threads[4];
	int i;

	reopen_count = count;
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, reopen_in_thread, path);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void leave(char **orders);

static int obey(char **order)
{
	const char *what = order[0];

	if (strcmp(what, "step") == 0)
		return step(strtoul(order[1], NULL, 10)), 2;
	if (strcmp(what, "threads") == 0)
		return threads(atoi(order[1]), strtoul(order[2], NULL, 10)), 3;
	if (strcmp(what, "fork") == 0)
		return child(strtoul(order[1], NULL, 10)), 2;
	if (strcmp(what, "open") == 0)
		return open_library(order[1]), 2;
	if (strcmp(what, "open-in-child") == 0)
		return open_in_child(order[1]), 2;
	if (strcmp(what, "reopen") == 0)
		return reopen(atoi(order[1]), order[2]), 3;
	if (strcmp(what, "crash") == 0)
		return crash(order[1]), 2;
	if (strcmp(what, "leave") == 0)
		leave(order + 1);
	if (strcmp(what, "all") == 0)
		all();
	else if (strcmp(what, "zombie") == 0)
		zombie();
	else if (strcmp(what, "vfork") == 0)
		vfork_child();
	else if (strcmp(what, "background") == 0)
		background();
	else if (strcmp(what, "say") == 0)
		say();
	else if (strcmp(what, "wait") == 0)
		wait_for_line();
	else if (strcmp(what, "closefrom") == 0)
		syscall(SYS_close_range, 3, ~0u, 0);
	else if (strcmp(what, "nobody") == 0 && setuid(65534) != 0)
		exit(8);
	else if (strcmp(what, "block") == 0)
		block();
	else if (strcmp(what, "suspend") == 0)
		suspend();
	else if (strcmp(what, "handle") == 0)
		signal(SIGSEGV, on_signal);
	else if (strcmp(what, "exec") == 0)
		execl(program, program, "step", "1", (char *)NULL);
	return 1;
}

static void *obey_all(void *orders)
{
	char **order = orders;

	while (*order != NULL)
		order += obey(order);
	exit(0);
}

/* The thread has all the orders that follow. */
static void leave(char **orders)
{
	pthread_t thread;

	pthread_create(&thread, NULL, obey_all, orders);
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	program = argv[0];
	obey_all(argv + 1);
}
