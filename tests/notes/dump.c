/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that sdtkit/notes.h has to say, a line each, for test_real.py and
 * tests/bench/list.py.
 *
 *	dump FILE		file, sites, descriptions
 *	dump --count FILE...	only how many sites there are in all of them,
 *				and how many KiB of memory it took at the most
 *	dump --pid PID		objects and their sites, with semaphores
 *	dump --core FILE	the same
 *
 * Exit status: 1 if there was an error, which is a line as well.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdtkit/notes.h"

static int complain(const char *what)
{
	printf("error: %s: %s\n", what, sdtkit_notes_error());
	return 1;
}

static void print_number(const char *name, uint64_t number)
{
	if (number == SDTKIT_NO_OFFSET)
		printf(" %s=none", name);
	else
		printf(" %s=%#" PRIx64, name, number);
}

static void print_site(const struct sdtkit_site *site)
{
	printf("site %s:%s", site->provider, site->probe);
	print_number("address", site->address);
	print_number("offset", site->offset);
	print_number("semaphore", site->semaphore);
	print_number("semaphore_offset", site->semaphore_offset);
	if (site->member != NULL)
		printf(" member=%s", site->member);
	if (site->description != NULL)
		printf(" described=%zu", site->description->argument_count);
	printf(" arguments=%s", site->arguments);
}

static int dump_notes(struct sdtkit_notes *notes,
		      struct sdtkit_process *process)
{
	const struct sdtkit_description *description;
	const struct sdtkit_site *site;
	uint16_t value;
	int ret, bad = 0;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret < 0) {
			bad |= complain("site");
			continue;
		}
		print_site(site);
		if (process != NULL && sdtkit_process_semaphore(process, notes,
								site,
								&value) == 0)
			printf(" value=%u", value);
		printf("\n");
	}
	while ((ret = sdtkit_notes_next_description(notes,
						    &description)) != 0) {
		if (ret < 0)
			bad |= complain("description");
		else
			printf("description %s:%s %s\n", description->provider,
			       description->probe, description->summary);
	}
	return bad;
}

static int dump_file(const char *path)
{
	const struct sdtkit_notes_info *info;
	struct sdtkit_notes *notes;
	int bad;

	if (sdtkit_notes_open(path, &notes) < 0)
		return complain(path);
	info = sdtkit_notes_info(notes);
	printf("file machine=%u bits=%u big_endian=%d base=%d debug_file=%s\n",
	       info->machine, info->bits, info->big_endian, info->has_base,
	       info->debug_file != NULL ? info->debug_file : "none");
	bad = dump_notes(notes, NULL);
	sdtkit_notes_close(notes);
	return bad;
}

/*
 * Returns the peak of the memory that was used, in KiB. getrusage() would
 * include that of the parent before the exec.
 */
static long peak_of_memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long peak = -1;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		sscanf(line, "VmHWM: %ld", &peak);
	if (file != NULL)
		fclose(file);
	return peak;
}

static int count_files(char **paths)
{
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	size_t sites = 0;
	int ret, bad = 0;

	for (; *paths != NULL; paths++) {
		if (sdtkit_notes_open(*paths, &notes) < 0) {
			bad |= complain(*paths);
			continue;
		}
		while ((ret = sdtkit_notes_next(notes, &site)) != 0)
			sites += ret > 0;
		sdtkit_notes_close(notes);
	}
	printf("%zu sites, %ld KiB\n", sites, peak_of_memory());
	return bad;
}

static int dump_process(struct sdtkit_process *process)
{
	const struct sdtkit_object *object;
	struct sdtkit_notes *notes;
	int ret, bad = 0;

	while (sdtkit_process_next(process, &object) > 0) {
		ret = sdtkit_process_notes(process, &notes);
		/*
		 * A mapping of data: the dump does not say which mappings are
		 * code.
		 */
		if (ret == -ENOEXEC)
			continue;
		if (ret < 0) {
			bad |= complain(object->path);
			continue;
		}
		printf("object %s deleted=%d bias=%#" PRIx64 " debug_file=%s\n",
		       object->path, object->deleted,
		       sdtkit_notes_info(notes)->bias,
		       sdtkit_notes_info(notes)->debug_file != NULL ?
		       sdtkit_notes_info(notes)->debug_file : "none");
		bad |= dump_notes(notes, process);
		sdtkit_notes_close(notes);
	}
	sdtkit_process_close(process);
	return bad;
}

int main(int argc, char **argv)
{
	struct sdtkit_process *process;
	int ret;

	if (argc == 2)
		return dump_file(argv[1]);
	if (argc > 2 && strcmp(argv[1], "--count") == 0)
		return count_files(argv + 2);
	if (argc == 3 && strcmp(argv[1], "--pid") == 0)
		ret = sdtkit_process_open(atoi(argv[2]), &process);
	else if (argc == 3 && strcmp(argv[1], "--core") == 0)
		ret = sdtkit_process_open_core(argv[2], &process);
	else
		return 2;
	return ret < 0 ? complain(argv[2]) : dump_process(process);
}
