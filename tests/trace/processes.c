/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that fork, execute others, become daemons or load libraries, and the
 * ways in which they end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act.h"

extern char **environ;

static int wait_for(pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

/* The parent fires step 1, its child 2, and the program that it executes 3. */
ACT(family)
{
	pid_t pid;

	ACT_STEP(1);
	pid = fork();
	if (pid == 0) {
		ACT_STEP(2);
		execl("/proc/self/exe", "program", "steps3", (char *)NULL);
		_exit(97);
	}
	return wait_for(pid);
}

ACT(steps3)
{
	ACT_STEP(3);
	return 0;
}

ACT(spawn)
{
	char *argv[] = { "program", "steps3", NULL };
	pid_t pid;

	ACT_STEP(1);
	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ))
		return 97;
	return wait_for(pid);
}

/* Forks often; each child fires once and ends. */
ACT(forks)
{
	int count = atoi(argument), i, status = 0;

	for (i = 1; i <= count; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			ACT_STEP(i);
			_exit(0);
		}
		status |= wait_for(pid);
	}
	return status;
}

/* Becomes a daemon: leaves its session and closes all files. */
ACT(daemonise)
{
	pid_t command = getpid();
	int i;

	ACT_STEP(1);
	if (fork() != 0)
		_exit(5);
	setsid();
	if (fork() != 0)
		_exit(6);
	for (i = 0; i < 1024; i++)
		close(i);
	/*
	 * Waits until sdtkit trace has reaped the command, so that it sees it
	 * end.
	 */
	for (i = 0; i < 6000 && kill(command, 0) == 0; i++)
		usleep(10000);
	ACT_STEP(2);
	if (chdir("/") == 0 && argument[0] != '\0')
		close(open(argument, O_CREAT | O_WRONLY, 0600));
	return 7;
}

/*
 * Closes all descriptors, so that files that are opened later get the numbers
 * of those that the tracer's library had.
 */
ACT(close_all)
{
	int i, fd;

	for (i = 3; i < 1024; i++)
		close(i);
	for (i = 0; i < 20; i++) {
		fd = open(argument, O_CREAT | O_WRONLY | O_APPEND, 0600);
		ACT_STEP(fd);
	}
	return 0;
}

ACT(plugin)
{
	void (*fire)(int);
	void *handle, *found;
	int i;

	ACT_STEP(1);
	for (i = 1; i <= 2; i++) {
		handle = dlopen(argument, RTLD_NOW);
		if (handle == NULL) {
			fprintf(stderr, "%s\n", dlerror());
			return 96;
		}
		if (dlerror() != NULL)
			return 95;
		found = dlsym(handle, "plug_fire");
		memcpy(&fire, &found, sizeof(fire));
		fire(i);
		dlclose(handle);
	}
	return 0;
}

ACT(leave)
{
	ACT_STEP(1);
	return atoi(argument);
}

ACT(die)
{
	ACT_STEP(1);
	raise(atoi(argument));
	return 94;
}

/* Fires as fast as it can until it is killed. */
ACT(flood)
{
	puts("lingering");
	fflush(stdout);
	for (;;)
		ACT_TEXT("flood");
	return 0;
}

enum { HITS_MAX = 5000000 };

/* Fires until its probes are off again; returns false if they never are. */
static bool is_relieved(void)
{
	int i;

	for (i = 0; i < HITS_MAX && act_step_semaphore > 0; i++)
		ACT_STEP(i);
	return act_step_semaphore == 0 && act_text_semaphore == 0;
}

/* argument: "children" if children fire; if it is empty, this process does. */
ACT(relieved)
{
	pid_t pid;

	if (act_step_semaphore == 0)
		return 85;
	puts("lingering");
	fflush(stdout);
	ACT_STEP(0);
	pid = argument[0] != '\0' ? fork() : 0;
	if (pid != 0) {
		printf("child %d\n", wait_for(pid));
		ACT_STEP(-1);
		return 0;
	}
	if (argument[0] != '\0')
		_exit(is_relieved());
	puts(is_relieved() ? "relieved" : "hit again and again");
	return 0;
}

/* Fires until a file appears that tells it to go on. */
ACT(linger)
{
	int i;

	puts("lingering");
	fflush(stdout);
	for (i = 1; access(argument, F_OK) < 0; i++) {
		ACT_STEP(i);
		usleep(10000);
	}
	ACT_STEP(0);
	puts("over");
	return 0;
}

static volatile sig_atomic_t traps;

static void count_trap(int number)
{
	traps++;
}

/*
 * Starts a program as libraries do: a child of vfork() resets all handlers, and
 * the parent, whose memory it shares, must keep its own.
 */
ACT(vforked)
{
	pid_t pid;

	signal(SIGTRAP, count_trap);
	pid = vfork();
	if (pid == 0) {
		signal(SIGTRAP, SIG_DFL);
		ACT_STEP(2);
		execl("/proc/self/exe", "program", "steps3", (char *)NULL);
		_exit(97);
	}
	wait_for(pid);
	raise(SIGTRAP);
	ACT_STEP(4);
	printf("traps %d\n", (int)traps);
	return 0;
}

/*
 * Runs a child as the first process of a PID namespace, which may have a /proc
 * of its own.
 */
ACT(numbered)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return 86;
	ACT_STEP(getpid());
	pid = fork();
	if (pid == 0) {
		if (argument[0] != '\0' &&
		    mount("proc", argument, "proc", 0, NULL) < 0)
			_exit(86);
		ACT_STEP(getpid());
		_exit(0);
	}
	ACT_STEP(pid);
	return wait_for(pid);
}

/*
 * Creates, in a PID namespace, a process with the same process ID as this one.
 */
ACT(namesake)
{
	pid_t number = getpid();
	FILE *last;

	if (unshare(CLONE_NEWPID) < 0)
		return 86;
	ACT_STEP(1);
	if (fork() != 0)
		return wait_for(-1);
	last = fopen("/proc/sys/kernel/ns_last_pid", "w");
	if (last == NULL || fprintf(last, "%d", (int)number - 1) < 0 ||
	    fclose(last) != 0)
		_exit(86);
	if (fork() == 0) {
		ACT_STEP(2);
		_exit(getpid() == number ? 0 : 87);
	}
	_exit(wait_for(-1));
}
