/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: rules for the spans of a file. */
#ifndef SDTKIT_TOOL_CHECK_SPANS_H
#define SDTKIT_TOOL_CHECK_SPANS_H

struct check;
struct object;

/* Compares the spans that the file describes with their declarations. */
void check_spans(struct check *check, const struct object *object);

#endif /* SDTKIT_TOOL_CHECK_SPANS_H */
