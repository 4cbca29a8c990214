/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spans: which probes begin and end what, and by which arguments they pair.
 *
 *	--span 'query: query__start..query__done key=tid name=arg0'
 *	.note.sdtkit, "span": provider, name, sentence, property, value...
 *		-> text.c -> struct span_text
 *	struct span_text, and the probes of the files
 *		-> resolve.c -> struct span
 *
 * docs/language.md and docs/format.md have both forms. Functions that fail
 * return false, and spans_error() has a sentence then.
 */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/text/pairs.h"
#include "sdtkit/notes.h"

/* In the order of the table in docs/language.md. */
enum span_property {
	SPAN_START,
	SPAN_END,
	SPAN_SUSPEND,
	SPAN_RESUME,
	SPAN_DURATION,
	SPAN_STARTED,
	SPAN_KEY,
	SPAN_NAME,
	SPAN_ERROR,
	SPAN_OK,
	SPAN_SUM,
	SPAN_PARENT,
	SPAN_PROPERTIES,
};

enum {
	SPAN_KEYS = 3,
	SPAN_NAMES = 2,
	SPAN_SUMS = 4,
	SPAN_OKS = 8,
	SPAN_ARGUMENTS = 12,		/* that a probe may have */
	SPAN_NO_ARGUMENT = -1,
	SPAN_NO_PARENT = -1,
	SPAN_RUNNING = -2,		/* the one that the thread runs */
	SPAN_LABEL = 128,		/* bytes; a longer name is cut */
};

/* A span as it was written. */
struct span_text {
	char *provider;			/* NULL: not said */
	char *name;
	char *doc;			/* a sentence; may be empty */
	char *value[SPAN_PROPERTIES];	/* NULL: not given */
	bool option;			/* it comes from the command line */
	/* What to group by instead of name=; of spans that have it. */
	const char *by;
};

struct span_texts {
	struct span_text *text;
	size_t count;
	size_t capacity;
	struct sdtkit_pairs names;	/* "" for a provider that is not said */
};

/* Adds the span of a --span option. */
bool spans_add_option(struct span_texts *texts, const char *option);

/* Whether the text of a --span option has no mistakes. */
bool spans_check_option(const char *option);

/*
 * Adds the span of a note, unless there is one of this provider and name.
 * Properties that are not known are left out. Fails if there is no memory.
 */
bool spans_add_note(struct span_texts *texts, const struct sdtkit_span *span);

/* The name of a property, as it is written. */
const char *spans_property_name(enum span_property property);

/* A probe of the files. */
struct span_probe {
	const char *provider;
	const char *name;
	size_t num_arguments;
	/* The name may be empty; the wire type is "" if it is not known. */
	const struct sdtkit_argument *arguments;
};

enum span_role { SPAN_STARTS, SPAN_ENDS, SPAN_SUSPENDS, SPAN_RESUMES };

/* A probe of a span; arguments are numbers from 0 on, or SPAN_NO_ARGUMENT. */
struct span_part {
	size_t probe;			/* in the array of probes */
	enum span_role role;
	int key[SPAN_KEYS];
	int name[SPAN_NAMES];
	int error;
	int sum[SPAN_SUMS];
	int parent[SPAN_KEYS];
	int time;
	unsigned int unit;		/* of the time, in nanoseconds */
};

/* What an argument of an end or a suspend tells of the time. */
enum span_time { SPAN_NO_TIME, SPAN_TOOK, SPAN_BEGAN };

/* An argument that is shown: what it is called, and its values. */
struct span_label {
	char name[SPAN_LABEL];
	const struct sdtkit_enum *names;
	bool is_text;			/* the address of a string */
	bool is_host;			/* of an address with a port */
	bool is_address;
	bool is_signed;
};

struct span {
	const struct span_text *text;
	const char *provider;
	bool by_thread;			/* key=tid: a stack for each thread */
	int num_keys;
	int num_names;
	struct span_label name[SPAN_NAMES];
	int num_sums;
	struct span_label sum[SPAN_SUMS];
	bool has_error;
	struct span_label error;
	bool negative;			/* errors are less than 0 */
	int num_ok;
	int64_t ok[SPAN_OKS];
	int parent;			/* in the array, or NO_PARENT, RUNNING */
	bool same_key;			/* as the parent */
	bool suspends;
	enum span_time time;
	bool has_start;			/* one without has a time */
	bool grouped;			/* as text->by says */
	struct span_part *part;
	size_t num_parts;
	size_t max_parts;
};

struct spans {
	struct span *span;
	size_t count;
	size_t capacity;
};

/*
 * Looks the probes and arguments of all texts up. A span of a note is left out
 * if the files have no probe of its start, or none of its end. One that is
 * wrong is left out too, or its parent is, with a call of warn(): any library
 * of the program may have such a note. Both arrays have to last as long as the
 * spans.
 */
bool spans_resolve(struct spans *spans, const struct span_texts *texts,
		   const struct span_probe *probes, size_t count,
		   void (*warn)(const char *sentence));

/*
 * Takes the starts out of all spans whose ends tell everything: how long the
 * span took, its names and its sums. So a request makes one hit, not two.
 */
void spans_leave_out_starts(struct spans *spans);

/*
 * The number of an argument by its name or "arg3", or by one of its members,
 * "arg3.port"; or SPAN_NO_ARGUMENT.
 */
int spans_argument(const struct span_probe *probe, const char *name);

/*
 * Takes the next item of a list, up to a comma outside of parentheses. Moves
 * *list behind it; returns its length, or 0 at the end.
 */
size_t spans_item(const char **list, const char **item);

/* Sets *value to what is called so, or to the number; names may be NULL. */
bool spans_value(const struct sdtkit_enum *names, const char *item,
		 size_t length, int64_t *value);

/* Whether a span is what a word says: "request", "smb2:request", "smb2:*". */
bool spans_fits(const struct span *span, const char *word);

bool spans_text_fits(const struct span_text *text, const char *provider,
		     const char *word);

/* The failure of the last call that returned false. */
const char *spans_error(void);

#endif /* SPANS_H */
