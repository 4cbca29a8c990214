/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of a recorder that another one fills than the program: hits that a
 * program in the kernel has seen. It has a ring for each source of hits, such as
 * a processor; who reads it sees no difference.
 *
 *	site of a file --> sdtkit_record_feed_site() --> what a hit has to read
 *	entry, its thread --> sdtkit_record_feed_entry() --> ring
 *
 * Conventions: as those of read.h. Nothing is freed before the process ends.
 */
#ifndef SDTKIT_RECORD_FEED_H
#define SDTKIT_RECORD_FEED_H

#include "filter.h"
#include "write.h"

struct sdtkit_record_feed;
struct sdtkit_site;

struct sdtkit_record_feed_settings {
	/* What the file says it is of; the process may be 0. */
	const char *program;
	pid_t pid;
	/* Patterns, with filters. */
	const char *patterns;
	uint32_t string_limit;
	enum sdtkit_record_content content;
	uint32_t ring_count;
	/* The most bytes of an entry. */
	uint32_t most;
};

/*
 * Errors: those of sdtkit_record_create() and of sdtkit_record_read_filters();
 * -EINVAL: a filter takes samples, which is the program's part.
 */
int sdtkit_record_feed_open(const struct sdtkit_record_feed_settings *settings,
			    struct sdtkit_record_feed **feed);

/* The file, for sdtkit_record_open() with FOLLOW. */
int sdtkit_record_feed_fd(const struct sdtkit_record_feed *feed);

/* Whether the patterns select the probe. */
bool sdtkit_record_feed_wants(const struct sdtkit_record_feed *feed,
			      const char *provider, const char *probe);

/*
 * Describes the probe of a site in the object, and says what its hits have to
 * read. Tests of texts are left to sdtkit_record_feed_passes(). Errors: those of
 * sdtkit_record_program(), -ENOSPC, -ENOMEM.
 */
int sdtkit_record_feed_site(struct sdtkit_record_feed *feed,
			    const struct sdtkit_site *site, const char *object,
			    const struct sdtkit_record_site **program);

/* A hit: its thread, and how many hits its source has lost before. */
struct sdtkit_record_feed_hit {
	uint32_t source;
	uint32_t pid;
	uint32_t tid;
	uint32_t unused;
	uint64_t lost;
};

/*
 * Copies an entry to the ring of its source, if all rings have room: returns
 * whether they still have. In each ring, entries should be in the order of their
 * times.
 */
bool sdtkit_record_feed_entry(struct sdtkit_record_feed *feed,
			      const struct sdtkit_record_feed_hit *hit,
			      const struct sdtkit_record_entry *entry);
bool sdtkit_record_feed_has_room(const struct sdtkit_record_feed *feed);
/* How many hits a source has lost in all, when it has no more. */
void sdtkit_record_feed_lost(struct sdtkit_record_feed *feed, uint32_t source,
			     uint64_t lost);

/*
 * Whether the filter of the site's probe, if it has one, fits: 0, or -EINVAL with
 * a text in sdtkit_record_error(). Errors: -ENOMEM.
 */
int sdtkit_record_filter_fits(const struct sdtkit_record_filters *filters,
			      const struct sdtkit_site *site);

/* Whether the texts of a hit are those that its filter wants. */
bool sdtkit_record_feed_passes(const struct sdtkit_record_feed *feed,
			       const struct sdtkit_tap_event *event);

#endif /* SDTKIT_RECORD_FEED_H */
