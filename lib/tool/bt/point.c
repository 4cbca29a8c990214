/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes that a clause is for, see point.h:
 *
 *	smb2:request_*			of the files on the command line
 *	usdt:smb2:request_*		the same
 *	usdt:/usr/sbin/smbd:smb2:read	of this file
 *	!smb2:request_end		none of what stands before it
 *	kprobe:vfs_read			bpftrace's own
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bt/point.h"
#include "bt/source.h"
#include "common/tool.h"

enum {
	PARTS_MAX = 8,
};

/* bpftrace's kinds of probes, and its abbreviations. */
static const char *const kinds[] = {
	"usdt", "U", "uprobe", "u", "uretprobe", "ur", "kprobe", "k",
	"kretprobe", "kr", "tracepoint", "t", "rawtracepoint", "rt",
	"profile", "p", "interval", "i", "software", "s", "hardware", "h",
	"watchpoint", "w", "asyncwatchpoint", "aw", "kfunc", "kretfunc", "f",
	"fr", "fentry", "fexit", "iter", "it", "self", "bench", "test",
};

/* Those with the path of a file behind the first colon. */
static const char *const with_path[] = {
	"usdt", "U", "uprobe", "u", "uretprobe", "ur",
};

static bool is_among(const char *text, size_t length,
		     const char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (strlen(words[i]) == length &&
		    memcmp(words[i], text, length) == 0)
			return true;
	}
	return false;
}

#define IS_AMONG(text, length, words) \
	is_among(text, length, words, sizeof(words) / sizeof((words)[0]))

/* A slash within a path does not begin the filter. */
static bool is_in_path(const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);

	return colon != NULL &&
	       IS_AMONG(text, (size_t)(colon - text), with_path) &&
	       memchr(colon + 1, ':', length - (size_t)(colon + 1 - text)) ==
	       NULL;
}

/* Returns 0 after a complaint. */
static size_t point_length(struct source *source, size_t at)
{
	const char *text = source->text + at, *end;
	size_t length = 0;

	while (strchr(" \t\n\v\f\r,{", text[length]) == NULL) {
		if (text[length] == '/' && !is_in_path(text, length))
			break;
		if (text[length] == '"') {
			end = strchr(text + length + 1, '"');
			if (end == NULL) {
				source_complain(source, at + length, 1,
						"the string has no end: '\"' "
						"is missing");
				return 0;
			}
			length = (size_t)(end - text);
		}
		length++;
	}
	return length;
}

struct part {
	const char *text;
	size_t length;
};

/* Splits at colons that are not in a string; returns how many parts. */
static size_t split(const char *text, size_t length,
		    struct part parts[static PARTS_MAX])
{
	const char *end = text + length, *from = text;
	bool quoted = false;
	size_t count = 0;

	for (; text <= end && count < PARTS_MAX; text++) {
		if (text < end && *text == '"')
			quoted = !quoted;
		if (text < end && (*text != ':' || quoted))
			continue;
		parts[count].text = from;
		parts[count++].length = (size_t)(text - from);
		from = text + 1;
	}
	return count;
}

static bool is_path(const struct part *part)
{
	return memchr(part->text, '/', part->length) != NULL ||
	       part->text[0] == '"';
}

static bool has_wildcard(const struct part *part)
{
	return memchr(part->text, '*', part->length) != NULL;
}

/* The path without quotation marks; NULL if it stands for any file. */
static char *take_path(const struct part *part)
{
	size_t quotes = part->length > 1 && part->text[0] == '"';
	char *path;

	if (part->length == 0 || strncmp(part->text, "*", part->length) == 0)
		return NULL;
	path = strndup(part->text + quotes, part->length - 2 * quotes);
	if (path == NULL)
		tool_no_memory();
	return path;
}

static void set_glob(struct point *point, const struct part *provider,
		     const struct part *probe)
{
	snprintf(point->pattern.glob, sizeof(point->pattern.glob), "%.*s:%.*s",
		 (int)provider->length, provider->text, (int)probe->length,
		 probe->text);
}

/* Finds out what it asks for; otherwise it stays bpftrace's own. */
static void classify(struct point *point, const char *text, size_t length)
{
	static const struct part any = { "*", 1 };
	struct part part[PARTS_MAX];
	size_t count = split(text, length, part);

	point->is_own = false;
	if (count == 2 && !IS_AMONG(text, part[0].length, kinds)) {
		set_glob(point, &part[0], &part[1]);
		return;
	}
	if (count >= 3 && IS_AMONG(text, part[0].length, with_path) &&
	    (text[0] == 'U' || text[1] == 's')) {
		if (count == 3 && !is_path(&part[1])) {
			set_glob(point, &part[1], &part[2]);
			return;
		}
		if (count <= 4 &&
		    (part[1].length < 2 || !has_wildcard(&part[1]))) {
			point->path = take_path(&part[1]);
			set_glob(point, count == 4 ? &part[2] : &any,
				 &part[count - 1]);
			return;
		}
	}
	point->is_own = true;
}

/*
 * A word like request_start before a body: bpftrace 0.17 aborts at it. Its own
 * words without a colon are BEGIN and END; what is before '=' or '(' is no
 * probe.
 */
static bool lacks_provider(const char *text, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const char *next = text + length + strspn(text + length, " \t\r\n");

	return strspn(text, letters) == length &&
	       (*next == '{' || (*next == '/' && !strchr("*/", next[1]))) &&
	       !(length == 5 && strncasecmp(text, "begin", length) == 0) &&
	       !(length == 3 && strncasecmp(text, "end", length) == 0);
}

bool point_read(struct source *source, struct point *point, size_t *at)
{
	size_t length = point_length(source, *at);
	const char *text = source->text + *at;
	bool excludes = text[0] == '!';

	*point = (struct point) {
		.start = *at,
		.length = length,
		.is_own = true,
		.pattern.excludes = excludes,
	};
	if (length == 0)
		return false;
	if (length >= sizeof(point->pattern.glob)) {
		source_complain(source, *at, length, "a probe is expected, "
				"and none has so long a name");
		return false;
	}
	if (lacks_provider(text, length)) {
		source_complain(source, *at, length, "'%.*s' has no provider: "
				"write PROVIDER:%.*s; 'sdtkit list' shows "
				"both", (int)length, text, (int)length, text);
		return false;
	}
	classify(point, text + excludes, length - excludes);
	*at += length;
	return true;
}
