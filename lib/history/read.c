/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.c - the rings of seconds and of minutes as one sequence.
 *
 *	minutes  | A         | B         | C         |
 *	seconds              |. . . . . .|. .     . .|. . .
 *	ticks     A           . . . . . . C           . . .
 *
 * The seconds of a minute are used if they cover all of it. What is ordered is
 * the run of tsmbd and the clock that nobody sets; the time of day selects.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history/add.h"
#include "history/directory.h"
#include "history/read.h"
#include "history/stream.h"

enum {
	MAX_SECONDS = 1000,		/* of a minute */
	MAX_KEPT = 8 << 20,		/* bytes of them */
};

/* The bytes of a record that is kept until it is its turn. */
struct kept {
	unsigned char *bytes;
	size_t length;
	struct segment_info info;
	struct history_time time;
};

struct history {
	const char *path;
	int directory;
	unsigned long long from_ns;
	unsigned long long to_ns;
	struct stream rings[HISTORY_RINGS];
	struct kept *seconds;		/* of a minute */
	int num_seconds;
	size_t kept_bytes;		/* of the seconds */
	int capacity;
	int next;			/* of the seconds */
	struct kept minute;		/* theirs; bytes is NULL: none */
	unsigned int bad;		/* records that are not understood */
	struct smbd_report report;
	char host[HISTORY_HOST];
};

static void keep(struct kept *kept, const struct stream *s)
{
	kept->bytes = malloc(s->length);
	if (kept->bytes == NULL)
		err(1, NULL);
	memcpy(kept->bytes, s->bytes, s->length);
	kept->length = s->length;
	kept->info = s->reader.info;
	kept->time = s->time;
}

static void drop(struct kept *kept)
{
	free(kept->bytes);
	kept->bytes = NULL;
}

static void drop_seconds(struct history *h)
{
	int i;

	for (i = 0; i < h->num_seconds; i++)
		drop(&h->seconds[i]);
	h->num_seconds = 0;
	h->kept_bytes = 0;
	h->next = 0;
}

static void keep_second(struct history *h, const struct stream *s)
{
	if (h->num_seconds == h->capacity) {
		h->capacity = h->capacity * 2 + 64;
		h->seconds = reallocarray(h->seconds, (size_t)h->capacity,
					  sizeof(*h->seconds));
		if (h->seconds == NULL)
			err(1, NULL);
	}
	keep(&h->seconds[h->num_seconds++], s);
	h->kept_bytes += s->length;
}

/* Whether the record of a stream comes after a moment of a run. */
static bool is_after(const struct stream *s, unsigned long long run,
		     unsigned long long mono_ns)
{
	if (s->reader.info.run != run)
		return s->reader.info.run > run;
	return s->time.mono_ns > mono_ns;
}

/*
 * A minute has 60 of them, of some kilobytes each. Who can write the files can
 * make more of them, and records of a megabyte out of few bytes.
 */
static bool is_too_much(const struct history *h)
{
	return h->num_seconds > MAX_SECONDS || h->kept_bytes > MAX_KEPT;
}

/* Takes the seconds up to the end of a minute, if they cover it. */
static void take_seconds(struct history *h)
{
	struct stream *seconds = &h->rings[RING_SECONDS];
	unsigned long long sum = 0;
	bool bad = false;

	while (seconds->has && !is_after(seconds, h->minute.info.run,
					 h->minute.time.mono_ns)) {
		sum += seconds->time.elapsed_ns;
		if (is_too_much(h))
			bad = true;
		else
			keep_second(h, seconds);
		stream_step(seconds);
	}
	h->bad += bad;
	if (bad || sum < h->minute.time.elapsed_ns)
		drop_seconds(h);
}

/* Whether the next second is before the next minute, or there is no minute. */
static bool is_alone(const struct stream *seconds, const struct stream *minutes)
{
	if (!seconds->has || !minutes->has)
		return seconds->has;
	return !is_after(seconds, minutes->reader.info.run,
			 minutes->time.begin_ns);
}

/* Takes a minute, or a second that no minute has; false at the end. */
static bool take(struct history *h)
{
	struct stream *minutes = &h->rings[RING_MINUTES];
	struct stream *seconds = &h->rings[RING_SECONDS];

	drop_seconds(h);
	drop(&h->minute);
	if (is_alone(seconds, minutes)) {
		keep_second(h, seconds);
		stream_step(seconds);
		return true;
	}
	if (!minutes->has)
		return false;
	keep(&h->minute, minutes);
	stream_step(minutes);
	take_seconds(h);
	return true;
}

/* The seconds have no names: takes those of their minute. */
static void take_names(struct history *h, struct history_tick *tick)
{
	struct smbd_report *minute = calloc(1, sizeof(*minute));
	struct top none[TSMBD_KINDS];

	if (minute == NULL)
		err(1, NULL);
	if (!decode_report(h->minute.bytes, h->minute.length, minute,
			   &tick->names))
		h->bad++;
	memcpy(none, h->report.tops, sizeof(none));
	memcpy(h->report.tops, minute->tops, sizeof(none));
	memcpy(minute->tops, none, sizeof(none));
	smbd_report_clear(minute);
	free(minute);
}

/* Returns false if the record is of another time. */
static bool decode(struct history *h, const struct kept *kept,
		   struct history_tick *tick)
{
	if (kept->time.wall_ns <= h->from_ns || kept->time.wall_ns > h->to_ns)
		return false;
	smbd_report_clear(&h->report);
	if (!decode_report(kept->bytes, kept->length, &h->report,
			   &tick->names)) {
		h->bad++;
		return false;
	}
	memcpy(h->host, kept->info.host, sizeof(h->host));
	memcpy(h->report.hosts, h->host, sizeof(h->host));
	tick->report = &h->report;
	tick->minute = kept == &h->minute;
	tick->recorded = kept->info.recorded;
	tick->run = kept->info.run;
	tick->host = h->host;
	return true;
}

bool history_next(struct history *h, struct history_tick *tick)
{
	bool found;

	for (;;) {
		if (h->next < h->num_seconds) {
			found = decode(h, &h->seconds[h->next++], tick);
			if (found && h->next == h->num_seconds &&
			    h->minute.bytes != NULL)
				take_names(h, tick);
			if (found)
				return true;
			continue;
		}
		if (h->num_seconds == 0 && h->minute.bytes != NULL) {
			found = decode(h, &h->minute, tick);
			drop(&h->minute);
			if (found)
				return true;
			continue;
		}
		if (!take(h))
			return false;
	}
}

bool history_next_request(struct history *h, unsigned long long before_ns,
			  struct tsmbd_request_event *e)
{
	struct stream *s = &h->rings[RING_SLOW];
	bool found;

	while (s->has) {
		unsigned long long time = s->time.wall_ns;

		if (time > before_ns && time <= h->to_ns)
			return false;
		found = time > h->from_ns && time <= h->to_ns;
		if (found && !decode_request(s->bytes, s->length, e)) {
			h->bad++;
			found = false;
		}
		stream_step(s);
		if (found)
			return true;
	}
	return false;
}

/* A minute before, so that its seconds are complete. */
static unsigned long long early(unsigned long long from_ns)
{
	const unsigned long long ns = 120000000000ULL;

	return from_ns > ns ? from_ns - ns : 0;
}

struct history *history_open_coarse(const char *path,
				    unsigned long long from_ns,
				    unsigned long long seconds_ns,
				    unsigned long long to_ns)
{
	struct history *h = calloc(1, sizeof(*h));
	unsigned int ring;
	int ret = 0;

	if (h == NULL)
		err(1, NULL);
	*h = (struct history){ .path = path, .from_ns = from_ns,
		.to_ns = to_ns };
	h->directory = directory_open(path);
	if (h->directory < 0) {
		free(h);
		return NULL;
	}
	for (ring = 0; ring < HISTORY_RINGS && ret == 0; ring++)
		ret = stream_open(&h->rings[ring], h->directory, ring,
				  early(ring == RING_SECONDS ? seconds_ns :
					from_ns));
	if (ret == 0)
		return h;
	warnx("history: cannot read %s: %s", path, strerror(-ret));
	history_close(h);
	return NULL;
}

struct history *history_open(const char *path, unsigned long long from_ns,
			     unsigned long long to_ns)
{
	return history_open_coarse(path, from_ns, from_ns, to_ns);
}

bool history_damage(const struct history *h)
{
	struct stream_damage all = { 0 };
	unsigned int ring;

	for (ring = 0; ring < HISTORY_RINGS; ring++) {
		all.torn += h->rings[ring].damage.torn;
		all.damaged += h->rings[ring].damage.damaged;
		all.newer += h->rings[ring].damage.newer;
	}
	if (all.torn > 0)
		warnx("history: %s: the last record of %u file(s) is not "
		      "complete and was left out: tsmbd or the machine was "
		      "stopped while it was written", h->path, all.torn);
	if (all.damaged + h->bad > 0)
		warnx("history: %s: %u file(s) or record(s) are damaged and "
		      "were left out", h->path, all.damaged + h->bad);
	if (all.newer > 0)
		warnx("history: %s: %u file(s) have a format that this "
		      "version of tsmbd does not know: use the version that "
		      "wrote them", h->path, all.newer);
	return all.torn + all.damaged + h->bad + all.newer == 0;
}

void history_close(struct history *h)
{
	unsigned int ring;

	drop_seconds(h);
	drop(&h->minute);
	smbd_report_clear(&h->report);
	free(h->seconds);
	for (ring = 0; ring < HISTORY_RINGS; ring++)
		stream_close(&h->rings[ring]);
	close(h->directory);
	free(h);
}
