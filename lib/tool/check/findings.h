/* SPDX-License-Identifier: BSD-2-Clause */
/* What was found wrong: collected, folded, printed. */
#ifndef SDTKIT_TOOL_FINDINGS_H
#define SDTKIT_TOOL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/rules.h"

/* Where: path is enough, the rest may be NULL or not there. */
struct place {
	const char *path;
	const char *provider;
	const char *probe;
	/* Of a site. */
	bool has_address;
	uint64_t address;
	/* From 1; 0: none. */
	size_t argument;
	/* As the first site with this fault has it, "-4@%edi". */
	const char *operand;
};

struct finding {
	enum rule rule;
	struct place place;
	char *text;
	/* Sites with this fault. */
	size_t sites;
};

struct findings {
	struct finding *finding;
	size_t count;
	size_t room;
	/* --werror; --ignore=CODE. */
	bool warnings_are_errors;
	bool ignored[RULE_COUNT];
};

/*
 * Adds a finding, or a site to the finding that says the same of the same
 * argument of the same probe of the file.  Strings of the place must last, but
 * for the operand.
 */
__attribute__((format(printf, 4, 5)))
void findings_add(struct findings *findings, enum rule rule,
		  const struct place *place, const char *format, ...);

size_t findings_count(const struct findings *findings, enum severity severity);
void findings_print(const struct findings *findings);
void findings_print_json(const struct findings *findings);
void findings_free(struct findings *findings);

#endif /* SDTKIT_TOOL_FINDINGS_H */
