/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that have restricted themselves: with seccomp, small stacks, limits
 * or another user.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/record/file.h"
#include "../forbid.h"
#include "act.h"

#define ALLOW(call)							\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),		\
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/*
 * Allows the system calls that a careful server needs; otherwise says what a
 * filter does with all others.
 */
static int lock_up(unsigned int otherwise)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		ALLOW(read), ALLOW(write), ALLOW(close), ALLOW(exit_group),
		ALLOW(exit), ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask),
		ALLOW(getpid), ALLOW(gettid), ALLOW(futex), ALLOW(brk),
		ALLOW(mmap), ALLOW(munmap), ALLOW(clock_gettime),
		BPF_STMT(BPF_RET | BPF_K, otherwise),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* argument: "kill" if other system calls kill the process, else they fail. */
ACT(filtered)
{
	ACT_STEP(1);
	ACT_TEXT("before");
	if (lock_up(strcmp(argument, "kill") == 0 ?
		    SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM) < 0)
		return 93;
	ACT_STEP(2);
	ACT_TEXT("behind");
	ACT_STEP(3);
	return 0;
}

/*
 * As some servers do: only the child, which parses what clients send, has a
 * filter.
 */
ACT(filtered_child)
{
	int status = 0;
	pid_t pid;

	ACT_STEP(1);
	pid = fork();
	if (pid == 0) {
		ACT_STEP(2);
		if (lock_up(SECCOMP_RET_KILL_PROCESS) < 0)
			_exit(93);
		ACT_STEP(3);
		ACT_TEXT("behind");
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ACT_STEP(4);
	ACT_TEXT("parent");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 88;
}

/*
 * A program that is executed under the filter would be killed at its first hit,
 * because the library calls gettid() there. So it must not be traced.
 */
ACT(filtered_program)
{
	if (forbid(SYS_gettid, SECCOMP_RET_KILL_PROCESS) < 0)
		return 93;
	execl("/proc/self/exe", "program", "steps3", (char *)NULL);
	return 97;
}

/*
 * The child of vfork() installs a filter. It shares the memory of its parent,
 * which has none and must still be traced.
 */
ACT(filtered_vfork)
{
	int status = 0;
	pid_t pid;

	ACT_STEP(1);
	pid = vfork();
	if (pid == 0) {
		if (forbid(SYS_fork, SECCOMP_RET_KILL_PROCESS) < 0)
			_exit(93);
		execl("/proc/self/exe", "program", "steps3", (char *)NULL);
		_exit(97);
	}
	waitpid(pid, &status, 0);
	ACT_STEP(4);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 88;
}

enum { CROWD = 300, SHOTS = 400 };

static pthread_barrier_t all_are_there;

static void *shoot(void *text)
{
	int i;

	pthread_barrier_wait(&all_are_there);
	for (i = 0; i < SHOTS; i++)
		ACT_TEXT(text);
	return NULL;
}

/*
 * More threads hit sites than may wait at a time for a reader, which is
 * stopped.
 */
ACT(crowd)
{
	static char text[1000];
	pthread_t threads[CROWD];
	pthread_attr_t attributes;
	int i;

	memset(text, 'x', sizeof(text) - 1);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	pthread_barrier_init(&all_are_there, NULL, CROWD);
	kill(getppid(), SIGSTOP);
	for (i = 0; i < CROWD; i++) {
		if (pthread_create(&threads[i], &attributes, shoot, text) != 0)
			_exit(91);
	}
	for (i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	kill(getppid(), SIGCONT);
	_exit(0);
}

ACT(strict)
{
	ACT_STEP(1);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) < 0)
		return 93;
	ACT_STEP(2);
	syscall(SYS_exit, 0);
	return 92;
}

static void *fire(void *unused)
{
	ACT_TYPES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NULL, "small");
	return NULL;
}

ACT(small_stack)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
	if (pthread_create(&thread, &attributes, fire, NULL) != 0)
		return 91;
	pthread_join(thread, NULL);
	return 0;
}

/* No file can be opened and no memory allocated. */
ACT(exhausted)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_NOFILE, &none);
	setrlimit(RLIMIT_AS, &none);
	ACT_TEXT("poor");
	return 0;
}

/* A server that is started as root and changes to another user. */
ACT(drop_rights)
{
	ACT_STEP(1);
	if (setgid(65534) < 0 || setuid(65534) < 0)
		return 89;
	ACT_STEP(2);
	if (fork() == 0) {
		ACT_STEP(3);
		_exit(0);
	}
	return 0;
}

/*
 * Overwrites all memory that it can, including what is shared with the tracer.
 */
ACT(scribble)
{
	char line[512], *end;
	unsigned long start, stop;
	FILE *maps = fopen("/proc/self/maps", "r");

	ACT_STEP(1);
	while (fgets(line, sizeof(line), maps) != NULL) {
		if (strstr(line, "memfd:sdtkit-trace") == NULL)
			continue;
		start = strtoul(line, &end, 16);
		stop = strtoul(end + 1, NULL, 16);
		memset((char *)start, 0x5a, stop - start);
	}
	fclose(maps);
	ACT_STEP(2);
	puts("scribbled");
	return 0;
}

/* Where the file of hits is. */
static char *find_record(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start = 0;
	char line[512];

	while (start == 0 && fgets(line, sizeof(line), maps) != NULL) {
		if (strstr(line, "memfd:" SDTKIT_RECORD_FILE_NAME) != NULL)
			start = strtoul(line, NULL, 16);
	}
	fclose(maps);
	return (char *)start;
}

/*
 * Overwrites a word of its ring, or with the argument "close" says that all has
 * ended; then its hits do not fit into the ring.
 */
ACT(damage)
{
	struct sdtkit_record_file *file;
	struct sdtkit_record_ring *ring;
	int i;

	ACT_STEP(1);
	file = (void *)find_record();
	ring = (void *)((char *)file + file->rings_at);
	if (strcmp(argument, "close") == 0) {
		atomic_store(&file->closed, 1);
	} else {
		uint64_t head = atomic_load(&ring->head);

		ACT_STEP(2);
		memset((char *)file + file->data_at + head, 0, 8);
	}
	for (i = 0; i < 20000; i++)
		ACT_STEP(3);
	return 0;
}
