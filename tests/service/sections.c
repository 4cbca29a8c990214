/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sections.c - a made-up program whose configuration file has sections.
 *
 *	sections --help			what --help prints of the options
 *	sections FILE			what is set
 *	sections FILE OTHER		likewise, and whether OTHER differs; then
 *					what is set after its options are copied
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings/config.h"
#include "settings/table.h"
#include "settings/values.h"

struct program_options {
	const char *name;
	const char *file;
	struct texts by;
	unsigned int lines;
	double slow;
	bool errors;
	unsigned int enable;
};

struct options {
	const char *listen;
	double slow;
	struct sections programs;
	const char *html;
};

#define SECTION(kind, member, argument, doc)				\
	SETTING(kind, struct program_options, member, #member, argument, doc)
#define OPTION(kind, member, argument, doc)				\
	SETTING(kind, struct options, member, #member, argument, doc)

static const char *check_file(const void *context, const char *value)
{
	return strcmp(value, context) == 0 ? "use another one" : NULL;
}

static const struct setting own[] = {
	{ OPTION(TEXT, listen, "ADDRESS", "where to listen") },
	{ OPTION(MILLISECONDS, slow, "MS", "print what took MS") },
	{ .name = NULL },
};
static const struct setting program[] = {
	{ SECTION(TEXT, file, "FILE", "trace FILE"), .check = check_file },
	{ SECTION(NAMES, by, "NAMES", "count by NAMES"), .most = 3 },
	{ SECTION(NUMBER, lines, "NUMBER", "print NUMBER of rows"),
	  .normal = 10, .most = 99 },
	{ SECTION(MILLISECONDS, slow, "MS", "print what took MS") },
	{ SECTION(FLAG, errors, NULL, "print failures") },
	{ SECTION(CHOICE, enable, "no|yes", "whether to trace it") },
	{ .name = NULL },
};
static const struct setting page[] = {
	{ OPTION(TEXT, html, "FILE", "write a page to FILE") },
	{ .name = NULL },
};
static const struct settings settings[] = {
	{ "Own", own, 0, NULL, 0 },
	{ "In a section [PROGRAM] of the file", program,
	  offsetof(struct options, programs), "bad",
	  sizeof(struct program_options) },
	{ "Page", page, 0, NULL, 0 },
	{ .rows = NULL },
};

static void set(int option, const char *value, void *options)
{
	settings_set(settings, option, options, value);
}

static const char *instead_of(const char *key)
{
	return NULL;
}

static void read_file(const char *path, struct options *options)
{
	static const char *const excluded[] = { NULL };
	static const struct config_rules rules = {
		settings, set, excluded, instead_of,
	};
	static struct option list[16];
	struct config config;

	if (!config_load(path, &config))
		exit(1);
	values_begin();
	settings_defaults(settings, options);
	settings_list(settings, list);
	config_parse(&config, list, &rules, options);
}

static void print_section(const struct program_options *o)
{
	char title[64];
	int i;

	snprintf(title, sizeof(title), "[%s]", o->name);
	printf("%s line=%u file=%s", title, values_line_of(title),
	       o->file != NULL ? o->file : "-");
	for (i = 0; i < o->by.count; i++)
		printf(" by=%s", o->by.items[i]);
	printf(" lines=%u slow=%g errors=%d enable=%u\n", o->lines, o->slow,
	       o->errors, o->enable);
}

static void print(const struct options *o)
{
	const struct program_options *sections = o->programs.items;
	size_t i;

	printf("listen=%s slow=%g html=%s\n", o->listen != NULL ? o->listen :
	       "-", o->slow, o->html != NULL ? o->html : "-");
	for (i = 0; i < o->programs.count; i++)
		print_section(&sections[i]);
}

int main(int argc, char **argv)
{
	struct options options = { .slow = 0 }, other = { .slow = 0 };

	if (strcmp(argv[1], "--help") == 0) {
		settings_help(settings, stdout);
		return 0;
	}
	read_file(argv[1], &options);
	print(&options);
	if (argc == 2)
		return 0;
	read_file(argv[2], &other);
	printf("differ: all %d, sections %d, page %d\n",
	       settings_differ(settings, &options, &other, NULL),
	       settings_differ(settings, &options, &other,
			       settings[1].heading),
	       settings_differ(settings, &options, &other, "Page"));
	settings_copy(settings, &options, &other);
	print(&options);
	return 0;
}
