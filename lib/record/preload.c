/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recorder without a change to the program:
 *
 *	LD_PRELOAD=libsdtkit-recorder.so
 *	SDTKIT_RECORDER='smb2:*,vfs:*'		events of these probes
 *	SDTKIT_RECORDER_COUNT='smb2:*'		sums of these spans
 *	SDTKIT_RECORDER_OPTIONS=size=64M,ring=256K,dir=/run/smbd,mode=overwrite
 *
 * Programs that it executes have the same environment, and each of them a
 * recorder of its own. A program without such probes has none.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_recorder.h"
#include "read_parts.h"

/* "64M" -> bytes; false: not a size. */
static bool read_size(const char *text, size_t *size)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;

	errno = 0;
	*size = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || errno != 0)
		return false;
	unit = *end != '\0' ? strchr(units, *end) : NULL;
	if (unit != NULL) {
		unsigned int shift = 10 * (unsigned int)(unit - units + 1);

		if (*size > SIZE_MAX >> shift)
			return false;
		*size <<= shift;
		end++;
	}
	return *end == '\0';
}

/* "4": that many; the API has another number for none. */
static bool read_keep(const char *text, int *keep)
{
	size_t count;

	if (!read_size(text, &count) || count > INT_MAX)
		return false;
	*keep = count > 0 ? (int)count : -1;
	return true;
}

static bool set_option(char *option, struct sdtkit_recorder_options *options)
{
	char *value = strchr(option, '=');

	if (strcmp(option, "keep") == 0)
		options->flags |= SDTKIT_RECORDER_KEEP;
	else if (strcmp(option, "nofile") == 0)
		options->flags |= SDTKIT_RECORDER_NO_FILE;
	else if (strcmp(option, "nodump") == 0)
		options->flags |= SDTKIT_RECORDER_NO_DUMP;
	else if (strcmp(option, "nolisten") == 0)
		options->flags |= SDTKIT_RECORDER_NO_LISTEN;
	else if (strcmp(option, "traps") == 0)
		options->flags |= SDTKIT_RECORDER_TRAPS;
	else if (value == NULL)
		return false;
	else if (strcmp(option, "mode=overwrite") == 0)
		options->mode = SDTKIT_RECORDER_OVERWRITE;
	else if (strcmp(option, "mode=discard") == 0)
		options->mode = SDTKIT_RECORDER_DISCARD;
	else if (strncmp(option, "dir=", 4) == 0)
		options->directory = value + 1;
	else if (strncmp(option, "size=", 5) == 0)
		return read_size(value + 1, &options->size);
	else if (strncmp(option, "ring=", 5) == 0)
		return read_size(value + 1, &options->ring_size);
	else if (strncmp(option, "string=", 7) == 0)
		return read_size(value + 1, &options->string_limit);
	else if (strncmp(option, "keep=", 5) == 0)
		return read_keep(value + 1, &options->keep);
	else
		return false;
	return true;
}

static int set_options(char *text, struct sdtkit_recorder_options *options)
{
	char *rest = NULL, *option;

	for (option = strtok_r(text, ",", &rest); option != NULL;
	     option = strtok_r(NULL, ",", &rest)) {
		if (!set_option(option, options))
			return sdtkit_record_fail(EINVAL,
				"SDTKIT_RECORDER_OPTIONS: \"%s\" is not an "
				"option: use size=64M, ring=256K, string=255, "
				"dir=DIRECTORY, mode=overwrite, mode=discard, "
				"keep=4, keep, nofile, nodump, nolisten or "
				"traps",
				option);
	}
	return 0;
}

/*
 * Most programs that inherit the variable have none of its probes, which is no
 * error. One that has probes of similar names is told.
 */
static bool is_misspelt(int error)
{
	return error == -ENOENT &&
	       strstr(sdtkit_recorder_error(), "similar ones: ") != NULL;
}

/* The program runs in any case; standard error says what is wrong. */
static void begin_one(const char *variable, const char *nothing,
		      int (*open)(const char *patterns,
				  const struct sdtkit_recorder_options *options,
				  struct sdtkit_recorder **recorder))
{
	const char *patterns = secure_getenv(variable);
	const char *text = secure_getenv("SDTKIT_RECORDER_OPTIONS");
	struct sdtkit_recorder_options options = { 0 };
	struct sdtkit_recorder *recorder = NULL;
	char *copy;
	int ret = 0;

	if (patterns == NULL || patterns[0] == '\0')
		return;
	/* The directory stays in it. */
	copy = strdup(text != NULL ? text : "");
	if (copy != NULL)
		ret = set_options(copy, &options);
	if (ret == 0)
		ret = open(patterns, &options, &recorder);
	if (ret < 0 ? ret != -ENOENT || is_misspelt(ret) :
	    recorder != NULL && sdtkit_recorder_left_out(recorder) > 0)
		fprintf(stderr, "sdtkit-recorder: %s%s\n",
			ret < 0 ? nothing : "",
			sdtkit_recorder_error());
	free(copy);
}

__attribute__((constructor))
static void begin(void)
{
	begin_one("SDTKIT_RECORDER", "nothing is recorded: ",
		  sdtkit_recorder_open);
	begin_one("SDTKIT_RECORDER_COUNT", "nothing is counted: ",
		  sdtkit_recorder_count);
}
