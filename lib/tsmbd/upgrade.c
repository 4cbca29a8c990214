/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * upgrade.c - files of an smbd that is upgraded while tsmbd runs.
 *
 *	numbers in /proc -> not seen before -> called smbd -> files mapped
 *	-> with probes, and not known -> attached, and reported
 *
 * A new package brings new files, and an smbd that is started again maps
 * these. The kernel traces files, so nothing of the new smbd would be traced.
 *
 * A look at all processes happens every five seconds, or less often if it would
 * take more than 0.2 % of a CPU: to list /proc takes 1 us for each process. A
 * process is looked at twice: the first time it may not have mapped its
 * libraries yet, or be about to become smbd. A child that its smbd has forked
 * has the files of its parent.
 *
 * Others may become smbd later, by exec(3) from a script that waits for
 * something, so 256 of them are asked for their names each time, which takes
 * 2.3 ms.
 *
 * An smbd also loads modules when a client connects to a share that has some. So
 * those that have been forked meanwhile are looked at too, a few each time, and
 * of the others the one that was looked at the longest ago.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "attach.h"
#include "peer.h"
#include "proc.h"
#include "tally.h"
#include "unused.h"
#include "upgrade.h"
#include "walk.h"

enum { LOOKS = 2, MAX_FORKED = 3, MAX_ASKED = 256 };

static const unsigned long long INTERVAL_NS = 5000000000;
static const unsigned long long SHARE = 500;	/* 1/500 of a CPU */

struct process {
	pid_t pid;
	unsigned char looks;
	bool ours;		/* of the name, or a child of -p */
	bool read;		/* its mappings, by its last look or since */
	unsigned int search;	/* which one read them, or was the last look */
};

struct list {
	struct process *process;	/* by pid */
	size_t count;
};

static struct list all;			/* as they were at the last look */
static unsigned long long due;		/* the next one, 0: the first */
static unsigned long long interval;	/* of the tests, 0: as it is above */
static unsigned int searches;		/* so far */
static unsigned int forgotten;		/* the last one that read anew */
static bool missed;			/* none is known yet */
static bool told;			/* of one without probes */

static void append(struct list *list, const struct process *process)
{
	list->process = memory_grow(list->process, list->count,
				    sizeof(*list->process));
	list->process[list->count++] = *process;
}

static struct process *find(const struct list *list, pid_t pid)
{
	struct process key = { .pid = pid };

	if (list->count == 0)
		return NULL;
	return bsearch(&key, list->process, list->count, sizeof(key), by_pid);
}

static void list_processes(const struct options *options, struct list *list)
{
	struct process one = { .pid = options->pid,
		.ours = options->pid != 0 };
	pid_t *found;
	int count;
	int i;

	*list = (struct list){ 0 };
	if (one.pid != 0)
		append(list, &one);
	count = one.pid != 0 ? proc_children(one.pid, &found) :
		proc_all(&found);
	if (count == -ENOMEM)
		err(1, NULL);
	for (i = 0; i < count; i++) {
		one.pid = found[i];
		append(list, &one);
	}
	free(found);
	if (list->count > 0)
		qsort(list->process, list->count, sizeof(*list->process),
		      by_pid);
}

void upgrade_begin(const struct options *options, const struct found *found)
{
	const char *ms = getenv("TSMBD_SEARCH_MS");	/* for the tests */
	struct process *process;
	size_t i;

	if (options->files.count > 0)
		return;
	interval = ms == NULL ? 0 : strtoul(ms, NULL, 10) * 1000000ULL;
	list_processes(options, &all);
	for (i = 0; i < all.count; i++)
		all.process[i].looks = 1;
	for (i = 0; i < (size_t)found->processes; i++) {
		process = find(&all, found->pids[i]);
		if (process != NULL)
			process->ours = true;
	}
	/* after attaching, which takes seconds */
	missed = true;
}

/* It has the files of its parent, which has been looked at. */
static bool is_forked(pid_t pid, pid_t parent, const struct list *now)
{
	static char programs[2][PATH_MAX];
	const struct process *one;

	one = find(&all, parent);
	if (one == NULL)
		one = find(now, parent);
	if (one == NULL || !one->ours || one->looks < LOOKS)
		return false;
	proc_program(pid, programs[0]);
	proc_program(parent, programs[1]);
	return programs[0][0] != '\0' && strcmp(programs[0], programs[1]) == 0;
}

/* A process that ends has no program some time before it is a zombie. */
static bool has_ended(pid_t pid)
{
	static char program[PATH_MAX];

	proc_program(pid, program);
	return program[0] == '\0';
}

static void look_at(const struct options *options, struct found *found,
		    struct process *process, const struct list *now)
{
	struct proc proc;
	int ret;

	process->looks++;
	process->search = searches;
	if (options->pid == 0)
		process->ours = proc_has_name(process->pid, options->name);
	if (!process->ours || proc_read(process->pid, &proc) < 0)
		return;
	if (proc_is_zombie(&proc)) {
		process->ours = false;
		return;
	}
	if (is_forked(process->pid, proc.parent, now))
		return;
	process->read = process->looks == LOOKS;
	/* a file that was there before may be gone, and its number used */
	if (forgotten != searches)
		find_forget_others();
	forgotten = searches;
	ret = find_process(found, process->pid);
	if (ret != 0 || process->looks < LOOKS || told || options->pid != 0 ||
	    has_ended(process->pid))
		return;
	warnx("process %d is called %s and has no probes: it is not traced",
	      (int)process->pid, options->name);
	told = true;
}

/*
 * Reads the mappings of the process that has waited the longest, among those
 * that have been read before or among the others. The order of their numbers
 * would not do: when the kernel has begun again with low ones, a process with a
 * high number would wait behind all that are forked from then on.
 */
static void read_again(struct found *found, struct list *now, bool read)
{
	struct process *process, *first = NULL;
	size_t i;

	for (i = 0; i < now->count; i++) {
		process = &now->process[i];
		if (process->ours && process->looks == LOOKS &&
		    process->read == read &&
		    (first == NULL || process->search < first->search))
			first = process;
	}
	if (first == NULL)
		return;
	first->read = true;
	first->search = searches;
	find_process(found, first->pid);
}

/*
 * To read 640 mappings takes 1.5 ms: a few that have been forked, and the one
 * that was read the longest ago, however many are new.
 */
static void look_again(struct found *found, struct list *now)
{
	int i;

	read_again(found, now, true);
	for (i = 0; i < MAX_FORKED; i++)
		read_again(found, now, false);
}

/* Asks every Nth process that was not an smbd whether it has become one. */
static void ask_again(const struct options *options, struct list *now)
{
	size_t turns = now->count / MAX_ASKED + 1;
	struct process *process;
	size_t i;

	if (options->pid != 0)
		return;
	for (i = searches % turns; i < now->count; i += turns) {
		process = &now->process[i];
		if (process->looks == LOOKS && !process->ours &&
		    proc_has_name(process->pid, options->name))
			process->looks = 0;
	}
}

/* Returns those that there are now; which of them are new is in fresh. */
static struct list look(const struct options *options, struct found *found,
			struct list *fresh)
{
	struct process *process;
	struct list now;
	size_t before = 0;
	size_t i;

	searches++;
	list_processes(options, &now);
	for (i = 0; i < now.count; i++) {
		process = &now.process[i];
		while (before < all.count &&
		       all.process[before].pid < process->pid)
			before++;
		if (before < all.count &&
		    all.process[before].pid == process->pid)
			*process = all.process[before];
		if (process->looks == LOOKS)
			continue;
		look_at(options, found, process, &now);
		if (process->ours)
			append(fresh, process);
	}
	look_again(found, &now);
	ask_again(options, &now);
	return now;
}

/*
 * Their clients are known before a probe adds them: it could not tell who they
 * are. With -p, only children of a process that is known are traced.
 */
static void know(struct tsmbd *skel, const struct list *fresh)
{
	unsigned long long now = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	size_t i;

	peer_forget();
	for (i = 0; i < fresh->count; i++)
		tally_know(skel, (unsigned int)fresh->process[i].pid, now);
}

/* Those that began while the files were attached to. */
static void know_later_ones(const struct options *options, struct tsmbd *skel,
			    const struct list *before)
{
	struct list later = { 0 };
	struct list now;
	pid_t pid;
	size_t i;

	list_processes(options, &now);
	for (i = 0; i < now.count; i++) {
		pid = now.process[i].pid;
		if (find(before, pid) == NULL &&
		    (options->pid != 0 || proc_has_name(pid, options->name)))
			append(&later, &now.process[i]);
	}
	know(skel, &later);
	free(later.process);
	free(now.process);
}

/*
 * Attaches to the files from first on. Whoever reads the message about them may
 * rely on it: all that comes after it is counted.
 */
static void attach_from(const struct options *options, struct tsmbd *skel,
			const struct found *found, int first)
{
	const struct found_file *file;
	char *names = NULL;
	size_t size = 0;
	char what[128];
	FILE *text;
	int ret;
	int i;

	if (options->pid != 0)
		snprintf(what, sizeof(what), "process %d", (int)options->pid);
	else
		snprintf(what, sizeof(what), "%s", options->name);
	text = memory_of(open_memstream(&names, &size));
	for (i = first; i < found->num_files; i++) {
		file = &found->files[i];
		ret = attach_more(skel, file);
		if (ret == 0)
			fprintf(text, ", %s", file->name);
		else
			warnx("%s has new files that cannot be traced: %s: %s",
			      what, file->name, strerror(-ret));
	}
	fclose(text);
	know_later_ones(options, skel, &all);
	if (size > 0)
		warnx("%s has new files, tracing them from now on: %s", what,
		      names + 2);
	free(names);
}

void upgrade_look(const struct options *options, struct tsmbd *skel,
		  struct found *found, unsigned long long now)
{
	unsigned long long cost;
	struct list fresh = { 0 };
	struct list present;
	int files;
	bool more;

	if (options->files.count > 0)
		return;
	unused_look(options, found, now);
	if (now < due)
		return;
	cost = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	files = found->num_files;
	present = look(options, found, &fresh);
	free(all.process);
	all = present;
	cost = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cost;
	cost = due == 0 ? 0 : cost * SHARE;
	due = now + (cost > INTERVAL_NS ? cost : INTERVAL_NS);
	if (interval != 0)
		due = now + interval;
	more = found->num_files > files;
	if (more || missed)
		know(skel, &fresh);
	missed = false;
	if (more)
		attach_from(options, skel, found, files);
	free(fresh.process);
}
