/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns with filters: which hits of the probes are kept.
 *
 *	patterns  = pattern { "," pattern }
 *	pattern   = ["!"] glob ["/" part { ("&&" | " ") part } "/"]
 *	part      = name compare value | number "%" number
 *	compare   = "==" | "!=" | "<" | "<=" | ">" | ">="
 *	value     = number [unit] | name | '"' text '"'
 *
 *	smb2:request_start/opcode==5 1%100/,vfs:*
 *
 * If several patterns match a probe, the filter of the last one counts; the same
 * pattern cannot have two filters. 1%100 takes of every 100 hits of a thread that
 * pass the conditions the first. A text may have * and ?. A unit is k, M or G (of
 * 1024), or a time if the name of the argument is one: elapsed_us>=5ms. A name is
 * one of the argument's values: opcode!=CREATE. The name of an argument may be
 * that of a member of the record that it is the address of: client.port>1023.
 */
#ifndef SDTKIT_RECORD_FILTER_H
#define SDTKIT_RECORD_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "write.h"

enum {
	SDTKIT_RECORD_CONDITIONS = 8,
	SDTKIT_RECORD_FILTERS = 64,
};

struct sdtkit_record_condition {
	char name[64];
	enum sdtkit_record_compare compare;
	bool is_text;
	/* The text is the name of the number. */
	bool is_named;
	uint64_t number;
	char text[SDTKIT_RECORD_TEXT];
};

struct sdtkit_record_filter {
	/* The pattern that it belongs to, with its "!". */
	char pattern[256];
	size_t count;
	struct sdtkit_record_condition conditions[SDTKIT_RECORD_CONDITIONS];
	uint32_t take;
	uint32_t every;
	bool has_sampler;
	uint32_t sampler;
	/* Set by who uses it: it fits a probe; why it does not fit another. */
	bool fits;
	char *misfit;
};

struct sdtkit_record_filters {
	size_t count;
	struct sdtkit_record_filter *filters;
	/* All patterns without filters, as a tap wants them. */
	char *patterns;
};

/*
 * Reads the list; what the patterns are of: "probe". Errors, with a text in
 * sdtkit_record_error(): -EINVAL, -ENOMEM.
 */
int sdtkit_record_read_filters(const char *list, const char *what,
			       struct sdtkit_record_filters *filters);
void sdtkit_record_free_filters(struct sdtkit_record_filters *filters);

/* The same for one filter: *from goes from behind one slash to behind the other. */
int sdtkit_record_read_filter(const char **from,
			      struct sdtkit_record_filter *filter);

/* The filter of a probe; NULL: all hits are kept. */
const struct sdtkit_record_filter *
sdtkit_record_find_filter(const struct sdtkit_record_filters *filters,
			  const char *provider, const char *probe);

#endif /* SDTKIT_RECORD_FILTER_H */
