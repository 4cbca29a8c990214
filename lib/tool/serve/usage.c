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
	bool is_new;
	unsigned long long ticks;	/* since the process began */
	unsigned long long of_children;	/* those that it has waited for */
};

/* The processes of the last look, sorted. */
static struct usage *known;
static size_t num_known;

/* What nobody has taken yet, by group. */
static struct {
	unsigned int group;
	unsigned long long ticks;
} untaken[DISCOVER_GROUPS];

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

static void add(unsigned int group, unsigned long long ticks)
{
	size_t unused = DISCOVER_GROUPS;
	size_t i;

	for (i = 0; i < DISCOVER_GROUPS; i++) {
		if (untaken[i].group == group)
			break;
		if (untaken[i].ticks == 0)
			unused = i;
	}
	if (i == DISCOVER_GROUPS)
		i = unused;
	if (i == DISCOVER_GROUPS)
		return;
	untaken[i].ticks = untaken[i].group == group ?
		untaken[i].ticks + ticks : ticks;
	untaken[i].group = group;
}

static unsigned long long beyond(unsigned long long now,
				 unsigned long long before)
{
	return now > before ? now - before : 0;
}

/*
 * A process that is new has used all of its time since the last look. Returns the
 * time of children that have ended since then.
 */
static unsigned long long add_process(struct usage *now, bool first)
{
	const struct usage *before = find(now, known, num_known);
	struct usage none = { .pid = 0 };

	now->is_new = before == NULL;
	if (before == NULL)
		before = first ? now : &none;
	if (now->ticks > before->ticks)
		add(now->group, now->ticks - before->ticks);
	return beyond(now->of_children, before->of_children);
}

/* What was counted of processes of a group that have ended since the last look. */
static unsigned long long counted_of_ended(unsigned int group,
					   const struct usage *fresh,
					   size_t count)
{
	unsigned long long ticks = 0;
	size_t i;

	for (i = 0; i < num_known; i++) {
		if (known[i].group == group &&
		    find(&known[i], fresh, count) == NULL)
			ticks += known[i].ticks + known[i].of_children;
	}
	return ticks;
}

void usage_read(const struct discover *discover)
{
	const struct discover_group *group = NULL;
	static unsigned int newest;	/* of the groups that were known */
	struct usage *fresh = NULL;
	unsigned int last = newest;
	unsigned long long ended;
	size_t count = 0, first;
	size_t i;

	while ((group = discover_next(discover, group)) != NULL) {
		first = count;
		ended = 0;
		for (i = 0; i < group->num_pids; i++) {
			fresh = memory_grow(fresh, count, sizeof(*fresh));
			fresh[count] = (struct usage){
				.pid = group->pid[i], .group = group->id,
			};
			read_ticks(&fresh[count]);
			ended += add_process(&fresh[count++], group->id > last);
		}
		if (count > first)
			qsort(fresh + first, count - first, sizeof(*fresh),
			      by_pid);
		ended = beyond(ended, counted_of_ended(group->id, fresh + first,
						       count - first));
		if (ended > 0)
			add(group->id, ended);
		if (group->id > newest)
			newest = group->id;
	}
	if (count > 0)
		qsort(fresh, count, sizeof(*fresh), by_pid);
	free(known);
	known = fresh;
	num_known = count;
}

unsigned long long usage_take(const struct discover_group *group)
{
	unsigned long long ticks;
	size_t i;

	for (i = 0; i < DISCOVER_GROUPS; i++) {
		if (untaken[i].group != group->id || untaken[i].ticks == 0)
			continue;
		ticks = untaken[i].ticks;
		untaken[i].ticks = 0;
		return ticks * (1000000000ULL /
				(unsigned long long)sysconf(_SC_CLK_TCK));
	}
	return 0;
}

bool usage_is_new(const struct discover_group *group)
{
	size_t i = 0;

	while (i < num_known && (known[i].group != group->id || known[i].is_new))
		i++;
	return i == num_known;
}
