/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that all subcommands have, see options.h. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/docs.h"
#include "common/fold.h"
#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"
#include "lib/text/similar.h"

int tool_version(void)
{
	out_text("sdtkit " TOOL_VERSION "\n");
	return TOOL_FOUND;
}

int tool_version_and_parts(void)
{
	tool_version();
	out_text("components: " TOOL_COMPONENTS "\n"
		 "libraries: " TOOL_LIBRARIES "\n");
	if (sizeof(TOOL_LEFT_OUT) > 1)
		out_text("built without: " TOOL_LEFT_OUT "\n");
	return TOOL_FOUND;
}

/* Handles --color and --width. */
static bool set_looks(int option, const char *value)
{
	if (option == TOOL_COLOR && !out_set_colour(value))
		tool_complain("invalid value '%s' for --color: use always, "
			      "auto or never", value);
	else if (option == TOOL_WIDTH && !fold_set_width(value))
		tool_complain("invalid value '%s' for --width: use a number "
			      "of characters, or 0 for no limit", value);
	else
		return true;
	return false;
}

int tool_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help)
{
	const char *similar;
	int option;

	do {
		option = getopt_long(argc, argv, letters, options, NULL);
		if ((option == TOOL_COLOR || option == TOOL_WIDTH) &&
		    !set_looks(option, optarg))
			return TOOL_MISUSED;
	} while (option == TOOL_COLOR || option == TOOL_WIDTH);
	switch (option) {
	case 'h':
		out_text(docs_named(help));
		return TOOL_HELPED;
	case 'V':
		tool_version();
		return TOOL_HELPED;
	case '?':
		/* else it is a letter */
		similar = optopt == 0 ?
			sdtkit_similar_option(argv[optind - 1], options) : NULL;
		if (similar != NULL)
			tool_complain("did you mean --%s?", similar);
		tool_complain("try '%s --help'", argv[0]);
		return TOOL_MISUSED;
	default:
		return option;
	}
}

int tool_option_status(int option)
{
	return option == TOOL_HELPED ? TOOL_FOUND : TOOL_TROUBLE;
}

bool tool_read_number(const char *option, const char *text,
		      unsigned long long least, unsigned long long most,
		      unsigned long long *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 &&
	    *number >= least && *number <= most)
		return true;
	tool_complain("invalid value '%s' for %s: use a number from %llu to "
		      "%llu", text, option, least, most);
	return false;
}

bool tool_read_time(const char *option, const char *text, const char *unit,
		    double unit_ns, double *time)
{
	char *end;

	*time = strtod(text, &end);
	if (isdigit((unsigned char)text[0]) && *end == '\0' &&
	    *time * unit_ns >= 1 && *time <= 1e9)
		return true;
	tool_complain("invalid value '%s' for %s: use a number of %s above 0, "
		      "such as 0.5", text, option, unit);
	return false;
}

bool tool_read_seconds(const char *option, const char *text,
		       unsigned long long *ns)
{
	double seconds;

	if (!tool_read_time(option, text, "seconds", 1e9, &seconds))
		return false;
	*ns = (unsigned long long)(seconds * 1e9);
	return true;
}

bool tool_read_via(const char *text, enum tool_via *via)
{
	if (strcmp(text, "kernel") == 0) {
		*via = TOOL_VIA_KERNEL;
	} else if (strcmp(text, "recorder") == 0) {
		*via = TOOL_VIA_RECORDER;
	} else {
		tool_complain("invalid value '%s' for --via: use kernel or "
			      "recorder", text);
		return false;
	}
	return true;
}

bool tool_read_pid(const char *text, pid_t *pid)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	*pid = (pid_t)number;
	if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 &&
	    number > 0 && number <= INT_MAX)
		return true;
	tool_complain("invalid value '%s' for --pid: use a process ID%s", text,
		      strchr(text, ':') != NULL ?
		      "; a pattern is a word of its own, without -p" :
		      isalpha((unsigned char)text[0]) ?
		      ", or --name with a name" : "");
	return false;
}

/*
 * The kernel cuts the names of processes to 15 characters. If the process has
 * another name, meant gets that name.
 */
static bool process_has_name(const char *pid, const char *name,
			     struct sdtkit_meant *meant)
{
	char file[64], text[PATH_MAX] = "";
	ssize_t size;
	int fd;

	snprintf(file, sizeof(file), "/proc/%.20s/comm", pid);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		size = read(fd, text, sizeof(text) - 1);
		close(fd);
		text[size > 0 ? size - 1 : 0] = '\0';
		if (strncmp(text, name, 15) == 0)
			return true;
		sdtkit_meant_saw(meant, text, name);
	}
	snprintf(file, sizeof(file), "/proc/%.20s/exe", pid);
	size = readlink(file, text, sizeof(text) - 1);
	text[size > 0 ? size : 0] = '\0';
	return size > 0 && strcmp(strrchr(text, '/') + 1, name) == 0;
}

size_t tool_read_name(const char *name, pid_t **pids)
{
	struct sdtkit_meant meant = { .percent = 0 };
	size_t count = 0, capacity = 0;
	char text[SDTKIT_MEANT_SIZE];
	struct dirent **entries;
	int total, i;

	*pids = NULL;
	total = scandir("/proc", &entries, NULL, versionsort);
	for (i = 0; i < total; i++) {
		if (isdigit((unsigned char)entries[i]->d_name[0]) &&
		    process_has_name(entries[i]->d_name, name, &meant)) {
			TOOL_GROW(*pids, count, capacity);
			(*pids)[count++] = atoi(entries[i]->d_name);
		}
		free(entries[i]);
	}
	if (total >= 0)
		free(entries);
	if (count == 0)
		tool_complain("no process has the name '%s'%s%s", name,
			      meant.percent > 0 ? "; " : "", meant.percent > 0 ?
			      sdtkit_meant_text(&meant, text) : "");
	return count;
}

bool tool_read_only_name(const char *name, pid_t *pid)
{
	pid_t *pids;
	size_t count = tool_read_name(name, &pids);

	if (count > 1)
		tool_complain("several processes have the name '%s', and only "
			      "one can be traced: choose it with -p, such as "
			      "-p %d", name, (int)pids[0]);
	*pid = count > 0 ? pids[0] : 0;
	free(pids);
	return count == 1;
}
