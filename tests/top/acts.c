/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * acts.c - fires probes as the lines of its standard input say, and prints
 * "done" after each.
 *
 *	start 7 1 100		request_start of key 7, op 1, with 100 bytes
 *	end 7 0 20		request_end, status 0, 20 bytes
 *	many 1000		so many starts, and then so many ends
 *	fill 1000		so many starts
 *	in 2			the rest of the line is for thread 2
 *	fork end 7 0 20		... for a child, which ends then
 *	burn 100		so many milliseconds of CPU time
 *	down 20 100		burn, in so many calls of a function
 *	large 100		burn, below 64 KiB on the stack
 *	lie 100			burn, called by what lies in its .eh_frame
 *	deepen 1030		so many call_enter, and no call_leave
 *	tell 7 1 0 5000 20	told_end of key 7, op 1, status 0: took 5000 ns
 *	since 1 5000		since_end, op 1: it began 5000 ns ago
 *	alone			the main thread ends, another one goes on
 *	exec			the program begins anew in the same process
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/base/clock.h"
#include "acts_probes.h"

/* At a symbol: "8@the_key(%rip)" where the macro does not use registers. */
static volatile uint64_t the_key;
static volatile uint64_t the_bytes;

static void act(char *line);

static unsigned long long number(char **line)
{
	return strtoull(*line, line, 0);
}

static void start(char *line)
{
	int op;

	the_key = number(&line);
	op = (int)strtol(line, &line, 0);
	the_bytes = number(&line);
	ACTS_REQUEST_START(the_key, op, the_bytes, "somebody");
}

static void end(char *line)
{
	int status;

	the_key = number(&line);
	status = (int)strtol(line, &line, 0);
	the_bytes = number(&line);
	ACTS_REQUEST_END(the_key, status, the_bytes);
}

static void tell(char *line)
{
	uint64_t key = number(&line);
	int op = (int)strtol(line, &line, 0);
	int status = (int)strtol(line, &line, 0);
	uint64_t elapsed = number(&line);

	ACTS_TOLD_END(key, op, status, elapsed, number(&line));
}

static void tell_wait(char *line)
{
	uint64_t key = number(&line);

	ACTS_TOLD_WAIT(key, number(&line));
}

static void tell_brief(char *line)
{
	uint64_t key = number(&line);
	int op = (int)strtol(line, &line, 0);

	ACTS_BRIEF_END(key, op, (uint32_t)number(&line));
}

static void tell_since(char *line)
{
	int op = (int)strtol(line, &line, 0);
	uint64_t ago = number(&line);

	ACTS_SINCE_END(op, ago == 0 ? 0 :
		       sdtkit_nanoseconds(CLOCK_MONOTONIC) - ago);
}

static void fill(char *line)
{
	unsigned long long count = number(&line);
	unsigned long long i;

	for (i = 0; i < count; i++)
		ACTS_REQUEST_START(0x1000 + 16 * i, 2, 1, "many");
}

static void many(char *line)
{
	unsigned long long count = strtoull(line, NULL, 0);
	unsigned long long i;

	fill(line);
	for (i = 0; i < count; i++)
		ACTS_REQUEST_END(0x1000 + 16 * i, 0, 2);
}

/* One after the other: bench. */
static void loop(char *line)
{
	unsigned long long count = number(&line);
	unsigned long long i;

	for (i = 0; i < count; i++) {
		ACTS_REQUEST_START(i % 8, (int)(i % 3), 1, "loop");
		ACTS_REQUEST_END(i % 8, 0, 2);
	}
}

static void recurse(unsigned long long depth)
{
	ACTS_CALL_ENTER("recurse");
	if (depth > 1)
		recurse(depth - 1);
	ACTS_CALL_LEAVE("recurse");
}

static void deepen(char *line)
{
	unsigned long long count = number(&line);

	while (count-- > 0)
		ACTS_CALL_ENTER("deepen");
}

static void files(char *line)
{
	unsigned long long count = number(&line);
	unsigned long long i;
	char path[32];

	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/f/%llu", i);
		ACTS_OPEN_FILE((int)i, path, (uint8_t)(i & 1));
		ACTS_CLOSE_FILE((int)i);
	}
}

/* No memory is there. */
static void unreadable(void)
{
	ACTS_OPEN_FILE(1, (char *)0x10000, 0);
	ACTS_CLOSE_FILE(1);
}

static void *run_thread(void *line)
{
	act(line);
	return NULL;
}

static void in_thread(char *line)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run_thread, line);
	pthread_join(thread, NULL);
}

static void in_child(char *line)
{
	pid_t pid = fork();

	if (pid == 0) {
		act(line);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void in_children(unsigned long long count)
{
	char nothing[] = "nap 0";

	for (; count > 0; count--)
		in_child(nothing);
}

static void nap(char *line)
{
	struct timespec ts = { .tv_nsec = (long)number(&line) * 1000000 };

	nanosleep(&ts, NULL);
}

static unsigned long long cpu_us(void)
{
	return sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID) / 1000;
}

/*
 * --flame: the function that is looked for. Of a time in which an emulated
 * machine stands still, because the real one has something else to do, there is
 * one sample at most, and the thread is charged for all of it.
 */
static __attribute__((noinline)) void burn(unsigned long long ms)
{
	enum { LONGEST_US = 2000 };
	unsigned long long before = cpu_us();
	unsigned long long burnt = 0;
	unsigned long long now;
	volatile unsigned int i;

	while (burnt < ms * 1000) {
		for (i = 0; i < 10000; i++)
			;
		now = cpu_us();
		burnt += now - before < LONGEST_US ? now - before : LONGEST_US;
		before = now;
	}
}

static __attribute__((noinline)) void down(unsigned long long depth,
					   unsigned long long ms)
{
	if (depth > 1)
		down(depth - 1, ms);
	else
		burn(ms);
	the_key++;		/* no jump instead of a call */
}

static __attribute__((noinline)) void large(unsigned long long ms)
{
	volatile char room[65536];

	room[0] = 0;
	burn(ms);
	the_key += (uint64_t)room[0];
}

/* It says that it saves register 134217727, and keeps a thousand such rows. */
static __attribute__((noinline)) void lie(unsigned long long ms)
{
	__asm__ volatile(".cfi_escape 5, 0xff, 0xff, 0xff, 0x3f, 1\n"
			 ".rept 1000\n.cfi_remember_state\n.endr");
	burn(ms);
	the_key++;
}

/* Returns what is behind the word if the line begins with it, or NULL. */
static char *after(char *line, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(line, word, length) != 0 ||
	    (line[length] != ' ' && line[length] != '\0'))
		return NULL;
	return line + length;
}

/* Several acts in a line have semicolons between. */
static void act_once(char *line)
{
	unsigned long long depth;
	char *rest;

	line += strspn(line, " ");
	if ((rest = after(line, "start")) != NULL) {
		start(rest);
	} else if ((rest = after(line, "end")) != NULL) {
		end(rest);
	} else if ((rest = after(line, "cancel")) != NULL) {
		ACTS_REQUEST_CANCEL(number(&rest));
	} else if ((rest = after(line, "wait")) != NULL) {
		ACTS_WAIT_START(number(&rest));
	} else if ((rest = after(line, "go")) != NULL) {
		ACTS_WAIT_END(number(&rest));
	} else if ((rest = after(line, "part")) != NULL) {
		the_key = number(&rest);
		ACTS_PART_START(the_key, number(&rest));
	} else if ((rest = after(line, "whole")) != NULL) {
		ACTS_PART_END(number(&rest));
	} else if ((rest = after(line, "enter")) != NULL) {
		ACTS_CALL_ENTER(rest + 1);
	} else if ((rest = after(line, "leave")) != NULL) {
		ACTS_CALL_LEAVE(rest + 1);
	} else if ((rest = after(line, "begin")) != NULL) {
		ACTS_TOLD_START(number(&rest), "someone", 1);
	} else if ((rest = after(line, "halt")) != NULL) {
		tell_wait(rest);
	} else if ((rest = after(line, "resume")) != NULL) {
		ACTS_TOLD_GO(number(&rest));
	} else if ((rest = after(line, "tell")) != NULL) {
		tell(rest);
	} else if ((rest = after(line, "brief")) != NULL) {
		tell_brief(rest);
	} else if ((rest = after(line, "since")) != NULL) {
		tell_since(rest);
	} else if ((rest = after(line, "recurse")) != NULL) {
		recurse(number(&rest));
	} else if ((rest = after(line, "deepen")) != NULL) {
		deepen(rest);
	} else if ((rest = after(line, "files")) != NULL) {
		files(rest);
	} else if ((rest = after(line, "children")) != NULL) {
		in_children(number(&rest));
	} else if (after(line, "unreadable") != NULL) {
		unreadable();
	} else if ((rest = after(line, "tick")) != NULL) {
		ACTS_TICK((uint32_t)number(&rest));
	} else if ((rest = after(line, "many")) != NULL) {
		many(rest);
	} else if ((rest = after(line, "fill")) != NULL) {
		fill(rest);
	} else if ((rest = after(line, "loop")) != NULL) {
		loop(rest);
	} else if ((rest = after(line, "burn")) != NULL) {
		burn(number(&rest));
	} else if ((rest = after(line, "down")) != NULL) {
		depth = number(&rest);
		down(depth, number(&rest));
	} else if ((rest = after(line, "large")) != NULL) {
		large(number(&rest));
	} else if ((rest = after(line, "lie")) != NULL) {
		lie(number(&rest));
	} else if ((rest = after(line, "nap")) != NULL) {
		nap(rest);
	} else {
		fprintf(stderr, "acts: what is '%s'?\n", line);
	}
}

static void act(char *line)
{
	char *rest;
	char *next;

	for (; line != NULL; line = next) {
		line += strspn(line, " ");
		rest = after(line, "thread");
		if (rest != NULL) {
			in_thread(rest);
			return;
		}
		rest = after(line, "fork");
		if (rest != NULL) {
			in_child(rest);
			return;
		}
		next = strchr(line, ';');
		if (next != NULL)
			*next++ = '\0';
		act_once(line);
	}
}

static void *serve(void *unused)
{
	static char line[4096];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "alone") == 0)
			return unused;
		if (strcmp(line, "exec") == 0)
			execl("/proc/self/exe", "acts", "anew", NULL);
		act(line);
		puts("done");
	}
	exit(0);
}

/* Once exec() has been called, what was to be done is done. */
int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1)
		puts("done");
	serve(NULL);
	pthread_create(&thread, NULL, serve, NULL);
	puts("done");
	pthread_exit(NULL);
}
