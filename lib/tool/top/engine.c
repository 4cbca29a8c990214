/* SPDX-License-Identifier: BSD-2-Clause */
/* engine.c - loads the programs for a plan, and attaches them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/base/clock.h"
#include "lib/symbols/stacks.h"
#include "lib/uprobe/multi.h"
#include "lib/uprobe/timer.h"
#include "top/attach.h"
#include "top/engine.h"
#include "top/hit.h"

/* the skeleton is one long string */
#pragma GCC diagnostic ignored "-Woverlength-strings"
#include <hit.skel.h>

unsigned long long engine_now(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

/* Drops the long messages of libbpf: -errno and our own message are enough. */
static int print(enum libbpf_print_level level, const char *format,
		 va_list args)
{
	if (getenv("SDTKIT_TOP_DEBUG") == NULL)
		return 0;
	return vfprintf(stderr, format, args);
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

/* A service takes samples of each program apart; they are read at half of it. */
static unsigned int ring_of_samples(const struct engine_options *options)
{
	unsigned int cpus = (unsigned int)libbpf_num_possible_cpus();
	unsigned int size = options->samples_later ? 1 << 20 : TOP_SAMPLE_RING;

	while (size < TOP_SAMPLE_RING && size < cpus * (256 << 10))
		size *= 2;
	return size;
}

static bool configure(struct hit *skel, const struct plan *plan,
		      const struct engine_options *options)
{
	unsigned int sites = (unsigned int)plan->num_sites;
	size_t i;

	/* the skeleton has it as a struct of its own, with the same layout */
	memcpy((void *)skel->rodata->spans, plan->kernel, sizeof(plan->kernel));
	skel->rodata->max_keys = plan->max_keys;
	skel->rodata->max_names = plan->max_names;
	skel->rodata->max_sums = plan->max_sums;
	skel->rodata->has_errors = plan->flags & TOP_HAS_ERROR;
	skel->rodata->has_parents = plan->flags & TOP_HAS_PARENT;
	skel->rodata->has_running = plan->flags & TOP_IN_RUNNING;
	skel->rodata->has_stacks = plan->flags & TOP_BY_THREAD;
	skel->rodata->has_suspends = plan->flags & TOP_SUSPENDS;
	skel->rodata->has_times = plan->flags & (TOP_TOOK | TOP_BEGAN);
	skel->rodata->has_rates = plan->num_rates > 0;
	skel->rodata->has_filters = plan->num_filters > 0;
	skel->rodata->slow_ns = (unsigned long long)(options->slow_ms * 1e6);
	skel->rodata->has_texts = plan->has_texts || options->slow_ms > 0;
	skel->rodata->only_pid = (unsigned int)options->pid;
	skel->rodata->num_mounts = (unsigned int)options->num_mounts;
	skel->rodata->without_mounts = options->without_mounts;
	for (i = 0; i < options->num_mounts && i < TOP_MOUNTS; i++)
		skel->rodata->mounts[i] = options->mounts[i];
	bpf_map__set_max_entries(skel->maps.sites, sites);
	bpf_map__set_max_entries(skel->maps.site_arguments, sites);
	bpf_map__set_max_entries(skel->maps.filters,
				 (unsigned int)plan->num_filters + 1);
	skel->rodata->has_costs = options->parts;
	/* 29 MiB for each program of a service, where few have 8,192 spans */
	if (options->parts)
		bpf_map__set_map_flags(skel->maps.opens, BPF_F_NO_PREALLOC);
	skel->rodata->has_flame = options->hertz > 0;
	bpf_program__set_autoload(skel->progs.sample, options->hertz > 0);
	if (options->hertz > 0) {
		bpf_map__set_max_entries(skel->maps.texts, TOP_FLAME_TEXTS);
		bpf_map__set_max_entries(skel->maps.samples,
					 ring_of_samples(options));
	} else {
		bpf_map__set_max_entries(skel->maps.traced, 1);
		bpf_map__set_max_entries(skel->maps.samples,
					 (unsigned int)sysconf(_SC_PAGESIZE));
		bpf_map__set_value_size(skel->maps.sampled, sizeof(int));
	}
	if (options->slow_ms == 0) {
		bpf_map__set_max_entries(skel->maps.values, 1);
		bpf_map__set_max_entries(skel->maps.slot_values, 1);
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
	int ret = hit__load(skel);

	if (ret == 0)
		return true;
	tool_complain("%s%s", multi_load_failure("sdtkit top", ret,
						 "SDTKIT_TOP_DEBUG"),
		      ret == -EPERM || ret == -EACCES ? "; a process that "
		      "counts by itself (SDTKIT_RECORDER_COUNT) is shown "
		      "without privileges: --via=recorder" : "");
	return false;
}

/*
 * Linux 6.1 takes a row from memory that it has ready for each CPU. Where that
 * has run out it makes more ready, but not before this process waits.
 */
static int add_row(int rows, const struct top_row_key *key)
{
	static const struct top_row none;
	const struct timespec pause = { .tv_nsec = 10000000 };
	int tries = 500;
	int ret;

	for (;;) {
		ret = bpf_map_update_elem(rows, key, &none, 0);
		if (ret != -ENOMEM || --tries == 0)
			return ret;
		nanosleep(&pause, NULL);
	}
}

int engine_add_others(int rows, size_t num_spans)
{
	struct top_row_key key = { .other = 1 };
	int ret = 0;

	for (; key.span < num_spans && ret == 0; key.span++)
		ret = add_row(rows, &key);
	return ret;
}

/* Tells the kernel of the sites, and of the rows for names that do not fit. */
static bool fill(struct hit *skel, const struct plan *plan)
{
	int sites = bpf_map__fd(skel->maps.sites);
	int arguments = bpf_map__fd(skel->maps.site_arguments);
	int filters = bpf_map__fd(skel->maps.filters);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < plan->num_sites && ret == 0; i++) {
		ret = bpf_map_update_elem(sites, &i, &plan->site[i].site, 0);
		if (ret == 0)
			ret = bpf_map_update_elem(arguments, &i,
						  &plan->site[i].arguments, 0);
	}
	for (i = 1; i <= plan->num_filters && ret == 0; i++)
		ret = bpf_map_update_elem(filters, &i, &plan->filter[i - 1], 0);
	if (ret == 0)
		ret = engine_add_others(bpf_map__fd(skel->maps.rows),
					plan->spans.count);
	if (ret != 0)
		tool_complain("cannot fill the tables of the kernel: %s",
			      strerror(-ret));
	return ret == 0;
}

static void show(struct engine *engine, struct hit *skel,
		 const struct plan *plan)
{
	*engine = (struct engine){
		.rows = bpf_map__fd(skel->maps.rows),
		.rows_now = bpf_map__fd(skel->maps.rows_now),
		.few = bpf_map__fd(skel->maps.few),
		.texts = { bpf_map__fd(skel->maps.texts), -1, -1 },
		.texts_now = bpf_map__fd(skel->maps.texts_now),
		.stats = bpf_map__fd(skel->maps.stats),
		.rates = bpf_map__fd(skel->maps.rates),
		.opens = bpf_map__fd(skel->maps.opens),
		.values = bpf_map__fd(skel->maps.values),
		.lines = bpf_map__fd(skel->maps.lines),
		.samples = bpf_map__fd(skel->maps.samples),
		.gone = bpf_map__fd(skel->maps.gone),
		.began = (unsigned long long *)&skel->bss->began,
		.sampling = &skel->bss->sampling,
		.report = &skel->bss->report,
		.lost_lines = (unsigned long long *)&skel->bss->lost_lines,
		.lost_strings = (unsigned long long *)&skel->bss->lost_strings,
		.lost_samples = (unsigned long long *)&skel->bss->lost_samples,
		.elsewhere = (unsigned long long *)&skel->bss->elsewhere,
		.gone_unknown = &skel->bss->gone_unknown,
		.rows_used = &skel->bss->rows_used,
		.texts_used = &skel->bss->texts_used,
		.num_spans = plan->spans.count,
		.costs = bpf_map__fd(skel->maps.costs),
		.epochs = skel->bss->epochs,
	};
}

/* So that the command sees them without a system call for each. */
static void *map_array(const struct bpf_map *array)
{
	return mmap(NULL, (size_t)TOP_SLOTS * bpf_map__value_size(array),
		    PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(array), 0);
}

static bool map_slots(struct engine *engine, struct hit *skel, bool has_values)
{
	engine->slots = map_array(skel->maps.slots);
	if (has_values)
		engine->slot_values = map_array(skel->maps.slot_values);
	if (engine->slots != MAP_FAILED && engine->slot_values != MAP_FAILED)
		return true;
	tool_complain("cannot map the table of spans under way: %s",
		      strerror(errno));
	return false;
}

static bool take_samples(struct engine *engine, struct hit *skel,
			 const struct engine_options *options)
{
	unsigned int hertz = options->hertz;
	int ret;

	if (hertz == 0)
		return true;
	stacks_begin();
	*engine->sampling = !options->samples_later;
	ret = (options->samples_later ? timer_prepare : timer_attach)(
		skel->progs.sample, hertz);
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
	struct hit *skel;

	libbpf_set_print(print);
	skel = hit__open();
	if (skel == NULL) {
		tool_complain("cannot open the BPF programs: %s",
			      strerror(errno));
		return false;
	}
	attach_begin(skel->progs.hit, plan, found, options->parts);
	if (!configure(skel, plan, options) || !load(skel) ||
	    !fill(skel, plan))
		return false;
	if (bpf_program__attach(skel->progs.thread_exit) == NULL ||
	    bpf_program__attach(skel->progs.program_exec) == NULL) {
		tool_complain("cannot attach to the end of processes: %s",
			      strerror(errno));
		return false;
	}
	show(engine, skel, plan);
	if (options->parts)
		engine->trap_ns = attach_price();
	if (!attach_all())
		return false;
	if (!take_samples(engine, skel, options) ||
	    !map_slots(engine, skel, options->slow_ms > 0))
		return false;
	*engine->report = 1;
	engine->began_ns = engine_now();
	*engine->began = engine->began_ns;
	return true;
}

void engine_sample(struct engine *engine, bool wanted)
{
	static unsigned int times;

	*engine->sampling = wanted ? ++times : 0;
	timer_run(wanted);
}

void engine_stop(struct engine *engine)
{
	*engine->began = 0;
}
