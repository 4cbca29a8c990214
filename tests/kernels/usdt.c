/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt.c - attaches a program to a probe of a file by its name, as one does
 * with libbpf, which then chooses the instruction to trace.
 *
 *	usdt OBJECT FILE PROVIDER PROBE		until standard input ends
 *	usdt OBJECT FILE PROVIDER PROBE TIMES	and lets it go, so many times
 */
#include <stdio.h>
#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static int fail(const char *what)
{
	fprintf(stderr, "usdt: %s\n", what);
	return 1;
}

static long hits(struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	int zero = 0;
	long number = -1;

	bpf_map_lookup_elem(bpf_map__fd(map), &zero, &number);
	return number;
}

int main(int argc, char **argv)
{
	long times = argc > 5 ? atol(argv[5]) : 1;
	struct bpf_program *program;
	struct bpf_object *object;
	struct bpf_link *link;
	long i;

	if (argc < 5)
		return fail("OBJECT FILE PROVIDER PROBE [TIMES]");
	object = bpf_object__open_file(argv[1], NULL);
	if (object == NULL || bpf_object__load(object))
		return fail("cannot load");
	program = bpf_object__find_program_by_name(object, "count");
	for (i = 0; i < times; i++) {
		link = bpf_program__attach_usdt(program, -1, argv[2], argv[3],
						argv[4], NULL);
		if (link == NULL)
			return fail("cannot attach");
		if (argc == 5) {
			puts("attached");
			fflush(stdout);
			while (getchar() != EOF)
				;
		}
		bpf_link__destroy(link);
	}
	printf("libbpf %s: %ld times, %ld hits\n", libbpf_version_string(),
	       times, hits(object));
	return 0;
}
