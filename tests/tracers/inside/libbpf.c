/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libbpf.c - a tracer as one writes it with libbpf: it attaches to probes of a
 * file by their names, in every process, and prints what it reads.
 *
 *	libbpf FILE PROVIDER:PROBE EXPRESSION... [PROVIDER:PROBE ...]
 *
 * An expression is INDEX,OFFSET,SIZE,STRING: see struct expression. The tracer
 * prints "attached", then a line for each hit, and ends with its input:
 *
 *	=store2:text <literal> <made 42> <>
 *	=store2:idle
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "libbpf.h"
#include "libbpf.skel.h"

struct probe {
	const char *name;	/* PROVIDER:PROBE */
	struct plan plan;
};

static struct probe probes[MAX_PROBES];
static unsigned int num_probes;

static int parse(char **words)
{
	struct probe *probe = NULL;

	for (; *words != NULL; words++) {
		struct expression it;

		if (sscanf(*words, "%u,%u,%d,%u", &it.index, &it.offset,
			   &it.size, &it.string) != 4) {
			if (num_probes == MAX_PROBES)
				return -E2BIG;
			probe = &probes[num_probes++];
			probe->name = *words;
			continue;
		}
		if (probe == NULL || probe->plan.count == MAX_EXPRESSIONS)
			return -EINVAL;
		probe->plan.expressions[probe->plan.count++] = it;
	}
	return 0;
}

static int attach(struct libbpf_bpf *it, const char *file, unsigned int i)
{
	LIBBPF_OPTS(bpf_usdt_opts, options, .usdt_cookie = i);
	char provider[64] = "";
	char name[64] = "";

	sscanf(probes[i].name, "%63[^:]:%63s", provider, name);
	if (bpf_map_update_elem(bpf_map__fd(it->maps.plans), &i,
				&probes[i].plan, BPF_ANY) != 0)
		return -errno;
	if (bpf_program__attach_usdt(it->progs.at_probe, -1, file, provider,
				     name, &options) == NULL)
		return -errno;
	return 0;
}

static int show(void *unused, void *data, size_t size)
{
	const struct hit *hit = data;
	unsigned int i;

	printf("=%s", probes[hit->probe].name);
	for (i = 0; i < hit->count; i++) {
		const struct value *value = &hit->values[i];

		if (value->error != 0)
			printf(" -");
		else if (probes[hit->probe].plan.expressions[i].string)
			printf(" <%s>", value->text);
		else
			printf(" %lld", value->number);
	}
	printf("\n");
	return 0;
}

/* Returns false at the end of standard input. */
static bool go_on(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };

	return poll(&input, 1, 0) == 0;
}

int main(int argc, char **argv)
{
	struct ring_buffer *ring;
	struct libbpf_bpf *it;
	unsigned int i;

	if (argc < 3 || parse(argv + 2) != 0)
		return 2;
	it = libbpf_bpf__open_and_load();
	if (it == NULL)
		return 3;
	for (i = 0; i < num_probes; i++) {
		int ret = attach(it, argv[1], i);

		if (ret != 0)
			fprintf(stderr, "%s: %s\n", probes[i].name,
				strerror(-ret));
	}
	ring = ring_buffer__new(bpf_map__fd(it->maps.hits), show, NULL, NULL);
	puts("attached");
	fflush(stdout);
	while (go_on())
		ring_buffer__poll(ring, 100);
	ring_buffer__consume(ring);
	ring_buffer__free(ring);
	libbpf_bpf__destroy(it);
	return 0;
}
