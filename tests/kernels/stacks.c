/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks.c - one process hits a probe again and again, and another one, which
 * comes before it, again and again in the middle of that. stacks.bpf.c says of
 * how many hits the stack was used by the other one meanwhile.
 *
 *	stacks OBJECT PROGRAM HITS
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

enum { PAUSE_NS = 300000 };

struct counts {
	unsigned long long hits;
	unsigned long long wrong;
};

__attribute__((noinline)) void site(void)
{
	asm volatile("nop");
}

static int fail(const char *what)
{
	fprintf(stderr, "stacks: %s\n", what);
	return 1;
}

/* All on one processor. */
static void stay(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
}

/* Until its parent ends. */
static void interrupt(void)
{
	struct sched_param soon = { .sched_priority = 1 };
	struct timespec pause = { .tv_nsec = PAUSE_NS };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sched_setscheduler(0, SCHED_FIFO, &soon))
		_exit(fail("no SCHED_FIFO"));
	for (;;) {
		nanosleep(&pause, NULL);
		site();
	}
}

static struct bpf_object *load(const char *path, const char *name)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_program *program;

	if (!object)
		return NULL;
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, !strcmp(
			bpf_program__name(program), name));
	return bpf_object__load(object) ? NULL : object;
}

static int attach(struct bpf_object *object, const char *name)
{
	LIBBPF_OPTS(bpf_uprobe_opts, options, .func_name = "site");

	return bpf_program__attach_uprobe_opts(
		bpf_object__find_program_by_name(object, name), -1,
		"/proc/self/exe", 0, &options) ? 0 : -1;
}

static int read_counts(struct bpf_object *object, struct counts *counts)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	unsigned int first = 0;

	return map ? bpf_map__lookup_elem(map, &first, sizeof(first), counts,
					  sizeof(*counts), 0) : -1;
}

int main(int argc, char **argv)
{
	struct bpf_object *object = argc == 4 ? load(argv[1], argv[2]) : NULL;
	struct counts counts;
	long i, hits;
	int status;
	pid_t other;

	if (!object || attach(object, argv[2]))
		return fail("the kernel refuses the program");
	hits = strtol(argv[3], NULL, 10);
	stay();
	other = fork();
	if (other == 0)
		interrupt();
	for (i = 0; i < hits; i++)
		site();
	if (waitpid(other, &status, WNOHANG) != 0)
		return fail("the other process has ended");
	kill(other, SIGKILL);
	waitpid(other, &status, 0);
	if (read_counts(object, &counts))
		return fail("no counts");
	printf("%s: %llu of %llu wrong\n", argv[2], counts.wrong, counts.hits);
	return 0;
}
