/* SPDX-License-Identifier: BSD-2-Clause */
/* Filters behind the words of the command line: "smb2:request/status!=0/". */
#ifndef SDTKIT_TOOL_TOP_FILTER_H
#define SDTKIT_TOOL_TOP_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "top/catalogue.h"

struct filter;

/*
 * Takes the filters out of the words, which become names. All that is kept
 * lasts until the command ends. Returns false after a complaint.
 */
bool filter_take(char **words, size_t count);

/*
 * The filter behind the last word that names it, or NULL. A word that is used
 * names spans, and no probes.
 */
const struct filter *filter_of_span(const struct span *span);
const struct filter *filter_of_probe(size_t probe, const bool *used);

/* What is behind the span in the word, "/status!=0/"; "" without a filter. */
const char *filter_text(const struct span *span);

/* These return false after a complaint. */

/* Whether some end of the span has each of the arguments. */
bool filter_fits(const struct filter *filter, const struct span *span);

/*
 * Sets what a hit of a site has to satisfy. An end of a span that lacks an
 * argument satisfies nothing; a probe has to have it.
 */
bool filter_set(const struct filter *filter, const struct span *span,
		const struct file_site *from, struct top_filter *to);

#endif /* SDTKIT_TOOL_TOP_FILTER_H */
