/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine.c - loads the programs for a plan, and attaches them.
 *
 * A site is attached to by file, for all processes: the kernel then also covers
 * processes that start later, and raises the semaphores in each. Where the
 * kernel has links of uprobe_multi, there is one for each file; else each site
 * has a perf event.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/symbols/stacks.h"
#include "lib/uprobe/allowed.h"
#include "lib/uprobe/multi.h"
#include "lib/uprobe/timer.h"
#include "top/engine.h"
#include "top/hit.h"

/* the skeleton is one long string */
#pragma GCC diagnostic ignored "-Woverlength-strings"
#include <hit.skel.h>

unsigned long long engine_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (unsigned long long)ts.tv_sec * 1000000000ULL +
	       (unsigned long long)ts.tv_nsec;
}

/* Drops the long messages of libbpf: -errno and our own message are enough. */
static int print(enum libbpf_print_level level, const char *format,
		 va_list args)
{
	if (getenv("SDTKIT_TOP_DEBUG") == NULL)
		return 0;
	return vfprintf(stderr, format, args);
}

/* For the tests: the kernel is taken for one without uprobe_multi. */
static bool may_use_multi(void)
{
	return getenv("SDTKIT_TOP_OLD_KERNEL") == NULL && multi_exists();
}

static bool set_secret(struct hit *skel)
{
	unsigned long long secret[3];
	size_t i;

	if (getrandom(secret, sizeof(secret), 0) != sizeof(secret)) {
		tool_complain("cannot get random numbers");
		return false;
	}
	for (i = 0; i < 3; i++)
		skel->rodata->secret[i] = secret[i] | (i > 0);
	return true;
}

static bool configure(struct hit *skel, const struct plan *plan,
		      const struct engine_options *options)
{
	unsigned int sites = (unsigned int)plan->num_sites;

	/* the skeleton has it as a struct of its own, with the same layout */
	memcpy((void *)skel->rodata->spans, plan->kernel, sizeof(plan->kernel));
	skel->rodata->max_keys = plan->max_keys;
	skel->rodata->max_names = plan->max_names;
	skel->rodata->max_sums = plan->max_sums;
	skel->rodata->has_errors = plan->flags & TOP_HAS_ERROR;
	skel->rodata->has_parents = plan->flags & TOP_HAS_PARENT;
	skel->rodata->has_stacks = plan->flags & TOP_BY_THREAD;
	skel->rodata->has_suspends = plan->flags & TOP_SUSPENDS;
	skel->rodata->has_times = plan->flags & (TOP_TOOK | TOP_BEGAN);
	skel->rodata->has_rates = plan->num_rates > 0;
	skel->rodata->slow_ns = (unsigned long long)(options->slow_ms * 1e6);
	skel->rodata->has_texts = plan->has_texts || options->slow_ms > 0;
	skel->rodata->only_pid = (unsigned int)options->pid;
	bpf_map__set_max_entries(skel->maps.sites, sites);
	bpf_map__set_max_entries(skel->maps.site_arguments, sites);
	skel->rodata->has_flame = options->hertz > 0;
	bpf_program__set_autoload(skel->progs.sample, options->hertz > 0);
	if (options->hertz > 0) {
		bpf_map__set_max_entries(skel->maps.texts, TOP_FLAME_TEXTS);
	} else {
		bpf_map__set_max_entries(skel->maps.traced, 1);
		bpf_map__set_max_entries(skel->maps.samples,
					 (unsigned int)sysconf(_SC_PAGESIZE));
	}
	if (options->slow_ms == 0) {
		bpf_map__set_max_entries(skel->maps.values, 1);
		bpf_map__set_max_entries(skel->maps.lines, 4096 * 16);
	}
	if (plan->spans.count == 0)
		bpf_map__set_max_entries(skel->maps.opens, 1);
	bpf_map__set_max_entries(skel->maps.few, TOP_FEW *
				 (unsigned int)(plan->spans.count + 1));
	return set_secret(skel);
}

static bool load(struct hit *skel)
{
	char text[ALLOWED_TEXT];
	int ret;

	ret = hit__load(skel);
	if (ret == 0)
		return true;
	if (ret == -EPERM)
		allowed_advise("sdtkit top", text);
	if (!allowed_to_trace("sdtkit top", text) || ret == -EPERM)
		tool_complain("not permitted to trace: %s", text);
	else
		tool_complain("the kernel refuses the BPF programs: %s; %s",
			      strerror(-ret),
			      multi_refused("SDTKIT_TOP_DEBUG"));
	return false;
}

/*
 * Linux 6.1 takes a row from memory that it has ready for each CPU. Where that
 * has run out it makes more ready, but not before this process waits.
 */
static int add_row(int rows, const struct top_row_key *key,
		   const struct top_row *none)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int tries = 500;
	int ret;

	for (;;) {
		ret = bpf_map_update_elem(rows, key, none, 0);
		if (ret != -ENOMEM || --tries == 0)
			return ret;
		nanosleep(&pause, NULL);
	}
}

/* Tells the kernel of the sites, and of the rows for names that do not fit. */
static bool fill(struct hit *skel, const struct plan *plan)
{
	int sites = bpf_map__fd(skel->maps.sites);
	int arguments = bpf_map__fd(skel->maps.site_arguments);
	int rows = bpf_map__fd(skel->maps.rows);
	int cpus = libbpf_num_possible_cpus();
	struct top_row_key key = { .other = 1 };
	struct top_row *none;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < plan->num_sites && ret == 0; i++) {
		ret = bpf_map_update_elem(sites, &i, &plan->site[i].site, 0);
		if (ret == 0)
			ret = bpf_map_update_elem(arguments, &i,
						  &plan->site[i].arguments, 0);
	}
	none = tool_zeros((size_t)(cpus > 0 ? cpus : 1), sizeof(*none));
	for (i = 0; i < plan->spans.count && ret == 0; i++) {
		key.span = i;
		ret = add_row(rows, &key, none);
	}
	free(none);
	if (ret != 0)
		tool_complain("cannot fill the tables of the kernel: %s",
			      strerror(-ret));
	return ret == 0;
}

/* A site takes two descriptors then, and the usual limit is 1024. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int attach_singly(struct hit *skel, const char *path,
			 const struct uprobe_site *sites, int count)
{
	struct bpf_uprobe_opts options = { .sz = sizeof(options) };
	int i;

	for (i = 0; i < count; i++) {
		options.ref_ctr_offset = sites[i].semaphore;
		options.bpf_cookie = sites[i].cookie;
		if (bpf_program__attach_uprobe_opts(skel->progs.hit, -1, path,
						    sites[i].offset,
						    &options) == NULL)
			return -errno;
	}
	return 0;
}

/* Links remain until the end of the command. */
static bool attach_file(struct hit *skel, const struct plan *plan,
			const struct found *found, int file, bool multi)
{
	struct uprobe_site *sites = tool_zeros(plan->num_sites, sizeof(*sites));
	const struct plan_site *site;
	int count = 0;
	int ret = 0;
	size_t i;

	for (i = 0; i < plan->num_sites; i++) {
		site = &plan->site[i];
		if (site->file == file)
			sites[count++] = (struct uprobe_site){
				site->offset, site->semaphore, i };
	}
	if (count > 0)
		ret = multi ? multi_attach(skel->progs.hit,
					   found->files[file].path, sites,
					   count) :
			attach_singly(skel, found->files[file].path, sites,
				      count);
	free(sites);
	if (ret < 0)
		tool_complain("%s: cannot attach to its probes: %s",
			      found->files[file].name,
			      multi_failure(found->files[file].name, ret));
	return ret >= 0;
}

static void show(struct engine *engine, struct hit *skel)
{
	*engine = (struct engine){
		.rows = bpf_map__fd(skel->maps.rows),
		.few = bpf_map__fd(skel->maps.few),
		.texts = bpf_map__fd(skel->maps.texts),
		.stats = bpf_map__fd(skel->maps.stats),
		.rates = bpf_map__fd(skel->maps.rates),
		.opens = bpf_map__fd(skel->maps.opens),
		.values = bpf_map__fd(skel->maps.values),
		.lines = bpf_map__fd(skel->maps.lines),
		.samples = bpf_map__fd(skel->maps.samples),
		.gone = bpf_map__fd(skel->maps.gone),
		.began = (unsigned long long *)&skel->bss->began,
		.report = &skel->bss->report,
		.lost_lines = (unsigned long long *)&skel->bss->lost_lines,
		.lost_samples = (unsigned long long *)&skel->bss->lost_samples,
		.elsewhere = (unsigned long long *)&skel->bss->elsewhere,
	};
}

/* So that the command sees them without a system call for each. */
static bool map_slots(struct engine *engine, struct hit *skel)
{
	engine->slots = mmap(NULL, TOP_SLOTS * sizeof(struct top_slot),
			     PROT_READ | PROT_WRITE, MAP_SHARED,
			     bpf_map__fd(skel->maps.slots), 0);
	if (engine->slots != MAP_FAILED)
		return true;
	tool_complain("cannot map the table of spans under way: %s",
		      strerror(errno));
	return false;
}

static bool take_samples(struct hit *skel, unsigned int hertz)
{
	int ret;

	if (hertz == 0)
		return true;
	stacks_begin();
	ret = timer_attach(skel->progs.sample, hertz);
	if (ret == -EINVAL)
		tool_complain("invalid value %u for --frequency: the limit is "
			      "in /proc/sys/kernel/perf_event_max_sample_rate",
			      hertz);
	else if (ret < 0)
		tool_complain("cannot take samples of the CPUs: %s",
			      strerror(-ret));
	return ret == 0;
}

bool engine_start(struct engine *engine, const struct plan *plan,
		  const struct found *found,
		  const struct engine_options *options)
{
	bool multi = may_use_multi();
	struct hit *skel;
	int i;

	libbpf_set_print(print);
	skel = hit__open();
	if (skel == NULL) {
		tool_complain("cannot open the BPF programs: %s",
			      strerror(errno));
		return false;
	}
	if (multi)
		multi_prepare(skel->progs.hit);
	else
		raise_limit();
	if (!configure(skel, plan, options) || !load(skel) ||
	    !fill(skel, plan))
		return false;
	if (bpf_program__attach(skel->progs.thread_exit) == NULL ||
	    bpf_program__attach(skel->progs.program_exec) == NULL) {
		tool_complain("cannot attach to the end of processes: %s",
			      strerror(errno));
		return false;
	}
	for (i = 0; i < found->num_files; i++) {
		if (!attach_file(skel, plan, found, i, multi))
			return false;
	}
	show(engine, skel);
	if (!take_samples(skel, options->hertz) || !map_slots(engine, skel))
		return false;
	*engine->report = 1;
	engine->began_ns = engine_now();
	*engine->began = engine->began_ns;
	return true;
}

void engine_stop(struct engine *engine)
{
	*engine->began = 0;
}
