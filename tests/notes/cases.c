/* SPDX-License-Identifier: BSD-2-Clause */
/* See cases.h. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "../cmocka_all.h"

static void read_library(struct machine_cases *cases, const char *key,
			 const char *value)
{
	if (strcmp(key, "elf") == 0)
		cases->elf = (uint16_t)strtoul(value, NULL, 10);
	else if (strcmp(key, "name") == 0)
		snprintf(cases->name, sizeof(cases->name), "%s", value);
	else if (strcmp(key, "registers") == 0)
		cases->registers = strtoul(value, NULL, 10);
	else
		fail_msg("[library] has no '%s'", key);
}

static void add_row(struct machine_cases *cases, const char *key,
		    const char *value)
{
	struct case_row *row = &cases->rows[cases->count++];

	assert_in_range(cases->count, 1, ROWS(cases->rows));
	assert_in_range(strlen(key), 1, sizeof(row->key) - 1);
	assert_in_range(strlen(value), 1, sizeof(row->value) - 1);
	strcpy(row->key, key);
	strcpy(row->value, value);
}

static void read_line(struct machine_cases *cases, char *line,
		      const char *wanted, char section[32])
{
	char *equals;

	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '\0' || line[0] == '#')
		return;
	if (sscanf(line, "[%31[a-z]]", section) == 1)
		return;
	equals = strstr(line, " = ");
	if (equals == NULL)
		fail_msg("neither a section nor a row: %s", line);
	*equals = '\0';
	if (strcmp(section, "library") == 0)
		read_library(cases, line, equals + 3);
	else if (strcmp(section, wanted) == 0)
		add_row(cases, line, equals + 3);
}

static bool read_file(struct machine_cases *cases, const char *directory,
		      const char *name, const char *wanted)
{
	char path[4096], line[512], section[32] = "";
	FILE *file;

	memset(cases, 0, sizeof(*cases));
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL)
		read_line(cases, line, wanted, section);
	fclose(file);
	return cases->elf != 0;
}

size_t cases_read(const char *directory, const char *section,
		  void (*each)(const struct machine_cases *cases))
{
	static struct machine_cases cases;
	DIR *dir = opendir(directory);
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (strstr(entry->d_name, ".txt") == NULL ||
		    !read_file(&cases, directory, entry->d_name, section))
			continue;
		count++;
		each(&cases);
	}
	closedir(dir);
	return count;
}
