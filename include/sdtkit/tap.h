/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which probes of this very process fire, and with which arguments.
 *
 * For a program's own tests: no root, no kernel support, no tracer.
 *
 *	struct sdtkit_tap *tap;
 *
 *	if (sdtkit_tap_open("smb2:request_*", &tap) < 0)
 *		errx(1, "%s", sdtkit_tap_error());
 *	dispatch(&request);
 *	if (sdtkit_tap_expect(tap, "smb2:request_start",
 *			      sdtkit_tap_uint("mid", 7),
 *			      sdtkit_tap_str("name", "a.txt")) < 0)
 *		errx(1, "%s", sdtkit_tap_error());
 *	sdtkit_tap_close(tap);
 *
 * It does what tracers do, from inside: it reads the notes of the program and
 * of the libraries that are loaded, raises the semaphores, puts a trap
 * instruction at each site, and at a hit finds the arguments where the note
 * says that they are. So what it reads is what a tracer will read.
 *
 * Several taps may be open, on the same probes too; each has its own events.
 * Threads may run the sites while taps are opened and closed. After the last
 * close the text is what it was. docs/tap.md has the limits.
 *
 * Link with: pkg-config --libs --static sdtkit-tap
 *
 * Conventions: functions that can fail return 0 (or a count, where it says so)
 * or -errno, and leave a text in sdtkit_tap_error().  An out-parameter is set
 * on success only.  None may be called from a signal handler or a callback,
 * but for sdtkit_tap_format().
 */
#ifndef SDTKIT_TAP_H
#define SDTKIT_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	/* Arguments of a probe: what sdtkit and <sys/sdt.h> can emit. */
	SDTKIT_TAP_ARGUMENTS_MAX = 12,
	/* Members of all records of an event; those behind are left out. */
	SDTKIT_TAP_MEMBERS_MAX = 128,
};

/* --------------------------------------------------------------- probes */

/* An argument, as its probe was declared, or a member of a record. */
struct sdtkit_tap_field {
	/*
	 * "u2" "s4" "f8" "p" "z" ...: docs/format.md has all.  Without a
	 * description (<sys/sdt.h>), that of the operand in the note, of which
	 * nobody knows whether it is an address.
	 */
	const char *wire;
	/* In C, "uint16_t"; "" where the file does not say. */
	const char *type;
	/* "" where the file does not say; a member of a member: "peer.port". */
	const char *name;
	/* Where the value is, as the note has it: "8@%rdi"; "" of a member. */
	const char *operand;
	/* The members, if this is the address of a described record. */
	size_t member_count;
	const struct sdtkit_tap_field *members;
};

/* A probe that a tap is attached to, in one file; valid until the close. */
struct sdtkit_tap_probe {
	const char *provider;
	const char *probe;
	/* A sentence; may be empty. */
	const char *summary;
	/* The path of the program or library that it is in. */
	const char *object;
	/* Whether .note.sdtkit has told the types. */
	bool described;
	/* The fields' operands are those of the first site. */
	size_t field_count;
	const struct sdtkit_tap_field *fields;
	/* How many sites of it have a trap. */
	size_t site_count;
};

/* --------------------------------------------------------------- events */

enum sdtkit_tap_kind {
	/* The value is not known; why says why not. */
	SDTKIT_TAP_UNREADABLE,
	SDTKIT_TAP_SIGNED,
	SDTKIT_TAP_UNSIGNED,
	SDTKIT_TAP_FLOAT,
	SDTKIT_TAP_POINTER,
	/* An address, and a copy of what was there. */
	SDTKIT_TAP_STRING,
	/* Numbers, a member of a record: a copy of them all. */
	SDTKIT_TAP_ARRAY,
};

/* An argument or a member of a record, as it was when the probe fired. */
struct sdtkit_tap_value {
	enum sdtkit_tap_kind kind;
	/* Bytes of the declared type: 1, 2, 4, 8; ARRAY: of an element. */
	unsigned int size;
	/*
	 * The number; SIGNED: extended to 64 bits by its sign; FLOAT: as IEEE
	 * 754 has it in size bytes; POINTER, STRING: the address.
	 */
	uint64_t bits;
	/* FLOAT only: the same as a number. */
	double number;
	/*
	 * STRING: the copy, ended by a NUL, or NULL if the address is NULL or
	 * cannot be read (why says so).  UNSIGNED of an address's size, of a
	 * probe without a description: what is there if it is a text, else
	 * NULL.  ARRAY: the numbers, as they were in memory.  NULL for all
	 * others.
	 */
	const char *text;
	/* Of the copy, without its NUL. */
	size_t length;
	/* The copy is only the beginning of a longer text, or of a record. */
	bool cut;
	/* ARRAY: whether its numbers have a sign. */
	bool is_signed;
	/* ARRAY: how many in each dimension; 0: there is no such dimension. */
	unsigned int counts[2];
	/*
	 * POINTER, to a record: its members, in the order of those of the
	 * field.  NULL if the address is, or cannot be read (why says so).
	 */
	size_t member_count;
	const struct sdtkit_tap_value *members;
	/* NULL, or what could not be read: a sentence. */
	const char *why;
};

/* A probe that fired. */
struct sdtkit_tap_event {
	const struct sdtkit_tap_probe *probe;
	/* The address of the site that was hit. */
	uintptr_t site;
	/* CLOCK_MONOTONIC, in nanoseconds. */
	uint64_t time;
	pid_t pid;
	pid_t tid;
	size_t value_count;
	struct sdtkit_tap_value values[SDTKIT_TAP_ARGUMENTS_MAX];
};

/* ----------------------------------------------------------- open, close */

/* An open tap. */
struct sdtkit_tap;

/*
 * Is called at a hit, in the thread and on the stack that hit it, from a signal
 * handler: only what signal-safety(7) allows may be called, and no function of
 * this library but sdtkit_tap_format() and sdtkit_tap_element().  Signals, but those of faults, are
 * blocked.  The event is valid during the call.  What the callback itself
 * hits is not delivered and counts as lost.  errno is preserved.  It must
 * return: no longjmp(), no exit of the thread.
 */
typedef void sdtkit_tap_callback(const struct sdtkit_tap_event *event,
				 void *context);

enum sdtkit_tap_flags {
	/*
	 * Leave out what cannot be attached, instead of failing, be it all:
	 * no probe matches, a site is in use by a debugger, text is sealed, a
	 * library's notes are damaged (which counts as one site).
	 * sdtkit_tap_left_out() tells how many sites were left out, and
	 * sdtkit_tap_error() after the open says of the first why.
	 */
	SDTKIT_TAP_LENIENT = 1 << 0,
	/*
	 * Events of processes that are forked while the tap is open come to
	 * this tap too.  Otherwise they see their own copy of it.
	 */
	SDTKIT_TAP_CHILDREN = 1 << 1,
};

/* All zero: what sdtkit_tap_open() does. */
struct sdtkit_tap_options {
	/* Of enum sdtkit_tap_flags. */
	unsigned int flags;
	/*
	 * How many events are kept until they are taken; 0: 1024.  With a
	 * callback, how many calls may go on at a time; 0: 64.
	 */
	size_t capacity;
	/* NULL, or where events go instead of being kept. */
	sdtkit_tap_callback *callback;
	/*
	 * NULL, or what is called, where and as the callback is, for each hit
	 * that finds no room.  sdtkit_tap_lost() counts it as well.
	 */
	void (*lost)(void *context);
	/* For both. */
	void *context;
	/*
	 * How many bytes of a string are copied; 0: 1023, which is the most.
	 * All strings of an event together have room for 2047.
	 */
	size_t string_limit;
};

/*
 * Attaches to all probes that the pattern selects: "smb2:request_*,vfs:*", or
 * "!libc:*" for all but these.  sdtkit(1) has the grammar under PATTERNS.
 *
 * It looks at the program and the shared libraries that are loaded now; see
 * sdtkit_tap_rescan() for those that come later.
 *
 * Errors: -ENOENT (no probe matches; the text has those that are like it),
 * -EINVAL (no pattern), -EACCES (the text cannot be written), -EBUSY (a
 * debugger or tracer is at a site, or this thread blocks the signal of traps,
 * so that the first hit would kill it), -EBADMSG (a damaged note), -E2BIG (a
 * probe of more arguments than SDTKIT_TAP_ARGUMENTS_MAX), -EOPNOTSUPP (a
 * machine that this library does not know; a site that is not a nop), -ENOMEM.
 */
int sdtkit_tap_open(const char *pattern, struct sdtkit_tap **tap);

/* The same with options, which are copied; NULL: none. */
int sdtkit_tap_open_with(const char *pattern,
			 const struct sdtkit_tap_options *options,
			 struct sdtkit_tap **tap);

/*
 * Looks at the libraries again, after dlopen() or dlclose(), and attaches to
 * what matches and is new.  Returns how many sites that were, or an error of
 * sdtkit_tap_open(), but not -ENOENT: then the library that has it is left
 * alone as a whole, until the next rescan, and others are not.  A library that
 * was unloaded needs no rescan before the close.
 */
int sdtkit_tap_rescan(struct sdtkit_tap *tap);

/* How many sites SDTKIT_TAP_LENIENT has left out. */
size_t sdtkit_tap_left_out(const struct sdtkit_tap *tap);

/*
 * The probe at this place among those that the tap is attached to, from 0 on,
 * or NULL behind the last.  Valid until the close.  Those of libraries that
 * were unloaded stay; one with no site could not be attached to.
 */
const struct sdtkit_tap_probe *
sdtkit_tap_probe_at(const struct sdtkit_tap *tap, size_t place);

/*
 * Restores what this tap has changed.  Where text was sealed since the open,
 * traps stay; they do nothing, and the next open uses them.  NULL is allowed.
 */
void sdtkit_tap_close(struct sdtkit_tap *tap);

/* ------------------------------------------------------- what has fired */

/*
 * How many times probes that match have fired since the open, whether or not
 * the events were kept or taken.  "" and NULL: all.
 */
uint64_t sdtkit_tap_count(struct sdtkit_tap *tap, const char *pattern);

/* How many events there was no room for, or that a callback itself has hit. */
uint64_t sdtkit_tap_lost(const struct sdtkit_tap *tap);

/*
 * Takes the oldest event.  Returns 1 and sets *event, which is valid until the
 * next call for the same tap, or 0 if there is none.
 */
int sdtkit_tap_next(struct sdtkit_tap *tap,
		    const struct sdtkit_tap_event **event);

/* Forgets all events that were not taken, and sets the counts to 0. */
void sdtkit_tap_clear(struct sdtkit_tap *tap);

/*
 * The number at this place of an ARRAY, from 0 on, row by row: extended to 64
 * bits by its sign.  0 behind the last.
 */
uint64_t sdtkit_tap_element(const struct sdtkit_tap_value *value, size_t place);

/*
 * Writes an event as one line without its end,
 *
 *	smb2:request_start(mid=7, opcode=5, name="a.txt", who=0x7ffe0, rate=1.5)
 *	smb2:request_done(req={mid=7 peer={port=445 id=[1 2]}}, ok=true)
 *
 * with a NUL, cut at size.  What is not printable is written as \x1b.  Returns
 * the length that it has uncut.  May be called from a callback.
 */
size_t sdtkit_tap_format(const struct sdtkit_tap_event *event, char *to,
			 size_t size);

/*
 * The last failure in this thread as a text, of several lines maybe: what
 * happened, and what helps.  Never NULL; valid until the next failure.
 */
const char *sdtkit_tap_error(void);

#ifdef __cplusplus
}
#endif

/* What is to be expected of events. */
#include <sdtkit/tap-expect.h>

#endif /* SDTKIT_TAP_H */
