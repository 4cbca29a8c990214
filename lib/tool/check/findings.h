/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings: collected, folded and printed. */
#ifndef SDTKIT_TOOL_FINDINGS_H
#define SDTKIT_TOOL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/rules.h"

/* What a finding is about. Only path is necessary. */
struct subject {
	const char *path;
	const char *provider;
	const char *probe;
	/*
	 * Whether address is set: the address of the first site with this
	 * fault.
	 */
	bool has_address;
	uint64_t address;
	/* One more than its number; 0: none. */
	size_t argument;
	/* The operand at the first site with this fault, "-4@%edi". */
	const char *operand;
};

struct finding {
	enum rule rule;
	struct subject subject;
	char *text;
	/* Number of sites with this fault. */
	size_t sites;
};

struct findings {
	struct finding *finding;
	size_t count;
	size_t capacity;
	/* --werror; --ignore=CODE. */
	bool warnings_are_errors;
	bool ignored[RULE_COUNT];
};

/*
 * Adds a finding. If there is one with the same text for the same argument of
 * the same probe of the file, counts a site of it instead. The strings of the
 * subject must outlive the findings, except operand.
 */
__attribute__((format(printf, 4, 5)))
void findings_add(struct findings *findings, enum rule rule,
		  const struct subject *subject, const char *format, ...);

size_t findings_count(const struct findings *findings, enum severity severity);
void findings_print(const struct findings *findings);
void findings_print_json(const struct findings *findings);
void findings_free(struct findings *findings);

#endif /* SDTKIT_TOOL_FINDINGS_H */
