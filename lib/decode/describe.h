/* SPDX-License-Identifier: BSD-2-Clause */
/* An index of the descriptions in .note.sdtkit, by provider and probe. */
#ifndef SDTKIT_DECODE_DESCRIBE_PRIV_H
#define SDTKIT_DECODE_DESCRIBE_PRIV_H

#include <stddef.h>

#include "enums.h"
#include "index.h"
#include "layout.h"
#include "note.h"
#include "sdtkit/notes.h"
#include "spans.h"

enum {
	/* Probes have 12 at most, records in a .d are not longer either. */
	SDTKIT_DESCRIBED_MAX = 64,
};

struct sdtkit_descriptions {
	struct sdtkit_index probes;
	/* Comments of arguments; once sorted, one note at most per probe. */
	struct sdtkit_index comments;
	/* The entry that description was made from; NULL if there is none. */
	const struct sdtkit_indexed *found;
	/* The description that was read last. */
	struct sdtkit_description description;
	struct sdtkit_argument arguments[SDTKIT_DESCRIBED_MAX];
	/* Its records. */
	struct sdtkit_layout records[SDTKIT_DESCRIBED_MAX];
	/* All layouts of the file, and the names of values. */
	struct sdtkit_layouts layouts;
	struct sdtkit_enums enums;
	struct sdtkit_spans spans;
};

/* Adds what is in a section, whose data must stay; sort after the last. */
int sdtkit_descriptions_add(struct sdtkit_descriptions *descriptions,
			    struct sdtkit_note_reader *reader);
void sdtkit_descriptions_sort(struct sdtkit_descriptions *descriptions);

/* The first of this name; NULL if there is none. */
const struct sdtkit_description *
sdtkit_descriptions_find(struct sdtkit_descriptions *descriptions,
			 const char *provider, const char *probe);

/* The one with this index, which is below the count of probes. */
const struct sdtkit_description *
sdtkit_descriptions_get(struct sdtkit_descriptions *descriptions,
			size_t index);

/* Forgets all of them, and frees. */
void sdtkit_descriptions_clear(struct sdtkit_descriptions *descriptions);

#endif /* SDTKIT_DECODE_DESCRIBE_PRIV_H */
