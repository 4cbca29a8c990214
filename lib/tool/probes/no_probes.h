/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a file has no probes, or none that match. */
#ifndef SDTKIT_TOOL_NO_PROBES_H
#define SDTKIT_TOOL_NO_PROBES_H

#include <stdbool.h>

struct sdtkit_notes;

/*
 * Says why a file without probes may have none, as far as the file tells, and
 * which of its libraries have some: a text to be freed. Pass true for expected
 * if the file should have some; command is as needed_text() has it.
 */
char *no_probes_reason(struct sdtkit_notes *notes, const char *path,
		       const char *command, bool expected);

/*
 * Says so if a program has no probes that match, but libraries that it loads
 * have some.
 */
void no_probes_complain(struct sdtkit_notes *notes, const char *path,
			const char *command, const char *pattern);

#endif /* SDTKIT_TOOL_NO_PROBES_H */
