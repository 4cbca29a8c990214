/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints what discover finds, for test_discover.py. Options:
 *
 *	-m DIRECTORY	manifests; without it, its name is printed
 *	-s PROGRAM	a section: ignore the program
 *	-s PROGRAM=FILE	trace a file
 *	-d DESCRIPTION	of the section before
 *	-o PROGRAM	find no others
 *	-n NANOSECONDS	of CLOCK_BOOTTIME, which stands still then
 *	-c		print the container of /proc/PID/cgroup on the standard
 *			input, and end
 *
 * For each line of the standard input it looks, as if that many seconds had
 * passed since the line before, and prints a line for each group, what it said,
 * what it cost and what it holds, and a line "end".
 */
#define _GNU_SOURCE
#include "../descriptors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/base/clock.h"
#include "lib/settings/table.h"
#include "lib/uprobe/find.h"
#include "sdtkit/notes.h"
#include "serve/discover.h"

static struct discover_section sections[8];
static struct texts only;
static struct discover_options options = { .section = sections, .only = &only };

static void print_sentence(const char *sentence)
{
	printf("said %s\n", sentence);
}

/* What the worker's finder does: any file will do. */
static void *read_notes(struct sdtkit_notes **notes, const char *name)
{
	return strdup(name);
}

static const char *same_name(const char *path, char *buffer, size_t size)
{
	return path;
}

static const struct finder finder = {
	.command = "test", .file_option = "", .max_files = 256,
	.read = read_notes, .forget = free, .name = same_name,
};

static void print_group(const struct discover *discover,
			const struct discover_group *group)
{
	struct found found = { .finder = &finder };
	const char *path;
	size_t i;

	printf("%s %u %s pids", group->gone ? "gone" : "group", group->id,
	       group->program);
	for (i = 0; i < group->num_pids; i++)
		printf(" %d", (int)group->pid[i]);
	printf(" files %zu", group->num_files);
	if (!group->gone)
		discover_found(discover, group, &found);
	for (i = 0; i < (size_t)found.num_files; i++)
		printf("|%s", found.files[i].name);
	while (found.num_files > 0) {
		found.num_files--;
		close(found.files[found.num_files].fd);
		free(found.files[found.num_files].probes);
	}
	free(found.files);
	printf(" describe");
	for (i = 0; (path = discover_description(discover, group, i)) != NULL;
	     i++)
		printf(" %s", strrchr(path, '/') + 1);
	printf(" in %s,%s but %zu\n", group->container.name,
	       group->container.pod, group->num_others);
}

static void print_container(void)
{
	struct container container;
	char text[4096];
	size_t size = fread(text, 1, sizeof(text) - 1, stdin);

	text[size] = '\0';
	containers_parse(text, &container);
	printf("%s,%s\n", container.name, container.pod);
}

static void look(struct discover *discover, uint64_t now)
{
	const struct discover_group *group = NULL;
	uint64_t begin = sdtkit_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);

	discover_look(discover, now);
	printf("cost %.3f\n", (double)(sdtkit_nanoseconds(
		CLOCK_PROCESS_CPUTIME_ID) - begin) / 1e6);
	while ((group = discover_next(discover, group)) != NULL)
		print_group(discover, group);
	printf("descriptors %d\nend\n", count_descriptors());
	fflush(stdout);
}

static void add_section(char *text)
{
	char *file = strchr(text, '=');

	if (file != NULL)
		*file++ = '\0';
	sections[options.count++] = (struct discover_section){
		.program = text, .file = file, .ignored = file == NULL,
	};
}

int main(int argc, char **argv)
{
	uint64_t passed = 0, still = 0, seconds;
	struct discover *discover;
	char found[PATH_MAX];
	int option;

	tool_begin("serve");
	options.say = print_sentence;
	while ((option = getopt(argc, argv, "m:s:d:o:n:c")) != -1) {
		if (option == 'c') {
			print_container();
			return 0;
		}
		if (option == 'm')
			options.manifests = optarg;
		else if (option == 's')
			add_section(optarg);
		else if (option == 'd' && options.count > 0)
			sections[options.count - 1].describe = optarg;
		else if (option == 'o')
			only.items[only.count++] = optarg;
		else if (option == 'n')
			still = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	if (options.manifests == NULL && discover_manifests(found)) {
		options.manifests = found;
		printf("manifests %s\n", found);
	}
	discover = discover_new(&options);
	if (discover == NULL)
		return 2;
	while (scanf("%lu", &seconds) == 1) {
		passed += seconds * 1000000000;
		look(discover, passed + (still != 0 ? still :
			sdtkit_nanoseconds(CLOCK_BOOTTIME)));
	}
	discover_free(discover);
	return 0;
}
