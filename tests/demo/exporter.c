/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does with a program for ebpf_exporter what that does: loads and attaches it,
 * and reads its maps, here once, after a command.
 *
 *	exporter OBJECT COMMAND
 *
 * Prints "MAP KEY VALUE" for each entry, the key in hexadecimal digits.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void print_map(const struct bpf_map *map)
{
	unsigned char key[512], next[512];
	unsigned char *last = NULL;
	int fd = bpf_map__fd(map);
	uint64_t value;
	size_t i;

	while (bpf_map_get_next_key(fd, last, next) == 0) {
		printf("%s ", bpf_map__name(map));
		for (i = 0; i < bpf_map__key_size(map); i++)
			printf("%02x", key[i] = next[i]);
		last = key;
		bpf_map_lookup_elem(fd, key, &value);
		printf(" %llu\n", (unsigned long long)value);
	}
}

int main(int argc, char **argv)
{
	struct bpf_object *object = bpf_object__open_file(argv[argc - 2], NULL);
	struct bpf_program *program;
	struct bpf_map *map;

	if (object == NULL || bpf_object__load(object) != 0)
		return 1;
	bpf_object__for_each_program(program, object) {
		if (bpf_program__attach(program) == NULL)
			return 1;
	}
	if (system(argv[argc - 1]) != 0)
		return 1;
	bpf_object__for_each_map(map, object) {
		if (bpf_map__type(map) == BPF_MAP_TYPE_HASH &&
		    bpf_map__value_size(map) == 8)
			print_map(map);
	}
	return 0;
}
