/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request_notes.h - what a server notes in its memory while smb2:request_notes
 * is traced.
 *
 * A tracer that has a program at the system calls of the server reads the notes
 * when a reply is sent, or when the server waits for events. So most requests
 * take no hit at all. There is one, of smb2:request_notes, when a note has to be
 * read at once:
 *
 *	it is the first one		a tracer learns where the notes are
 *	the last was long ago		a tracer that came meanwhile learns it
 *	it is the sixteenth		the ring is full: no reply was sent, or
 *					nobody knew where the notes are
 *	the caller says so
 *
 * The parent of those that serve clients must not make notes: they would inherit
 * its count, and their first note would not fire the probe.
 *
 * smb2.d describes the memory.
 */
#ifndef LIB_STATIC_PROBES_REQUEST_NOTES_H
#define LIB_STATIC_PROBES_REQUEST_NOTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PROBES_ARGUMENTS = 12, PROBES_NOTES = 16 };
enum { PROBES_ENDED = 1, PROBES_WAITS = 2 };

/* "SMBNOTE1": a tracer may look into memory that holds something else. */
#define PROBES_LAYOUT	0x3145544f4e424d53

/* Nanoseconds. */
#define PROBES_IDLE	100000000

struct probes_note {
	uint64_t argument[PROBES_ARGUMENTS];
	uint64_t what;
	uint64_t time;			/* CLOCK_MONOTONIC */
	uint64_t unused[2];
};

struct probes_running {
	const uint8_t *header;		/* of the request that runs, or NULL */
	uint64_t since;
	uint64_t layout;
	uint64_t count;			/* of notes since the process began */
	struct probes_note note[PROBES_NOTES];	/* the last ones */
};

/* Returns whether the notes have to be read at once. */
static inline bool probes_note(struct probes_running *all, uint64_t what,
			       uint64_t time,
			       const uint64_t argument[PROBES_ARGUMENTS])
{
	uint64_t last = all->note[(all->count - 1) % PROBES_NOTES].time;
	struct probes_note *note = &all->note[all->count % PROBES_NOTES];

	memcpy(note->argument, argument, sizeof(note->argument));
	note->what = what;
	note->time = time;
	all->layout = PROBES_LAYOUT;
	/* whoever reads it does so in this thread: only the compiler matters */
	__asm__ volatile ("" : : : "memory");
	all->count++;
	return all->count % PROBES_NOTES == 0 || time - last >= PROBES_IDLE;
}

#endif /* LIB_STATIC_PROBES_REQUEST_NOTES_H */
