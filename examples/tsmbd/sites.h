/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites of a file, and where their arguments are. */
#ifndef TSMBD_SITES_H
#define TSMBD_SITES_H

#include <stdbool.h>
#include <stdint.h>

struct sdtkit_notes;
struct sdtkit_site;

struct site {
	int probe;			/* a number that the caller knows */
	uint64_t offset;		/* in the file */
	uint64_t semaphore;		/* likewise, or 0 */
	uint64_t cookie;		/* for argument() in argument.bpf.h */
};

struct sites {
	struct site *site;
	int count;
	/* a site is left out: its arguments do not fit into a cookie */
	bool partial;
};

/* Appends a site. Exits if there is not enough memory. */
void sites_add(struct sites *sites, const struct sdtkit_notes *notes,
	       const struct sdtkit_site *site, int probe);

void sites_free(struct sites *sites);

#endif /* TSMBD_SITES_H */
