/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See feed.h. Descriptions, programs and entries are those of a recorder; only
 * the thread that a ring belongs to changes with each hit:
 *
 *	ring 2	OWNER 4711 4711 | hit | hit | OWNER 4711 4712 | hit
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "create.h"
#include "feed.h"
#include "pattern.h"
#include "place.h"
#include "probe_entry.h"
#include "program.h"
#include "read_parts.h"
#include "state.h"

enum {
	RING_SIZE = 4 << 20,
	/* Of the ring that has to be free for the next entry. */
	ROOM = RING_SIZE / SDTKIT_RECORD_BLOCKS,
};

struct sdtkit_record_feed {
	struct sdtkit_record_output output;
	struct sdtkit_record_filters filters;
	struct sdtkit_record_writer writer;
	_Atomic uint64_t generation;
	uint32_t most;
	/* It has the entries of all probes. */
	struct sdtkit_tap tap;
	struct sdtkit_tap_loaded *loaded;
	uint32_t lane_count;
	struct feed_lane {
		struct sdtkit_record_lane of;
		/* Hits that were lost here, not by the source. */
		uint64_t unwritten;
	} lanes[];
};

static void begin_lane(struct sdtkit_record_feed *feed, uint32_t i)
{
	struct sdtkit_record_ring *ring = &feed->output.rings[i];

	feed->lanes[i].of = (struct sdtkit_record_lane) {
		.generation = ~feed->generation,
		.ring = ring,
		.data = feed->output.data + (size_t)i * feed->output.ring_size,
		.unready = feed->output.ring_size,
	};
	atomic_store(&ring->state, SDTKIT_RECORD_USED);
}

static void begin(struct sdtkit_record_feed *feed,
		  const struct sdtkit_record_feed_settings *settings)
{
	struct sdtkit_record_file *file = feed->output.file;
	uint32_t i;

	/* The clock of the kernel's programs. */
	file->clock = SDTKIT_RECORD_MONOTONIC;
	file->pid = (uint32_t)settings->pid;
	snprintf(file->program, sizeof(file->program), "%s", settings->program);
	feed->most = settings->most;
	feed->generation = 1;
	feed->writer = (struct sdtkit_record_writer) {
		.generation = &feed->generation,
		.clock_due = UINT64_MAX,
		.clock = SDTKIT_RECORD_MONOTONIC,
		.ring_size = feed->output.ring_size,
		.block = feed->output.ring_size / SDTKIT_RECORD_BLOCKS,
		.mode = SDTKIT_RECORD_DISCARD,
		.read_clock = sdtkit_record_monotonic,
		.file = file,
		.rings = feed->output.rings,
		.data = feed->output.data,
		.ring_count = feed->output.ring_count,
	};
	feed->lane_count = settings->ring_count;
	for (i = 0; i < feed->lane_count; i++)
		begin_lane(feed, i);
	atomic_store(&file->rings_used, feed->lane_count);
}

static int check_samples(const struct sdtkit_record_filters *filters)
{
	size_t i;

	for (i = 0; i < filters->count; i++) {
		if (filters->filters[i].every != 0)
			return sdtkit_record_fail(EINVAL, "\"%s\": a sample as "
				"%u%%%u can only be taken by a recorder",
				filters->filters[i].pattern,
				filters->filters[i].take,
				filters->filters[i].every);
	}
	return 0;
}

int sdtkit_record_feed_open(const struct sdtkit_record_feed_settings *settings,
			    struct sdtkit_record_feed **feed)
{
	const struct sdtkit_record_settings file = {
		.size = (uint64_t)settings->ring_count *
			(RING_SIZE + sizeof(struct sdtkit_record_ring)),
		.ring_size = RING_SIZE,
		.mode = SDTKIT_RECORD_DISCARD,
		.string_limit = settings->string_limit,
		.content = settings->content,
		.patterns = settings->patterns,
	};
	struct sdtkit_record_feed *f = calloc(1, sizeof(*f) +
		settings->ring_count * sizeof(f->lanes[0]));
	int ret;

	if (f == NULL)
		return sdtkit_record_no_memory();
	ret = sdtkit_record_read_filters(settings->patterns, "probe",
					 &f->filters);
	if (ret == 0)
		ret = check_samples(&f->filters);
	if (ret == 0)
		ret = sdtkit_record_create(&file, &f->output);
	if (ret < 0) {
		sdtkit_record_free_filters(&f->filters);
		free(f);
		return ret;
	}
	begin(f, settings);
	*feed = f;
	return 0;
}

int sdtkit_record_feed_fd(const struct sdtkit_record_feed *feed)
{
	return feed->output.descriptor.fd;
}

bool sdtkit_record_feed_wants(const struct sdtkit_record_feed *feed,
			      const char *provider, const char *probe)
{
	return sdtkit_pattern_matches(feed->filters.patterns, provider, probe);
}

/* The object, which sites of one file name one after the other. */
static struct sdtkit_tap_loaded *load(struct sdtkit_record_feed *feed,
				      const char *path)
{
	size_t size = strlen(path) + 1;
	struct sdtkit_tap_loaded *loaded = feed->loaded;

	if (loaded != NULL && strcmp(loaded->path, path) == 0)
		return loaded;
	loaded = calloc(1, sizeof(*loaded) + size);
	if (loaded != NULL)
		memcpy(loaded->path, path, size);
	feed->loaded = loaded;
	return loaded;
}

/*
 * Returns what a tap would have at the site, to be freed, or NULL without memory.
 * *ret is the error of describing the probe, or 0.
 */
static struct sdtkit_tap_hook *new_hook(struct sdtkit_tap *tap,
					struct sdtkit_tap_loaded *loaded,
					const struct sdtkit_site *site,
					int *ret)
{
	const struct sdtkit_site_note note = {
		.provider = site->provider, .probe = site->probe,
		.arguments = site->arguments,
	};
	struct sdtkit_tap_hook *hook = calloc(1, sizeof(*hook));

	if (hook == NULL || loaded == NULL) {
		free(hook);
		*ret = sdtkit_record_no_memory();
		return NULL;
	}
	hook->operand_count = site->operand_count;
	if (hook->operand_count > SDTKIT_TAP_ARGUMENTS_MAX)
		hook->operand_count = SDTKIT_TAP_ARGUMENTS_MAX;
	memcpy(hook->operands, site->operands,
	       hook->operand_count * sizeof(hook->operands[0]));
	*ret = sdtkit_tap_probe_entry_get(tap, loaded, &note,
					  site->description, hook->operands,
					  hook->operand_count, &hook->entry);
	return hook;
}

int sdtkit_record_feed_site(struct sdtkit_record_feed *feed,
			    const struct sdtkit_site *site, const char *object,
			    const struct sdtkit_record_site **program)
{
	struct sdtkit_record_site *made = NULL;
	struct sdtkit_tap_hook *hook;
	int ret;

	hook = new_hook(&feed->tap, load(feed, object), site, &ret);
	if (hook == NULL)
		return ret;
	if (ret == 0)
		ret = sdtkit_record_program(hook, &feed->writer,
			feed->output.file->string_limit,
			sdtkit_record_find_filter(&feed->filters,
				site->provider, site->probe), &made);
	if (ret == 0 && made->most > feed->most)
		ret = sdtkit_record_fail(E2BIG, "%s:%s may take %u bytes, "
			"more than %u: make the strings shorter",
			site->provider, site->probe, made->most, feed->most);
	/* the file has no probe that is left out */
	if (ret == 0)
		ret = sdtkit_record_describe(&feed->output, hook->entry);
	free(hook);
	if (ret < 0) {
		sdtkit_record_free_program(made);
		return ret;
	}
	made->id = (uint16_t)ret;
	*program = made;
	return 0;
}

int sdtkit_record_filter_fits(const struct sdtkit_record_filters *filters,
			      const struct sdtkit_site *site)
{
	static struct sdtkit_tap tap;
	static struct sdtkit_tap_loaded loaded;
	const struct sdtkit_record_filter *filter =
		sdtkit_record_find_filter(filters, site->provider,
					  site->probe);
	struct sdtkit_record_test tests[SDTKIT_RECORD_CONDITIONS] = { 0 };
	struct sdtkit_tap_hook *hook;
	int ret;

	if (filter == NULL)
		return 0;
	hook = new_hook(&tap, &loaded, site, &ret);
	if (ret == 0)
		ret = sdtkit_record_make_tests(hook, filter, tests);
	free(hook);
	return ret;
}

/* The numbers of processors may have gaps: two then share a ring. */
static struct feed_lane *lane_of(struct sdtkit_record_feed *feed,
				 uint32_t source)
{
	return &feed->lanes[source % feed->lane_count];
}

static void set_owner(struct sdtkit_record_lane *lane, uint32_t pid,
		      uint32_t tid)
{
	struct sdtkit_record_ring *ring = lane->ring;

	if (atomic_load(&ring->tid) == tid && atomic_load(&ring->pid) == pid)
		return;
	atomic_store(&ring->pid, pid);
	atomic_store(&ring->tid, tid);
	lane->is_untold = true;
}

void sdtkit_record_feed_lost(struct sdtkit_record_feed *feed, uint32_t source,
			     uint64_t lost)
{
	struct feed_lane *lane = lane_of(feed, source);

	atomic_store(&lane->of.ring->lost, lost + lane->unwritten);
}

/* Whether the ring has room for the next entry. */
static bool has_room(const struct sdtkit_record_feed *feed,
		     const struct sdtkit_record_lane *lane)
{
	uint64_t used = lane->head - atomic_load(&lane->ring->tail);

	return used + 2 * (feed->most + ROOM) <= feed->writer.ring_size;
}

bool sdtkit_record_feed_entry(struct sdtkit_record_feed *feed,
			      const struct sdtkit_record_feed_hit *hit,
			      const struct sdtkit_record_entry *entry)
{
	struct feed_lane *lane = lane_of(feed, hit->source);
	struct sdtkit_record_lane *to = &lane->of;
	uint32_t size = entry->words * 8;

	set_owner(to, hit->pid, hit->tid);
	sdtkit_record_feed_lost(feed, hit->source, hit->lost);
	if ((to->is_untold || to->head + size > to->end ||
	     to->ring->lost != to->ring->told) &&
	    !sdtkit_record_advance(&feed->writer, to, size, entry->time)) {
		lane->unwritten++;
		return has_room(feed, to);
	}
	memcpy(to->data + (to->head & (feed->writer.ring_size - 1)), entry,
	       size);
	to->events++;
	atomic_store(&to->ring->last, entry->time);
	atomic_store(&to->ring->events, to->events);
	sdtkit_record_publish(&feed->writer, to, entry->words);
	return has_room(feed, to);
}

bool sdtkit_record_feed_has_room(const struct sdtkit_record_feed *feed)
{
	uint32_t i;

	for (i = 0; i < feed->lane_count; i++) {
		if (!has_room(feed, &feed->lanes[i].of))
			return false;
	}
	return true;
}

static bool is_like(const struct sdtkit_tap_event *event,
		    const struct sdtkit_record_condition *condition)
{
	long i = sdtkit_record_find_argument(event->probe, condition->name);
	const char *text = i < 0 ? NULL : event->values[i].text;

	return (text != NULL && sdtkit_record_is_like(text, condition->text)) ==
	       (condition->compare == SDTKIT_RECORD_LIKE);
}

bool sdtkit_record_feed_passes(const struct sdtkit_record_feed *feed,
			       const struct sdtkit_tap_event *event)
{
	const struct sdtkit_record_filter *filter =
		sdtkit_record_find_filter(&feed->filters,
					  event->probe->provider,
					  event->probe->probe);
	size_t i;

	for (i = 0; filter != NULL && i < filter->count; i++) {
		if (filter->conditions[i].is_text &&
		    !is_like(event, &filter->conditions[i]))
			return false;
	}
	return true;
}
