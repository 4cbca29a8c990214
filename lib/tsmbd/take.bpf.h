/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * take.bpf.h - takes the notes of a process. Each is processed as a hit at the
 * noted time, with the same arguments.
 *
 * A note is late if something has been accounted since. That is so if nobody
 * knew where the notes were: a second tracer comes to a busy server, whose probe
 * fires for each sixteenth note only. By then the memory to which a late note
 * points may be used for something else.
 */
#ifndef TAKE_BPF_H
#define TAKE_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "argument.bpf.h"
#include "names.bpf.h"
#include "notes.bpf.h"
#include "request.bpf.h"
#include "state.bpf.h"
#include "tsmbd.h"

/* The words of a note, of which the first twelve are arguments. */
enum { NOTE_SHARE = 6, NOTE_FILE, NOTE_USER, NOTE_HEADER, NOTE_WHAT = 12,
	NOTE_TIME, NOTES = 16 };
enum { NOTE_ENDED = 1, NOTE_WAITS = 2 };

_Static_assert(TSMBD_NOTE_WORDS == HIT_WORDS, "a note is read as a hit");

/* The cookie of a site that has each argument in the word of its number. */
static const __u64 IN_ORDER =
	0 | 1 << 5 | 2 << 10 | 3 << 15 | 4 << 20 | 5 << 25 | 6ULL << 30 |
	7ULL << 35 | 8ULL << 40 | 9ULL << 45 | 10ULL << 50 | 11ULL << 55;

_Static_assert(TSMBD_WORD_BITS == 5, "IN_ORDER");

/* Forgets names and packet. */
static __always_inline void note_is_late(struct tsmbd_process *p)
{
	p->note[NOTE_HEADER] = 0;
	if (p->note[NOTE_WHAT] != NOTE_ENDED)
		return;
	p->note[NOTE_SHARE] = 0;
	p->note[NOTE_FILE] = 0;
	p->note[NOTE_USER] = 0;
}

/* Returns whether it could be read. */
GLOBAL int note_take(struct tsmbd_process *p, __u64 at)
{
	struct hit hit = { .ctx = NULL, .cookie = IN_ORDER };
	__u64 what, elapsed, now;

	/*
	 * Without cookies nobody asks for notes: the verifier has to see that
	 * no argument is read from ctx then.
	 */
	if (!by_cookies || !p ||
	    bpf_probe_read_user(p->note, sizeof(p->note), (void *)at))
		return 0;
	hit.words = p->note;
	what = p->note[NOTE_WHAT];
	if (p->note[NOTE_TIME] < p->begin)	/* before the tracing */
		return 1;
	elapsed = p->note[what == NOTE_WAITS ? 5 : 3];
	if (p->phase == TSMBD_PHASES)
		p->phase = elapsed ? TSMBD_WAIT : TSMBD_RUN;
	p->at = p->note[NOTE_TIME];
	now = bpf_ktime_get_ns();
	if (p->at > now)	/* another clock, or damaged memory */
		p->at = now;
	if (is_late(p))
		note_is_late(p);
	if (what == NOTE_WAITS)
		request_waits(&hit, p);
	else if (what == NOTE_ENDED)
		request_ended(&hit, p);
	p->at = 0;
	return 1;
}

GLOBAL int notes_read(struct tsmbd_process *p, __u64 at, __u64 count)
{
	int i;

	if (!p)
		return 0;
	if (modes & TSMBD_CALLS)
		calls_take(p, entered_find());
	at += sizeof(struct notes);
	if (count - p->noted > NOTES) {
		/* at first, they are from before the tracing */
		if (p->noted)
			lose_many(TSMBD_LOST_REQUESTS,
				  count - NOTES - p->noted);
		p->noted = count - NOTES;
	}
	for (i = 0; i < NOTES && p->noted != count; i++) {
		if (!note_take(p, at + p->noted % NOTES * sizeof(p->note)))
			lose(TSMBD_LOST_REQUESTS);
		p->noted++;
	}
	return 0;
}

static __always_inline void notes_take(struct tsmbd_process *p)
{
	struct { __u64 layout, count; } now;
	__u64 at = notes_of(p);

	if (!notes_wanted || !at ||
	    bpf_probe_read_user(&now, sizeof(now), (void *)at +
				offsetof(struct notes, layout)) ||
	    now.layout != NOTES_LAYOUT || now.count == p->noted)
		return;
	notes_read(p, at, now.count);
}

/*
 * The same as process_turns(), but it takes the new notes first. The programs of
 * request_suspend and request_done need not: a process fires these or makes
 * notes.
 */
static __always_inline struct tsmbd_process *process_noted(__u32 guess)
{
	struct tsmbd_process *p = process_turns(TSMBD_PHASES);

	if (!p)
		return NULL;
	notes_take(p);
	if (p->phase == TSMBD_PHASES)
		p->phase = guess;
	return p;
}

#endif /* TAKE_BPF_H */
