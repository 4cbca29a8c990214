/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage.c - /proc/PID/stat -> what a program has used since the last look.
 *
 *	4711 (postgres) S 1 4711 4711 0 -1 4194560 912 0 0 0 18 7 310 25 ...
 *	user and system time, in ticks of 10 ms:            ^^ ^
 *	that of children which it has waited for:                ^^^ ^^
 *
 * A server may begin a process for each client, and most of them begin and end
 * between two looks. Their time is in that of the children of their parent. What
 * was counted of a child that was seen is not counted again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "serve/usage.h"

struct usage {
	pid_t pid;
	unsigned int group;
	unsigned int place;
	bool is_new;
	bool again;			/* also in another group of the place */
	unsigned long long ticks;	/* since the process began */
	unsigned long long of_children;	/* those that it has waited for */
	/* The same since the last look. */
	unsigned long long used;
	unsigned long long waited;
};

/* The processes of the last look, sorted. */
static struct usage *known;
static size_t num_known;

/*
 * Time that usage_take() and usage_take_place() have not returned yet. A process
 * may have files of two groups of the same place: both groups have its time, and
 * the place has it once.
 */
struct untaken {
	unsigned int id;
	unsigned long long ticks;
};
static struct untaken of_groups[DISCOVER_GROUPS], of_places[DISCOVER_GROUPS];

const char *usage_stat(pid_t pid, char *text, size_t size)
{
	const char *end;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return NULL;
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
	/* the name may have any character */
	end = strrchr(text, ')');
	return end != NULL ? end + 1 : NULL;
}

static int by_pid(const void *a, const void *b)
{
	const struct usage *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* The groups of a place are together. */
static int by_place(const void *a, const void *b)
{
	const struct usage *x = a, *y = b;

	if (x->pid != y->pid)
		return by_pid(a, b);
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

static const struct usage *find(const struct usage *of, const struct usage *in,
				size_t count)
{
	return count == 0 ? NULL :
	       bsearch(of, in, count, sizeof(*in), by_pid);
}

/*
 * If the process has just ended, its times are those of the last look. The rest
 * is in the times of its parent at the next look: the parent mostly has a lower
 * number, and so was read earlier in this look.
 */
static void read_ticks(struct usage *to)
{
	unsigned long long user, system, children_user, children_system;
	const struct usage *before = find(to, known, num_known);
	char text[USAGE_STAT];
	const char *at = usage_stat(to->pid, text, sizeof(text));

	if (before != NULL) {
		to->ticks = before->ticks;
		to->of_children = before->of_children;
	}
	if (at == NULL || sscanf(at, " %*c %*d %*d %*d %*d %*d %*u %*u "
				 "%*u %*u %*u %llu %llu %llu %llu", &user,
				 &system, &children_user,
				 &children_system) != 4)
		return;
	to->ticks = user + system;
	to->of_children = children_user + children_system;
}

static void add(struct untaken in[DISCOVER_GROUPS], unsigned int id,
		unsigned long long ticks)
{
	size_t unused = DISCOVER_GROUPS;
	size_t i;

	if (ticks == 0)
		return;
	for (i = 0; i < DISCOVER_GROUPS && in[i].id != id; i++) {
		if (in[i].ticks == 0)
			unused = i;
	}
	if (i == DISCOVER_GROUPS)
		i = unused;
	if (i == DISCOVER_GROUPS)
		return;
	in[i].ticks = in[i].id == id ? in[i].ticks + ticks : ticks;
	in[i].id = id;
}

static unsigned long long beyond(unsigned long long now,
				 unsigned long long before)
{
	return now > before ? now - before : 0;
}

/*
 * A process that is new has used all of its time since the last look, unless
 * nobody has looked for its group before.
 */
static void compare(struct usage *now, bool first)
{
	const struct usage *before = find(now, known, num_known);
	struct usage none = { .pid = 0 };

	now->is_new = before == NULL;
	if (before == NULL)
		before = first ? now : &none;
	now->used = beyond(now->ticks, before->ticks);
	now->waited = beyond(now->of_children, before->of_children);
}

/* The processes of this look, and where its groups are. */
struct look {
	struct usage *fresh;
	size_t count;
	const struct discover *discover;
	bool (*is_wanted)(const struct discover_group *group, void *context);
	void *context;
};

static const struct discover_group *next_of(const struct look *look,
					    const struct discover_group *group)
{
	do
		group = discover_next(look->discover, group);
	while (group != NULL && !look->is_wanted(group, look->context));
	return group;
}

static void read_group(struct look *look, const struct discover_group *group,
		       bool first)
{
	struct usage *to;
	size_t i;

	for (i = 0; i < group->num_pids; i++) {
		look->fresh = memory_grow(look->fresh, look->count,
					  sizeof(*look->fresh));
		to = &look->fresh[look->count++];
		*to = (struct usage){ .pid = group->pid[i],
			.group = group->id, .place = group->place };
		read_ticks(to);
		compare(to, first);
	}
}

static void sort(struct look *look)
{
	struct usage *fresh = look->fresh;
	size_t i;

	if (look->count > 0)
		qsort(fresh, look->count, sizeof(*fresh), by_place);
	for (i = 1; i < look->count; i++)
		fresh[i].again = fresh[i].pid == fresh[i - 1].pid &&
			fresh[i].place == fresh[i - 1].place;
}

static bool is_gone(const struct look *look, unsigned int id)
{
	const struct discover_group *group = NULL;

	while ((group = next_of(look, group)) != NULL) {
		if (group->id == id)
			return group->gone;
	}
	return true;
}

/*
 * What was counted of processes that have ended since the last look: of a
 * place, or of one of its groups and of those that are gone.
 */
static unsigned long long counted_of_ended(const struct look *look,
					   unsigned int place,
					   unsigned int group)
{
	unsigned long long ticks = 0;
	const struct usage *k;

	for (k = known; k < known + num_known; k++) {
		if (k->place != place || (group == 0 && k->again) ||
		    find(k, look->fresh, look->count) != NULL)
			continue;
		if (group == 0 || k->group == group ||
		    (!k->again && is_gone(look, k->group)))
			ticks += k->ticks + k->of_children;
	}
	return ticks;
}

/* The time of a place, or of one of its groups. */
static unsigned long long used(const struct look *look, unsigned int place,
			       unsigned int group)
{
	unsigned long long ticks = 0, waited = 0;
	const struct usage *f;

	for (f = look->fresh; f < look->fresh + look->count; f++) {
		if (group == 0 ? f->place != place || f->again :
				 f->group != group)
			continue;
		ticks += f->used;
		waited += f->waited;
	}
	return ticks + beyond(waited, counted_of_ended(look, place, group));
}

static bool is_first(const struct look *look,
		     const struct discover_group *group)
{
	const struct discover_group *other = NULL;

	do
		other = next_of(look, other);
	while (other->place != group->place);
	return other == group;
}

static void add_up(const struct look *look)
{
	const struct discover_group *group = NULL;

	while ((group = next_of(look, group)) != NULL) {
		add(of_groups, group->id, used(look, group->place, group->id));
		if (is_first(look, group))
			add(of_places, group->place,
			    used(look, group->place, 0));
	}
}

void usage_read(const struct discover *discover,
		bool (*is_wanted)(const struct discover_group *group,
				  void *context), void *context)
{
	const struct discover_group *group = NULL;
	static unsigned int newest;	/* of the groups that were known */
	struct look look = { .discover = discover, .is_wanted = is_wanted,
		.context = context };
	unsigned int last = newest;

	while ((group = next_of(&look, group)) != NULL) {
		read_group(&look, group, group->id > last);
		if (group->id > newest)
			newest = group->id;
	}
	sort(&look);
	add_up(&look);
	free(known);
	known = look.fresh;
	num_known = look.count;
}

static unsigned long long take(struct untaken from[DISCOVER_GROUPS],
			       unsigned int id)
{
	unsigned long long ticks;
	size_t i;

	for (i = 0; i < DISCOVER_GROUPS; i++) {
		if (from[i].id != id || from[i].ticks == 0)
			continue;
		ticks = from[i].ticks;
		from[i].ticks = 0;
		return ticks * (1000000000ULL /
				(unsigned long long)sysconf(_SC_CLK_TCK));
	}
	return 0;
}

unsigned long long usage_take(const struct discover_group *group)
{
	return take(of_groups, group->id);
}

unsigned long long usage_take_place(const struct discover_group *group)
{
	return take(of_places, group->place);
}

unsigned int usage_processes(const struct discover_group *group)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < num_known; i++)
		count += known[i].group == group->id && !known[i].again;
	return count;
}

bool usage_is_new(const struct discover_group *group)
{
	size_t i = 0;

	while (i < num_known && (known[i].group != group->id || known[i].is_new))
		i++;
	return i == num_known;
}
