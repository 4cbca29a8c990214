/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions of programs that do not describe themselves: --description. */
#ifndef SDTKIT_TOOL_TOP_DESCRIBE_H
#define SDTKIT_TOOL_TOP_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

struct sdtkit_argument;
struct span_texts;

/*
 * Reads a description or a manifest, and adds its spans. Returns false after a
 * complaint.
 */
bool describe_read(const char *path, struct span_texts *texts);

/* Sets what the descriptions say of an argument of a probe, if anything. */
void describe_argument(const char *provider, const char *probe, size_t index,
		       struct sdtkit_argument *argument);

#endif /* SDTKIT_TOOL_TOP_DESCRIBE_H */
