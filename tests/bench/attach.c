/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach OBJECT WAY PROGRAM HITS - attaches a program of attach.bpf.c to a
 * probe of its own, fires the probe HITS times, and prints the nanoseconds of a
 * hit. It measures processor time, so that other load does not count.
 *
 * attach OBJECT WAY PROGRAM - attaches to 30 probes, detaches from them, and
 * prints the milliseconds of both.
 *
 * WAY is libbpf or multi, the two ways in which lib/tsmbd attaches.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sdtkit/notes.h>

#include "../../lib/base/clock.h"
#include "attach_all.h"
#include "leave.h"
#include "multi.h"
#include "sites.h"

enum { PROBES = 30 };		/* in attach.py as well */

static const char self[] = "/proc/self/exe";
static bool by_cookies;
static const char *program_name;
static struct bpf_program *program;
static struct sites sites;
static int probes;

static double now(clockid_t clock)
{
	return (double)sdtkit_nanoseconds(clock);
}

/* Loads the programs, after it has set the only constant of argument.bpf.h. */
static struct bpf_object *load(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_program *other;
	struct bpf_map *constants;
	size_t size;

	if (object == NULL)
		err(1, "%s", path);
	constants = bpf_object__find_map_by_name(object, ".rodata");
	*(bool *)bpf_map__initial_value(constants, &size) = by_cookies;
	bpf_object__for_each_program(other, object)
		bpf_program__set_autoload(other, false);
	program = bpf_object__find_program_by_name(object, program_name);
	if (program == NULL)
		errx(1, "%s: no program is called %s", path, program_name);
	bpf_program__set_autoload(program, true);
	if (by_cookies)
		multi_prepare(program);
	if (bpf_object__load(object) != 0)
		err(1, "the kernel does not take %s", program_name);
	return object;
}

/* The probe "hit" has number 0; the others are only attached and detached. */
static void read_sites(bool of_hit)
{
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;

	if (sdtkit_notes_open(self, &notes) < 0)
		errx(1, "%s", sdtkit_notes_error());
	while (sdtkit_notes_next(notes, &site) > 0) {
		if ((strcmp(site->probe, "hit") == 0) == of_hit)
			sites_add(&sites, notes, site, probes++,
				  TSMBD_HIT_ALONE);
	}
	if (sites.partial || probes != (of_hit ? 1 : PROBES))
		errx(1, "these are not the sites that were expected");
	sdtkit_notes_close(notes);
}

static void attach(int number, const char *probe)
{
	bool wanted[PROBES] = { false };
	int fd;

	if (by_cookies) {
		wanted[number] = true;
		fd = sites_attach(&sites, wanted, program, self);
		if (fd < 0)
			errx(1, "%s: %s", probe, strerror(-fd));
	} else if (bpf_program__attach_usdt(program, -1, self, "attach",
					    probe, NULL) == NULL) {
		err(1, "%s", probe);
	}
}

static __attribute__((noinline)) void fire(unsigned long hits)
{
	unsigned long n;

	for (n = 0; n < hits; n++)
		ATTACH_HIT(n, n + 1, n + 2, n + 3, n + 4);
}

static unsigned long sum_of(unsigned long hits)
{
	return 5 * (hits * (hits - 1) / 2) + 10 * hits;
}

/* Checks that the program has read all arguments of all hits. */
static void check(struct bpf_object *object, unsigned long hits)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	unsigned long long sum = 0;
	unsigned int key = 0;

	if (strcmp(program_name, "five") != 0)
		return;
	bpf_map_lookup_elem(bpf_map__fd(map), &key, &sum);
	if (sum != sum_of(hits / 10) + sum_of(hits))
		errx(1, "the program has read something else");
}

static void time_hits(const char *path, unsigned long hits)
{
	struct bpf_object *object = load(path);
	double start;

	read_sites(true);
	attach(0, "hit");
	fire(hits / 10);	/* not measured: the caches are still cold */
	start = now(CLOCK_THREAD_CPUTIME_ID);
	fire(hits);
	printf("%.1f\n", (now(CLOCK_THREAD_CPUTIME_ID) - start) /
	       (double)hits);
	check(object, hits);
}

static void time_leave(const char *path)
{
	char probe[8];
	double start;
	double end;
	int i;

	load(path);
	read_sites(false);
	start = now(CLOCK_MONOTONIC);
	for (i = 0; i < PROBES; i++) {
		snprintf(probe, sizeof(probe), "p%d", i);
		attach(i, probe);
	}
	end = now(CLOCK_MONOTONIC);
	printf("%.1f ", (end - start) / 1e6);
	start = now(CLOCK_MONOTONIC);
	leave();
	printf("%.1f\n", (now(CLOCK_MONOTONIC) - start) / 1e6);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		errx(1, "usage: attach OBJECT WAY PROGRAM [HITS]");
	libbpf_set_print(NULL);
	by_cookies = strcmp(argv[2], "multi") == 0;
	program_name = argv[3];
	if (argc > 4)
		time_hits(argv[1], strtoul(argv[4], NULL, 10));
	else
		time_leave(argv[1]);
	if (argc > 5)		/* never: but the file needs the sites */
		fire_all();
	return 0;
}
