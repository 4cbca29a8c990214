/* SPDX-License-Identifier: BSD-2-Clause */
/* The sites of a file, and where their arguments are. */
#ifndef TSMBD_SITES_H
#define TSMBD_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "cookie.h"
#include "multi.h"

struct sdtkit_notes;
struct sdtkit_site;

struct site {
	int probe;			/* a number that the caller knows */
	struct uprobe_site at;		/* cookie: see argument.bpf.h */
};

struct sites {
	struct site *site;
	int count;
	/* a site is left out: its arguments do not fit into a cookie */
	bool partial;
};

/* Appends a site. Exits if there is not enough memory. */
void sites_add(struct sites *sites, const struct sdtkit_notes *notes,
	       const struct sdtkit_site *site, int probe, enum tsmbd_hit hit);

/*
 * Attaches a program to those of the sites whose probe is in wanted. Returns
 * what multi_attach() does.
 */
int sites_attach(const struct sites *sites, const bool *wanted,
		 const struct bpf_program *program, const char *path);

void sites_free(struct sites *sites);

#endif /* TSMBD_SITES_H */
