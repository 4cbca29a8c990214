/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of "sdtkit check". To add one: a line here, a row in rules.c, a
 * function that finds it (check.h lists the files), a row in docs/check.md, and
 * tests/tool/check/CODE-slug.txt, without which the tests fail. A code is never
 * used again for another rule.
 */
#ifndef SDTKIT_TOOL_RULES_H
#define SDTKIT_TOOL_RULES_H

enum rule {
	/* The file. */
	RULE_DAMAGED,
	RULE_NO_PROBES,
	RULE_BASE_MISSING,
	RULE_SHORT_BUILD_ID,
	RULE_NO_BUILD_ID,
	RULE_UNREAD_MACHINE,
	/* The declaration. */
	RULE_MISSING_PROBE,
	RULE_UNDECLARED_PROBE,
	RULE_MISSING_ALIAS,
	RULE_ARGUMENT_COUNT,
	RULE_ARGUMENT_SIZE,
	RULE_ARGUMENT_SIGN,
	RULE_ARGUMENT_KIND,
	/* Semaphores. */
	RULE_SEMAPHORE_MISSING,
	RULE_SEMAPHORE_SPLIT,
	RULE_SEMAPHORE_PLACE,
	RULE_SEMAPHORE_SECTION,
	RULE_SEMAPHORE_PAGE,
	RULE_SEMAPHORE_SHARED,
	RULE_SEMAPHORE_APART,
	/* Sites. */
	RULE_SITE_PLACE,
	RULE_SITE_SHARED,
	RULE_SITE_OFFSET,
	RULE_MIXED_SITES,
	RULE_TOO_MANY_ARGUMENTS,
	RULE_ARGUMENT_LIMIT,
	RULE_OPERAND_UNREADABLE,
	RULE_OPERAND_MISREAD,
	RULE_OPERAND_UNTRIED,
	/* Names. */
	RULE_BAD_NAME,
	RULE_LONG_NAME,
	RULE_PERF_NAME,
	RULE_PROVIDER_DIGIT,
	/* Descriptions in the file. */
	RULE_DESCRIPTION_MISSING,
	RULE_DESCRIPTION_ORPHAN,
	RULE_DESCRIPTION_COUNT,
	RULE_DESCRIPTION_TYPE,
	RULE_DESCRIPTION_DIFFERS,
	RULE_COUNT,
};

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

struct rule_info {
	const char *code;
	enum severity severity;
	/* What is wrong, in the list of sdtkit check --rules. */
	const char *meaning;
	/* What the user can do. */
	const char *hint;
};

extern const struct rule_info rules[RULE_COUNT];

/* Finds the rule with this code, or returns -1. */
int rule_find(const char *code);

#endif /* SDTKIT_TOOL_RULES_H */
