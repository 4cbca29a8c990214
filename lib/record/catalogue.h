/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes probes in the file of a recorder. */
#ifndef SDTKIT_RECORD_CATALOGUE_H
#define SDTKIT_RECORD_CATALOGUE_H

#include "create.h"

struct sdtkit_tap_probe_entry;

/* Adds a text, unless it is there. Returns its slot, or -ENOSPC. */
int sdtkit_record_add_slot(const struct sdtkit_record_output *output,
			   const char *text, size_t size);

/*
 * Adds a probe; any process of the file may. Returns its id, or -ENOSPC (no
 * slot or no space for texts is left) or -ENOMEM.
 */
int sdtkit_record_describe(const struct sdtkit_record_output *output,
			   const struct sdtkit_tap_probe_entry *entry);

#endif /* SDTKIT_RECORD_CATALOGUE_H */
