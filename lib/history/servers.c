/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servers.c - reports of one server are added up as times, and the sums of the
 * servers as places.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "history/add.h"
#include "history/servers.h"

/* The time of a report is rounded to a millisecond. */
static const unsigned long long SLACK_NS = 5000000;

struct covered {
	unsigned long long begin;
	unsigned long long end;
	char *where;
};

struct server {
	struct smbd_report sum;
	struct covered *covered;
	int num_covered;
};

static struct server **servers;
static int num_servers;

static struct server *find_server(const char *name)
{
	int i;

	for (i = 0; i < num_servers; i++) {
		if (strcmp(servers[i]->sum.hosts, name) == 0)
			return servers[i];
	}
	servers = reallocarray(servers, (size_t)num_servers + 1,
			       sizeof(*servers));
	if (servers != NULL)
		servers[num_servers] = calloc(1, sizeof(**servers));
	if (servers == NULL || servers[num_servers] == NULL)
		err(1, NULL);
	return servers[num_servers++];
}

/* Seconds of a history follow each other: they become one. */
static void cover(struct server *s, const struct smbd_report *r, const char *where)
{
	unsigned long long begin = r->end_ns - r->elapsed_ns;
	struct covered *last = s->num_covered == 0 ? NULL :
		&s->covered[s->num_covered - 1];

	if (last != NULL && strcmp(last->where, where) == 0 &&
	    begin + SLACK_NS >= last->end && begin <= last->end + SLACK_NS) {
		last->end = r->end_ns;
		return;
	}
	s->covered = reallocarray(s->covered, (size_t)s->num_covered + 1,
				  sizeof(*s->covered));
	if (s->covered == NULL)
		err(1, NULL);
	last = &s->covered[s->num_covered++];
	*last = (struct covered){ begin, r->end_ns, strdup(where) };
	if (last->where == NULL)
		err(1, NULL);
}

void servers_add(const struct smbd_report *r, const char *where)
{
	struct server *s = find_server(r->hosts);

	smbd_report_add(&s->sum, r);
	cover(s, r, where);
}

static int by_begin(const void *a, const void *b)
{
	const struct covered *x = a;
	const struct covered *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Says the first overlap of a server. */
static void say_overlap(const struct server *s)
{
	char host[TSMBD_NODE];
	int i;

	qsort(s->covered, (size_t)s->num_covered, sizeof(*s->covered),
	      by_begin);
	for (i = 1; i < s->num_covered; i++) {
		const struct covered *a = &s->covered[i - 1];
		const struct covered *b = &s->covered[i];

		if (b->begin + SLACK_NS >= a->end)
			continue;
		warnx("%s and %s are both about the same time of %s: this "
		      "time counts twice", a->where, b->where,
		      text_word(s->sum.hosts, host, sizeof(host)));
		return;
	}
}

/*
 * Returns the host of a node, or "" if no report, or more than one, is of it.
 * Numbers are those of one cluster: nothing in a report tells which.
 */
static const char *find_host(unsigned long long vnn)
{
	const char *host = "";
	int i;

	for (i = 0; i < num_servers; i++) {
		if (vnn == 0 || servers[i]->sum.vnn != vnn)
			continue;
		if (host[0] != '\0')
			return "";
		host = servers[i]->sum.hosts;
	}
	return host;
}

static void name_wait(struct waited *w, const char *host)
{
	if (w->node[0] == '\0')
		snprintf(w->node, TSMBD_NODE, "%.*s", TSMBD_NODE - 1, host);
	if (w->holder_node[0] == '\0')
		snprintf(w->holder_node, TSMBD_NODE, "%.*s", TSMBD_NODE - 1,
			 find_host(w->holder_vnn));
}

static void name_waits(struct smbd_report *r)
{
	int i;

	for (i = 0; i < r->num_waits; i++)
		name_wait(&r->waits[i], r->hosts);
}

int servers_join(struct smbd_report *sum)
{
	int i, j, count = num_servers;

	for (i = 0; i < num_servers; i++)
		name_waits(&servers[i]->sum);
	for (i = 0; i < num_servers; i++) {
		struct server *s = servers[i];

		say_overlap(s);
		smbd_report_join(sum, &s->sum);
		smbd_report_clear(&s->sum);
		for (j = 0; j < s->num_covered; j++)
			free(s->covered[j].where);
		free(s->covered);
		free(s);
	}
	free(servers);
	servers = NULL;
	num_servers = 0;
	return count;
}
