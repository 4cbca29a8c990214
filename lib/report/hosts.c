/* SPDX-License-Identifier: BSD-2-Clause */
/* hosts.c - sums of the reports of several hosts. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/hosts.h"

/* The time of a report is rounded to a millisecond. */
static const unsigned long long SLACK_NS = 5000000;

struct covered {
	unsigned long long begin;
	unsigned long long end;
	char *where;
};

struct host {
	struct report *sum;
	struct covered *covered;
	size_t num_covered;
};

struct hosts {
	const struct report_tables *tables;
	struct host *host;
	size_t count;
};

struct hosts *hosts_new(const struct report_tables *tables)
{
	struct hosts *h = memory_zeros(1, sizeof(*h));

	h->tables = tables;
	return h;
}

static struct host *find_host(struct hosts *h, const char *name)
{
	struct host *host;
	size_t i;

	for (i = 0; i < h->count; i++) {
		if (strcmp(h->host[i].sum->hosts, name) == 0)
			return &h->host[i];
	}
	h->host = memory_grow(h->host, h->count, sizeof(*h->host));
	host = &h->host[h->count++];
	*host = (struct host){ .sum = report_new(h->tables) };
	return host;
}

/* Seconds of a history follow each other: they become one. */
static void cover(struct host *host, const struct report *r, const char *where)
{
	unsigned long long begin = r->end_ns - r->elapsed_ns;
	struct covered *last = host->num_covered == 0 ? NULL :
		&host->covered[host->num_covered - 1];

	if (last != NULL && strcmp(last->where, where) == 0 &&
	    begin + SLACK_NS >= last->end && begin <= last->end + SLACK_NS) {
		last->end = r->end_ns;
		return;
	}
	host->covered = memory_grow(host->covered, host->num_covered,
				    sizeof(*host->covered));
	last = &host->covered[host->num_covered++];
	*last = (struct covered){ begin, r->end_ns, memory_of(strdup(where)) };
}

void hosts_add(struct hosts *h, const struct report *r, const char *where)
{
	struct host *host = find_host(h, r->hosts);

	report_add(host->sum, r);
	cover(host, r, where);
}

size_t hosts_count(const struct hosts *h)
{
	return h->count;
}

struct report *hosts_sum(const struct hosts *h, size_t host)
{
	return h->host[host].sum;
}

static int by_begin(const void *a, const void *b)
{
	const struct covered *x = a;
	const struct covered *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Says the first overlap of a host. */
static void say_overlap(const struct host *host)
{
	char name[REPORT_HOSTS];
	size_t i;

	qsort(host->covered, host->num_covered, sizeof(*host->covered),
	      by_begin);
	for (i = 1; i < host->num_covered; i++) {
		const struct covered *a = &host->covered[i - 1];
		const struct covered *b = &host->covered[i];

		if (b->begin + SLACK_NS >= a->end)
			continue;
		warnx("%s and %s are both about the same time of %s: this "
		      "time counts twice", a->where, b->where,
		      text_word(host->sum->hosts, name, sizeof(name)));
		return;
	}
}

void hosts_join(struct hosts *h, struct report *sum)
{
	size_t i, j;

	for (i = 0; i < h->count; i++) {
		struct host *host = &h->host[i];

		say_overlap(host);
		report_join(sum, host->sum);
		report_free(host->sum);
		for (j = 0; j < host->num_covered; j++)
			free(host->covered[j].where);
		free(host->covered);
	}
	free(h->host);
	free(h);
}
