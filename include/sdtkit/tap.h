/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells which probes of the calling process fire, and with which arguments: for
 * the tests of a program, without root, kernel support or a tracer.
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
 * A tap does from within the process what a tracer does from outside: it reads
 * the notes of the program and of the libraries that are loaded, raises the
 * semaphores, and puts a trap instruction at each site. At a hit it reads the
 * arguments from where the note says that they are. So a test sees what a
 * tracer would see.
 *
 * Several taps may be open at a time, on the same probes too; each has its own
 * events. Threads may run the sites while taps are opened and closed. When the
 * last tap is closed, all instructions are restored. docs/tap.md has the
 * limits.
 *
 * Link with: pkg-config --libs --static sdtkit-tap
 *
 * Conventions: a function that can fail returns 0 (or a count, if its comment
 * says so) or -errno, and leaves a text in sdtkit_tap_error().  An
 * out-parameter is set on success only.  No function may be called from a
 * signal handler or a callback, except sdtkit_tap_format(),
 * sdtkit_tap_element() and sdtkit_tap_value_name().
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
	/* The most arguments of a probe that sdtkit and <sys/sdt.h> allow. */
	SDTKIT_TAP_ARGUMENTS_MAX = 12,
	/* The most members in all records of an event; the rest is left out. */
	SDTKIT_TAP_MEMBERS_MAX = 128,
};

/* --------------------------------------------------------------- probes */

/* A name of a value. */
struct sdtkit_tap_enumerator {
	const char *name;
	int64_t value;
};

/* An argument, as its probe was declared, or a member of a record. */
struct sdtkit_tap_field {
	/*
	 * The wire type, "u2" "s4" "f8" "p" "z": docs/format.md has all of
	 * them.  For a probe without a description (<sys/sdt.h>) it is the type
	 * of the operand in the note, which does not tell addresses from
	 * numbers.
	 */
	const char *wire;
	/* The type in C, "uint16_t"; "" if the file does not tell it. */
	const char *type;
	/* "" if the file does not tell it; "peer.port" in an inner record. */
	const char *name;
	/* The operand, "8@%rdi"; "" for a member of a record. */
	const char *operand;
	/* The members, if this is the address of a described record. */
	size_t member_count;
	const struct sdtkit_tap_field *members;
	/*
	 * The names of its values, if the description has some, in the order of
	 * the description; see sdtkit_tap_value_name().  Of an array, those of
	 * its elements.
	 */
	size_t enumerator_count;
	const struct sdtkit_tap_enumerator *enumerators;
};

/* A probe that a tap is attached to, in one file; valid until the close. */
struct sdtkit_tap_probe {
	const char *provider;
	const char *probe;
	/* A sentence; may be empty. */
	const char *summary;
	/* The path of the program or library that it is in. */
	const char *object;
	/* Whether the file has a description of the probe. */
	bool described;
	/* The fields' operands are those of the first site. */
	size_t field_count;
	const struct sdtkit_tap_field *fields;
	/* How many of its sites have a trap. */
	size_t site_count;
};

/* --------------------------------------------------------------- events */

enum sdtkit_tap_kind {
	/* The value could not be read; why has the reason. */
	SDTKIT_TAP_UNREADABLE,
	SDTKIT_TAP_SIGNED,
	SDTKIT_TAP_UNSIGNED,
	SDTKIT_TAP_FLOAT,
	SDTKIT_TAP_POINTER,
	/* An address, and a copy of the string at that address. */
	SDTKIT_TAP_STRING,
	/* Numbers, as a member of a record, and a copy of all of them. */
	SDTKIT_TAP_ARRAY,
};

/* An argument or a member of a record, as it was when the probe fired. */
struct sdtkit_tap_value {
	enum sdtkit_tap_kind kind;
	/*
	 * The bytes of the declared type, 1, 2, 4 or 8; ARRAY: of an element.
	 */
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
	/* The bytes of the copy, without its NUL. */
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
	/* A sentence about what could not be read, or NULL. */
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
 * A callback is called at each hit, by a signal handler, in the thread that hit
 * the site and on its stack.  So it may only call what signal-safety(7) allows,
 * and of this library sdtkit_tap_format(), sdtkit_tap_element() and
 * sdtkit_tap_value_name().  Signals are blocked, except those of faults.  The
 * event is valid during the call.  A probe that the callback itself hits is not
 * delivered; it counts as lost.  errno is preserved.  The callback must return:
 * it may not call longjmp() or end the thread.
 */
typedef void sdtkit_tap_callback(const struct sdtkit_tap_event *event,
				 void *context);

enum sdtkit_tap_flags {
	/*
	 * Leave out sites that cannot be attached to, instead of failing, even
	 * if that is all of them: no probe matches, a debugger uses the site,
	 * the code cannot be written, or a library's notes are damaged (which
	 * counts as one site).  sdtkit_tap_left_out() returns how many were
	 * left out; after the open, sdtkit_tap_error() has the reason for the
	 * first of them.
	 */
	SDTKIT_TAP_LENIENT = 1 << 0,
	/*
	 * Keep events of child processes in this tap too, if they are forked
	 * while it is open.  Otherwise each child has its own copy of the tap.
	 */
	SDTKIT_TAP_CHILDREN = 1 << 1,
};

/* Options that are 0 stand for what sdtkit_tap_open() does. */
struct sdtkit_tap_options {
	/* Flags of enum sdtkit_tap_flags. */
	unsigned int flags;
	/*
	 * How many events are kept until they are taken; 0 means 1024.  With a
	 * callback, how many threads may be in it at a time; 0 means 64.
	 */
	size_t capacity;
	/* Called with each event, which is then not kept; NULL: none. */
	sdtkit_tap_callback *callback;
	/*
	 * Called for each hit that is lost because no space is left, under the
	 * same rules as the callback; NULL: none.  sdtkit_tap_lost() counts
	 * these hits in any case.
	 */
	void (*lost)(void *context);
	/* Passed to both functions. */
	void *context;
	/*
	 * How many bytes of a string are copied; 0 means 1023, which is the
	 * maximum.  All strings of an event together share 2047.
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

/* The same with options, which are copied; NULL stands for none. */
int sdtkit_tap_open_with(const char *pattern,
			 const struct sdtkit_tap_options *options,
			 struct sdtkit_tap **tap);

/*
 * Looks at the loaded libraries again, after dlopen() or dlclose(), and
 * attaches to new sites that match.  Returns how many there were, or an error
 * as sdtkit_tap_open() has them, except -ENOENT. After an error, the library
 * that caused it is not attached to at all, until the next rescan; others are.
 * After dlclose() alone, no rescan is needed before the close.
 */
int sdtkit_tap_rescan(struct sdtkit_tap *tap);

/* How many sites SDTKIT_TAP_LENIENT has left out. */
size_t sdtkit_tap_left_out(const struct sdtkit_tap *tap);

/*
 * Returns the probe with this index, counted from 0, among those that the tap
 * is attached to, or NULL behind the last one.  It is valid until the close.
 * Probes of libraries that were unloaded stay in the list.  If site_count is 0,
 * no site of the probe could be attached to.
 */
const struct sdtkit_tap_probe *
sdtkit_tap_probe_at(const struct sdtkit_tap *tap, size_t index);

/*
 * Detaches and frees the tap: restores the instructions and semaphores that it
 * has changed.  If a policy has forbidden to write the code since the open, the
 * traps stay, do nothing, and are used by the next open.  NULL is allowed.
 */
void sdtkit_tap_close(struct sdtkit_tap *tap);

/* ------------------------------------------------------- what has fired */

/*
 * Returns how many times the probes that match have fired since the open,
 * whether their events were kept or not.  "" and NULL match all probes.
 */
uint64_t sdtkit_tap_count(struct sdtkit_tap *tap, const char *pattern);

/* Returns how many hits were lost: for lack of space, or within a callback. */
uint64_t sdtkit_tap_lost(const struct sdtkit_tap *tap);

/*
 * Takes the oldest event.  Returns 1 and sets *event, which is valid until the
 * next call for the same tap, or 0 if there is none.
 */
int sdtkit_tap_next(struct sdtkit_tap *tap,
		    const struct sdtkit_tap_event **event);

/* Discards all events that were not taken, and sets the counts to 0. */
void sdtkit_tap_clear(struct sdtkit_tap *tap);

/*
 * Returns an element of an ARRAY, extended to 64 bits by its sign.  Elements
 * are counted from 0, row by row; behind the last one the value is 0.
 */
uint64_t sdtkit_tap_element(const struct sdtkit_tap_value *value, size_t index);

/*
 * Returns the name of a number, as the field's description has it: the first of
 * its enumerators with these bits, which are those of a value or an element.
 * NULL if there is none.
 */
const char *sdtkit_tap_value_name(const struct sdtkit_tap_field *field,
				  uint64_t bits);

/*
 * Writes an event as one line without its end,
 *
 *	smb2:request_start(mid=7, opcode=5, name="a.txt", who=0x7ffe0, rate=1.5)
 *	smb2:request_done(req={mid=7 peer={port=445 id=[1 2]}}, ok=true)
 *	smb2:request_exec(mid=7, opcode=CREATE(5))
 *
 * with a NUL, truncated at size.  Bytes that are not printable are written as
 * \x1b.  Returns the length of the whole line.  It may be called from a
 * callback.
 */
size_t sdtkit_tap_format(const struct sdtkit_tap_event *event, char *to,
			 size_t size);

/*
 * Returns the text of the last failure in this thread, which may have several
 * lines: what happened, and what to do.  It is never NULL, and valid until the
 * next failure.
 */
const char *sdtkit_tap_error(void);

#ifdef __cplusplus
}
#endif

/* Expectations of events. */
#include <sdtkit/tap-expect.h>

#endif /* SDTKIT_TAP_H */
