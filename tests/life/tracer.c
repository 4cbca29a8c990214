/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracer.c - attaches to probes and detaches again, as often as it is told.
 *
 *	tracer BPF-OBJECT PID FILE OFFSET,SEMAPHORE,COOKIE... [FILE ...]
 *
 * PID 0 means every process, also those that are started later. The sites of a
 * file (their offsets in it; the cookie is union tracer_cookie) are attached
 * with one link of the kind that libbpf uses for USDT since version 1.2 on
 * Linux 6.6 and later, which is the fastest to detach; on older ones each site
 * has a perf event. The tracer prints "attached" and waits for a line. Then it
 * detaches, prints a row for each thread that hit a probe and "detached", and
 * waits for a line to attach again. It ends with its input.
 *
 *	attached
 *				# an empty line comes in
 *	0 4711 20 0 19		# probe, thread, hits, least and greatest arg0
 *	detached
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tracer.h"

enum {
	MAX_FILES = 4,
	MAX_SITES = 16,
	TRACE_UPROBE_MULTI = 48,	/* newer than Debian 12's headers */
};

struct file {
	const char *name;
	uint64_t offsets[MAX_SITES];
	uint64_t semaphores[MAX_SITES];
	uint64_t cookies[MAX_SITES];
	unsigned int count;
	int link;			/* -1 if there are events */
	struct bpf_link *events[MAX_SITES];
};

/* How the sites are attached. */
enum way { BY_LINK, BY_EVENTS };

/* The arguments of BPF_LINK_CREATE, as in <linux/bpf.h> of Linux 6.6. */
struct link_arguments {
	uint32_t program;
	uint32_t unused;
	uint32_t attach_type;
	uint32_t flags;
	uint64_t path;
	uint64_t offsets;
	uint64_t semaphores;
	uint64_t cookies;
	uint32_t count;
	uint32_t multi_flags;
	uint32_t pid;
	uint32_t end;
};

static int attach_link(struct bpf_program *program, uint32_t pid,
		       struct file *file)
{
	struct link_arguments arguments = {
		.program = (uint32_t)bpf_program__fd(program),
		.attach_type = TRACE_UPROBE_MULTI,
		.path = (uintptr_t)file->name,
		.offsets = (uintptr_t)file->offsets,
		.semaphores = (uintptr_t)file->semaphores,
		.cookies = (uintptr_t)file->cookies,
		.count = file->count,
		.pid = pid,
	};

	file->link = (int)syscall(__NR_bpf, BPF_LINK_CREATE, &arguments,
				  sizeof(arguments));
	return file->link < 0 ? -errno : 0;
}

static int attach_events(struct bpf_program *program, uint32_t pid,
			 struct file *file)
{
	unsigned int i;

	file->link = -1;
	for (i = 0; i < file->count; i++) {
		LIBBPF_OPTS(bpf_uprobe_opts, options,
			    .ref_ctr_offset = file->semaphores[i],
			    .bpf_cookie = file->cookies[i]);

		file->events[i] = bpf_program__attach_uprobe_opts(
			program, pid == 0 ? -1 : (int)pid, file->name,
			file->offsets[i], &options);
		if (file->events[i] == NULL)
			return -errno;
	}
	return 0;
}

static void detach(struct file *file)
{
	unsigned int i;

	if (file->link >= 0) {
		close(file->link);
	} else {
		for (i = 0; i < file->count; i++)
			bpf_link__destroy(file->events[i]);
	}
}

/* Returns how many files there are, or -1. */
static int parse(char **words, int count, struct file *files)
{
	struct file *file = NULL;
	int num_files = 0;
	int i;

	for (i = 0; i < count; i++) {
		unsigned long long site[3];

		if (sscanf(words[i], "%llu,%llu,%llu", &site[0], &site[1],
			   &site[2]) != 3) {
			if (num_files == MAX_FILES)
				return -1;
			file = &files[num_files++];
			file->name = words[i];
			continue;
		}
		if (file == NULL || file->count == MAX_SITES)
			return -1;
		file->offsets[file->count] = site[0];
		file->semaphores[file->count] = site[1];
		file->cookies[file->count++] = site[2];
	}
	return num_files;
}

/* Prints a row for each thread and clears the map. */
static void report(int map)
{
	struct tracer_key key;
	struct tracer_hits hits;

	while (bpf_map_get_next_key(map, NULL, &key) == 0) {
		if (bpf_map_lookup_elem(map, &key, &hits) == 0)
			printf("%u %u %llu %lld %lld\n", key.target,
			       key.thread, hits.count, hits.min, hits.max);
		bpf_map_delete_elem(map, &key);
	}
}

static bool wait_for_line(void)
{
	char line[80];

	fflush(stdout);
	return fgets(line, sizeof(line), stdin) != NULL;
}

static int run(struct bpf_program *program, enum way way, int map,
	       uint32_t pid, struct file *files, int count)
{
	int i;

	do {
		for (i = 0; i < count; i++) {
			int ret = way == BY_LINK ?
				attach_link(program, pid, &files[i]) :
				attach_events(program, pid, &files[i]);

			if (ret != 0) {
				fprintf(stderr, "%s: %s\n", files[i].name,
					strerror(-ret));
				return 1;
			}
		}
		puts("attached");
		if (!wait_for_line())
			return 0;
		for (i = 0; i < count; i++)
			detach(&files[i]);
		report(map);
		puts("detached");
	} while (wait_for_line());
	return 0;
}

/* Returns the object, loaded for that way, or NULL. */
static struct bpf_object *load(const char *path, enum way way)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);

	if (object == NULL)
		return NULL;
	if (way == BY_LINK)
		bpf_program__set_expected_attach_type(
			bpf_object__find_program_by_name(object, "hit"),
			(enum bpf_attach_type)TRACE_UPROBE_MULTI);
	if (bpf_object__load(object) == 0)
		return object;
	bpf_object__close(object);
	return NULL;
}

/*
 * Linux before 6.6 loads the program for a link that it cannot make. The trial
 * is for this process only, which has no probes: it counts no hits.
 */
static bool has_links(const char *path, struct file file)
{
	struct bpf_object *object = load(path, BY_LINK);
	bool has;

	if (object == NULL)
		return false;
	has = attach_link(bpf_object__find_program_by_name(object, "hit"),
			  (uint32_t)getpid(), &file) == 0;
	if (has)
		close(file.link);
	bpf_object__close(object);
	return has;
}

int main(int argc, char **argv)
{
	static struct file files[MAX_FILES];
	struct bpf_object *object;
	enum way way;
	int count;

	count = argc < 5 ? -1 : parse(argv + 3, argc - 3, files);
	if (count < 1)
		return 2;
	way = has_links(argv[1], files[0]) ? BY_LINK : BY_EVENTS;
	object = load(argv[1], way);
	if (object == NULL)
		return 3;
	return run(bpf_object__find_program_by_name(object, "hit"), way,
		   bpf_object__find_map_fd_by_name(object, "hits"),
		   (uint32_t)atoi(argv[2]), files, count);
}
