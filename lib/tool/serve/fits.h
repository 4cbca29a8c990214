/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a description is one of the probes that a file has. */
#ifndef SDTKIT_TOOL_SERVE_FITS_H
#define SDTKIT_TOOL_SERVE_FITS_H

#include <stdbool.h>

struct interface;
struct sites;

enum { FITS_TEXT = 512 };

/*
 * A description fits if the file has all probes of at least one of its spans,
 * and no span of which it has only some; and if these probes have as many
 * arguments as the description says, of types that can be those. Probes without
 * a span do not matter. Otherwise why is what differs, as in "query__start has
 * 2 arguments, not 1"; it is empty if the file has none of these probes.
 *
 * The sites are those of the file, with operands, sorted by name.
 */
bool fits_file(const struct interface *description, const struct sites *sites,
	       char why[FITS_TEXT]);

#endif /* SDTKIT_TOOL_SERVE_FITS_H */
