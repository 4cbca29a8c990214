/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * write.c - each report goes to the ring of seconds, and their sum to the ring
 * of minutes, which reaches back much further.
 *
 *	seconds  |.|.|.|.|.|.|	no names
 *	minutes  |     .     |	with the busiest names
 *	slow	 requests of --slow and --errors, so that many of them do not
 *		 push out the reports
 *
 * Records are written as they come: the kernel has them even if tsmbd is
 * killed. The sum of a minute is lost then, and made again at the next start.
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history/add.h"
#include "history/directory.h"
#include "history/ring.h"
#include "history/write.h"

static const unsigned long long MINUTE_NS = 60000000000ULL;
static const unsigned long long SECOND_NS = 1000000000ULL;

enum {
	MINUTES = 7 * 24 * 60,		/* that have to fit */
	MAX_ROWS = 20,			/* of names in a minute */
	SUM_ROWS = 256,			/* while it is added up */
	MAX_ERRORS = 64,		/* rows */
	REQUESTS = 200,			/* at once, */
	REQUESTS_PER_SECOND = 5,	/* and in the long run */
};

/* Parts of the space, in sixteenths. */
static const unsigned int shares[HISTORY_RINGS] = {
	[RING_SECONDS] = 5, [RING_MINUTES] = 9, [RING_SLOW] = 2,
};

struct history_writer {
	const char *path;
	int directory;
	int lock;
	struct segment_info info;
	struct ring rings[HISTORY_RINGS];
	struct smbd_report minute;		/* the sum so far */
	struct history_time minute_time;
	unsigned long long budget;	/* bytes of a minute */
	double ratio;			/* of bytes that are compressed */
	double credit;			/* requests that may be written */
	unsigned long long credit_time;
	unsigned long long left_out;	/* requests, since the last second */
	struct pack pack;
	bool failing;
	bool failed;
};

/* Says when it begins and when it ends. */
static void append(struct history_writer *w, unsigned int ring,
		   const struct history_time *time)
{
	int ret;

	w->info.wall_ns = time->wall_ns - time->elapsed_ns;
	w->info.mono_ns = time->mono_ns - time->elapsed_ns;
	ret = ring_append(&w->rings[ring], &w->info, &w->pack);
	if (ret != 0) {
		if (!w->failing)
			warnx("history: cannot write to %s: %s; it goes on "
			      "when that is possible", w->path, strerror(-ret));
		w->failing = true;
		w->failed = true;
		return;
	}
	if (w->failing)
		warnx("history: writes to %s again", w->path);
	w->failing = false;
}

/*
 * The lists of a minute, which share its room: the names of each kind, and the
 * waits. Of two that are equally long, the first one is shortened.
 */
enum { WAITS = TSMBD_KINDS, LISTS };
static const int lists[LISTS] = {
	TSMBD_FILES, WAITS, TSMBD_CLIENTS, TSMBD_USERS, TSMBD_SHARES,
};

static int rows_of(const struct smbd_report *r, int list,
		   const struct code_limits *limits)
{
	if (list != WAITS)
		return limits->names ? r->tops[list].count : 0;
	return r->num_waits < limits->waits ? r->num_waits : limits->waits;
}

static int longest_list(const struct smbd_report *r,
			const struct code_limits *limits)
{
	int longest = lists[0];
	int i;

	for (i = 1; i < LISTS; i++) {
		if (rows_of(r, lists[i], limits) > rows_of(r, longest, limits))
			longest = lists[i];
	}
	return longest;
}

/*
 * Makes one list shorter: the rows that it loses become one. Returns false if
 * none can be shorter.
 */
static bool shorten(struct smbd_report *r, struct code_limits *limits)
{
	int list = longest_list(r, limits);
	int rows = rows_of(r, list, limits);

	if (rows <= 1)
		return false;
	rows -= (rows + 3) / 4;
	if (list == WAITS)
		limits->waits = rows;
	else
		top_shrink(&r->tops[list], rows);
	smbd_report_sort(r, TSMBD_BY_REQUESTS);
	return true;
}

/*
 * Writes fewer names until the record is as small as it has to be. Thousands of
 * files leave room for the few shares and users that there are.
 */
static void code_minute(struct history_writer *w, bool names)
{
	struct code_limits limits = { names, MAX_ROWS, MAX_ERRORS, MAX_ROWS };
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++)
		top_shrink(&w->minute.tops[kind], MAX_ROWS);
	smbd_report_sort(&w->minute, TSMBD_BY_REQUESTS);
	do {
		w->pack.length = 0;
		code_report(&w->pack, &w->minute_time, &w->minute, &limits);
	} while ((double)w->pack.length * w->ratio > (double)w->budget &&
		 shorten(&w->minute, &limits));
}

/* Learns how much smaller the records of minutes become. */
static void learn_ratio(struct history_writer *w, unsigned long long before)
{
	const struct ring *ring = &w->rings[RING_MINUTES];
	unsigned long long size = ring->writer.size;

	if (ring->writer.fd >= 0 && size > before && before > 0)
		w->ratio += ((double)(size - before) /
			     (double)w->pack.length - w->ratio) / 16;
}

/* So that not more than a minute is lost if the power fails. */
static void synchronise(const struct history_writer *w)
{
	unsigned int ring;

	/* the names of files that are new */
	fsync(w->directory);

	for (ring = 0; ring < HISTORY_RINGS; ring++) {
		if (w->rings[ring].writer.fd >= 0)
			fdatasync(w->rings[ring].writer.fd);
	}
}

static void write_minute(struct history_writer *w, bool names)
{
	struct ring *ring = &w->rings[RING_MINUTES];
	unsigned long long before = ring->writer.fd >= 0 ?
		ring->writer.size : 0;

	if (w->minute.elapsed_ns == 0)
		return;
	w->minute_time.elapsed_ns = w->minute.elapsed_ns;
	code_minute(w, names);
	append(w, RING_MINUTES, &w->minute_time);
	learn_ratio(w, before);
	synchronise(w);
	smbd_report_clear(&w->minute);
}

static void add_to_minute(struct history_writer *w,
			  const struct history_time *time,
			  const struct smbd_report *r, bool names)
{
	unsigned long long begin;
	int kind;

	if (time->wall_ns / MINUTE_NS != w->minute_time.wall_ns / MINUTE_NS)
		write_minute(w, names);
	begin = w->minute.elapsed_ns == 0 ? time->begin_ns :
		w->minute_time.begin_ns;
	smbd_report_add(&w->minute, r);
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (w->minute.tops[kind].count > 2 * SUM_ROWS)
			top_shrink(&w->minute.tops[kind], SUM_ROWS);
	}
	w->minute_time = *time;
	w->minute_time.begin_ns = begin;
}

void history_write(struct history_writer *w, const struct history_time *time,
		   const struct smbd_report *r)
{
	static const struct code_limits limits = { false, MAX_ROWS,
		MAX_ERRORS, MAX_ROWS };
	struct smbd_report *copy;

	w->pack.length = 0;
	if (w->left_out > 0) {
		copy = malloc(sizeof(*copy));
		if (copy == NULL)
			err(1, NULL);
		*copy = *r;
		copy->counters.lost[TSMBD_LOST_LINES] += w->left_out;
		w->left_out = 0;
		history_write(w, time, copy);
		free(copy);
		return;
	}
	code_report(&w->pack, time, r, &limits);
	append(w, RING_SECONDS, time);
	add_to_minute(w, time, r, true);
}

void history_write_request(struct history_writer *w,
			   const struct history_time *time,
			   const struct tsmbd_request_event *e,
			   const char *client)
{
	unsigned long long since = time->mono_ns > w->credit_time ?
		time->mono_ns - w->credit_time : 0;

	w->credit += (double)since / (double)SECOND_NS * REQUESTS_PER_SECOND;
	w->credit = w->credit > REQUESTS ? REQUESTS : w->credit;
	w->credit_time += since;
	if (w->credit < 1) {
		w->left_out++;
		return;
	}
	w->credit--;
	w->pack.length = 0;
	code_request(&w->pack, time, e, client);
	append(w, RING_SLOW, time);
}

/* Copies the header of the last file; false if there is none. */
static bool last_info(const struct history_writer *w, unsigned int ring,
		      struct segment_info *info)
{
	const struct ring *r = &w->rings[ring];
	char name[NAME_MAX];
	int i;

	for (i = r->count - 1; i >= 0; i--) {
		segment_name(name, ring, r->entries[i].number);
		if (segment_info(info, w->directory, name) == 0)
			return true;
	}
	return false;
}

/* The moment in a run up to which the minutes are written. */
static unsigned long long last_minute(const struct history_writer *w,
				      unsigned long long run)
{
	unsigned long long last = 0;
	struct stream s;

	if (stream_open(&s, w->directory, RING_MINUTES, ~0ULL) != 0)
		return 0;
	for (; s.has; stream_step(&s)) {
		if (s.reader.info.run == run)
			last = s.time.mono_ns;
	}
	stream_close(&s);
	return last;
}

static void recover_from(struct history_writer *w, struct stream *s,
			 unsigned long long run, unsigned long long after)
{
	struct smbd_report *tick = calloc(1, sizeof(*tick));
	unsigned int names;

	if (tick == NULL)
		err(1, NULL);
	for (; s->has; stream_step(s)) {
		if (s->reader.info.run != run || s->time.mono_ns <= after)
			continue;
		if (decode_report(s->bytes, s->length, tick, &names))
			add_to_minute(w, &s->time, tick, false);
		smbd_report_clear(tick);
	}
	write_minute(w, false);
	ring_end_file(&w->rings[RING_MINUTES]);
	free(tick);
}

/* Adds up the seconds that are in no minute, because tsmbd was killed. */
static void recover(struct history_writer *w)
{
	struct segment_info own = w->info;
	struct segment_info last;
	struct stream s;

	if (!last_info(w, RING_SECONDS, &last))
		return;
	/* its last minute began in this file or in the one before */
	if (stream_open(&s, w->directory, RING_SECONDS,
			last.wall_ns) != 0)
		return;
	w->info = last;
	recover_from(w, &s, last.run, last_minute(w, last.run));
	stream_close(&s);
	w->info = own;
}

static unsigned long long last_run(const struct history_writer *w)
{
	unsigned long long run = 0;
	struct segment_info info;
	unsigned int ring;

	for (ring = 0; ring < HISTORY_RINGS; ring++) {
		if (last_info(w, ring, &info) && info.run > run)
			run = info.run;
	}
	return run;
}

static void open_rings(struct history_writer *w, unsigned long long size)
{
	struct segment_entry *entries;
	unsigned int ring;
	int count;

	count = segments_list(w->directory, &entries);
	for (ring = 0; ring < HISTORY_RINGS; ring++)
		ring_open(&w->rings[ring], w->directory, ring,
			  size / 16 * shares[ring] - 8192, entries,
			  count < 0 ? 0 : count);
	free(entries);
}

struct history_writer *history_create(const char *path,
				      unsigned long long size,
				      const struct history_run *run)
{
	struct history_writer *w = calloc(1, sizeof(*w));

	if (w == NULL)
		err(1, NULL);
	w->path = path;
	w->directory = directory_lock(path, &w->lock);
	if (w->directory < 0) {
		free(w);
		return NULL;
	}
	memcpy(w->info.boot, run->boot, sizeof(w->info.boot));
	memcpy(w->info.host, run->host, sizeof(w->info.host));
	w->info.recorded = run->recorded;
	w->ratio = 0.7;
	w->credit = REQUESTS;
	open_rings(w, size);
	w->budget = w->rings[RING_MINUTES].limit * 13 / 16 / MINUTES;
	w->info.run = last_run(w) + 1;
	recover(w);
	return w;
}

bool history_finish(struct history_writer *w)
{
	bool good;
	int i;

	write_minute(w, true);
	for (i = 0; i < HISTORY_RINGS; i++)
		ring_close(&w->rings[i]);
	good = !w->failed;
	smbd_report_clear(&w->minute);
	free(w->pack.bytes);
	close(w->directory);
	close(w->lock);
	free(w);
	return good;
}
