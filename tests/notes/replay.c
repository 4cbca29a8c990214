/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs the corpus of the fuzz target as a test without a fuzzer: every file of
 * the directories on the command line is read. An error shows as a crash of
 * this program, or as a report of valgrind or a sanitizer.
 */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/*
 * Copied to the heap at its exact size, so that reading beyond the end is
 * noticed.
 */
static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	struct stat st;
	int ret = -1;

	if (file == NULL || fstat(fileno(file), &st) < 0)
		goto out;
	data = malloc((size_t)st.st_size + 1);
	if (data == NULL ||
	    fread(data + 1, 1, (size_t)st.st_size, file) != (size_t)st.st_size)
		goto out;
	LLVMFuzzerTestOneInput(data + 1, (size_t)st.st_size);
	ret = 0;
out:
	if (ret < 0)
		perror(path);
	free(data);
	if (file != NULL)
		fclose(file);
	return ret;
}

static int replay_directory(const char *directory, int *number)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_visible, alphasort);
	int i, ret = 0;

	if (count < 0) {
		perror(directory);
		return -1;
	}
	for (i = 0; i < count; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", directory,
			 entries[i]->d_name);
		/*
		 * Printed before the file is read, so that a crash can be
		 * assigned to it.
		 */
		printf("# %s\n", entries[i]->d_name);
		fflush(stdout);
		if (replay_file(path) < 0)
			ret = -1;
		printf("%sok %d - %s\n", ret < 0 ? "not " : "", ++*number,
		       entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

int main(int argc, char **argv)
{
	int i, number = 0, ret = 0;

	for (i = 1; i < argc; i++) {
		if (replay_directory(argv[i], &number) < 0)
			ret = -1;
	}
	printf("1..%d\n", number);
	return ret < 0 || number == 0;
}
