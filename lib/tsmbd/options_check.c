/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options_check.c - refuses options that contradict each other, or that would
 * have no effect: who gives one believes that it has.
 *
 * A message has the line of the file in which the first of the options is that
 * it is about.
 */
#include <stddef.h>
#include <string.h>

#include "service/check.h"
#include "settings/values.h"
#include "options_check.h"

/* Of two outputs in one file, the second would replace the first. */
void options_check_files(const struct options *o, const char *history)
{
	const struct { const char *name, *path; } files[] = {
		{ "--history", history }, { "--html", o->page.html },
		{ "--textfile", o->metrics.textfile },
		{ "--heatmap", o->heatmap }, { "--flame", o->flame },
		{ "--pid-file", o->service.pid_file },
	};
	const size_t count = sizeof(files) / sizeof(files[0]);
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < i && files[i].path != NULL; j++) {
			if (files[j].path != NULL &&
			    strcmp(files[i].path, files[j].path) == 0)
				values_refuse("%s and %s cannot write to the "
					      "same file", files[j].name,
					      files[i].name);
		}
	}
}

static void check_report(const struct options *o)
{
	check_refuse(o->name != NULL && o->files.count > 0, CHECK_GROUP("file"),
		  "--name and --file exclude each other: use one of them");
	check_refuse(o->name != NULL && o->pid != 0, CHECK_GROUP("pid", "name"),
		  "--name and a PID exclude each other: use one of them");
	check_refuse_given(o->tops == 0, CHECK_GROUP("by", "lines"),
			"--by and --lines have no effect without --top");
	check_refuse_given(o->flame == NULL, CHECK_GROUP("frequency"),
			"--frequency has no effect without --flame");
}

/* A file may be checked without saying that it is for a service. */
static void check_service(const struct options *o)
{
	check_refuse(o->service.daemon &&
		  (o->interval != 0 || o->count != 0 || o->json ||
		   o->heatmap != NULL || o->flame != NULL),
		  CHECK_GROUP("interval", "count", "json", "heatmap", "flame"),
		  "the service prints no reports: leave out --interval, "
		  "--count, --json, --heatmap and --flame");
	check_refuse_given(!o->service.daemon && !o->service.check_config,
			CHECK_GROUP("run-as", "pid-file"),
			"--run-as and --pid-file have no effect without "
			"--daemon: use 'tsmbd serve'");
}

void options_check(const struct options *options)
{
	options_check_files(options, options->history.history);
	check_service(options);
	check_report(options);
}
