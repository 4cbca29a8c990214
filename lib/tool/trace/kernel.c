/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See kernel.h.
 *
 *	files --kernel_sites.h--> struct kernel_site --> kernel.bpf.c
 *	hit --kernel.bpf.c--> ring of the kernel --> file of a recorder --> follow.c
 *
 * A site is attached to by file, for all processes, also those that start
 * later; the kernel raises the semaphores in each. What the ring has no space
 * for is counted by the kernel, and told with the next hit of the same CPU. The
 * ring is read only while the file has space: nothing is lost between the two.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/record/feed.h"
#include "lib/record/read.h"
#include "lib/uprobe/allowed.h"
#include "lib/uprobe/find.h"
#include "lib/uprobe/leave.h"
#include "lib/uprobe/multi.h"
#include "lib/uprobe/proc.h"
#include "trace/kernel.h"
#include "trace/kernel.bpf.h"
#include "trace/kernel_sites.h"
#include "trace/tracing.h"

/* the skeleton is one long string */
#pragma GCC diagnostic ignored "-Woverlength-strings"
#include <trace_kernel.skel.h>

#define COMMAND "sdtkit trace"
#define DEBUG "SDTKIT_TRACE_DEBUG"

_Static_assert(sizeof(struct kernel_hit) ==
	       sizeof(struct sdtkit_record_feed_hit) +
	       sizeof(struct sdtkit_record_entry), "one follows the other");
static struct {
	struct tracing *tracing;
	struct sdtkit_record_feed *feed;
	struct kernel_sites sites;
	/* Sites that are attached to. */
	size_t attached;
	struct trace_kernel *skel;
	struct ring_buffer *ring;
	int cpus;
} kernel;

bool tracing_kernel_may(char *text)
{
	return allowed_to_trace(COMMAND, text);
}

static int fail(int error, const char *what)
{
	tool_complain("%s: %s", what, strerror(error));
	return -1;
}

static const char *program(void)
{
	static char path[PATH_MAX];

	if (kernel.tracing->file != NULL)
		return kernel.tracing->file;
	if (kernel.tracing->pid == 0)
		return kernel.tracing->name;
	proc_program(kernel.tracing->pid, path);
	return path;
}

static int open_feed(void)
{
	const struct sdtkit_record_feed_settings settings = {
		.program = program(),
		.pid = kernel.tracing->pid,
		.patterns = kernel.tracing->asked,
		.string_limit = kernel.tracing->string_limit,
		.content = kernel.tracing->count ? SDTKIT_RECORD_NAMES :
						   SDTKIT_RECORD_GUESSES,
		.ring_count = (uint32_t)kernel.cpus,
		.most = KERNEL_ENTRY - 8,
	};

	if (sdtkit_record_feed_open(&settings, &kernel.feed) == 0)
		return 0;
	tool_complain("%s", sdtkit_record_error());
	return -1;
}

/* Drops the long messages of libbpf: -errno and our own message are enough. */
static int print(enum libbpf_print_level level, const char *format,
		 va_list args)
{
	return getenv(DEBUG) == NULL ? 0 : vfprintf(stderr, format, args);
}

static int load(bool multi)
{
	unsigned int i;
	int ret, map;

	libbpf_set_print(print);
	kernel.skel = trace_kernel__open();
	if (kernel.skel == NULL)
		return fail(errno, "cannot open the BPF programs");
	if (multi)
		multi_prepare(kernel.skel->progs.trace_hit);
	bpf_map__set_max_entries(kernel.skel->maps.sites,
				 (unsigned int)kernel.sites.count);
	kernel.skel->rodata->only_pid = (unsigned int)kernel.tracing->pid;
	ret = trace_kernel__load(kernel.skel);
	if (ret != 0) {
		tool_complain("%s", multi_load_failure(COMMAND, ret, DEBUG));
		return -1;
	}
	map = bpf_map__fd(kernel.skel->maps.sites);
	for (i = 0; i < kernel.sites.count && ret == 0; i++)
		ret = bpf_map_update_elem(map, &i, &kernel.sites.site[i], 0);
	return ret == 0 ? 0 : fail(-ret, "cannot fill the tables of the kernel");
}

static int on_hit(void *context, void *data, size_t size)
{
	const struct sdtkit_record_feed_hit *hit = data;

	/* this hit has been taken, the next one stays */
	return sdtkit_record_feed_entry(kernel.feed, hit,
					(const void *)(hit + 1)) ? 0 : -ENOSPC;
}

static int attach(bool multi)
{
	const struct found *found = &kernel.sites.found;
	const struct kernel_file *sites;
	int i, ret;

	for (i = 0; i < found->num_files; i++) {
		sites = found->files[i].probes;
		ret = multi_attach_by(kernel.skel->progs.trace_hit,
				      found->files[i].path, sites->site,
				      (int)sites->count, multi, NULL);
		if (ret < 0) {
			tool_complain("%s: cannot attach to its probes: %s",
				      found->files[i].name,
				      multi_failure(found->files[i].name, ret));
			return -1;
		}
		kernel.attached += sites->count;
	}
	kernel.ring = ring_buffer__new(bpf_map__fd(kernel.skel->maps.hits),
				       on_hit, NULL, NULL);
	if (kernel.ring == NULL)
		return fail(errno, "cannot open a ring buffer");
	kernel.skel->bss->began = 1;
	return 0;
}

/* Before its hits: what cannot be done is said before anything is. */
static int check(void)
{
	char text[ALLOWED_TEXT];

	if (!allowed_to_trace(COMMAND, text))
		tool_complain("not permitted to trace: %s", text);
	else if (kernel.tracing->pid != 0 && !allowed_sees_processes())
		tool_complain("-p works in the first PID namespace only: give "
			      "the FILE in a container");
	else
		return 0;
	return -1;
}

int tracing_kernel_begin(struct tracing *tracing)
{
	bool multi;

	kernel.tracing = tracing;
	kernel.cpus = libbpf_num_possible_cpus();
	if (kernel.cpus <= 0 || kernel.cpus > KERNEL_CPUS)
		return fail(EOPNOTSUPP, "too many CPUs");
	if (check() < 0 || open_feed() < 0 ||
	    !kernel_sites_find(tracing, kernel.feed, &kernel.sites))
		return -1;
	/* For the tests: the kernel is taken for one without uprobe_multi. */
	multi = getenv("SDTKIT_TRACE_OLD_KERNEL") == NULL && multi_exists();
	if (load(multi) < 0 || attach(multi) < 0)
		return -1;
	return sdtkit_record_feed_fd(kernel.feed);
}

void tracing_kernel_say(const struct tracing *tracing)
{
	if (tracing->quiet)
		return;
	tool_complain("%s: the kernel traces %zu site%s%s", program(),
		      kernel.attached, tool_plural(kernel.attached),
		      tracing->pid != 0 ? "" : " in all processes");
	if (kernel.sites.left_out > 0)
		tool_complain("%zu site%s left out: %s", kernel.sites.left_out,
			      kernel.sites.left_out == 1 ? " is" : "s are",
			      kernel.sites.why);
	patterns_complain(&kernel.tracing->patterns);
}

/* Tells of hits that were lost behind the last one of a CPU, too. */
static void tell_lost(void)
{
	uint32_t i;

	for (i = 0; i < (uint32_t)kernel.cpus; i++)
		sdtkit_record_feed_lost(kernel.feed, i,
					kernel.skel->bss->lost[i]);
}

bool tracing_kernel_feed(void)
{
	if (!sdtkit_record_feed_has_room(kernel.feed) ||
	    ring_buffer__consume(kernel.ring) < 0)
		return false;
	if (kernel.skel->bss->began == 0)
		tell_lost();
	return true;
}

void tracing_kernel_stop(void)
{
	kernel.skel->bss->began = 0;
}

void tracing_kernel_leave(void)
{
	leave();
}

bool tracing_kernel_passes(const struct sdtkit_tap_event *event)
{
	return sdtkit_record_feed_passes(kernel.feed, event);
}
