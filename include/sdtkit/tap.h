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
};

/* --------------------------------------------------------------- probes */

/* An argument, as its probe was declared. */
struct sdtkit_tap_field {
	/*
	 * "u2" "s4" "f8" "p" "z" ...: docs/format.md has all.  Without a
	 * description (<sys/sdt.h>), that of the operand in the note, of which
	 * nobody knows whether it is an address.
	 */
	const char *wire;
	/* In C, "uint16_t"; "" where the file does not say. */
	const char *type;
	/* "" where the file does not say. */
	const char *name;
	/* Where the value is, as the note has it: "8@%rdi". */
	const char *operand;
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
};

/* An argument, as it was when the probe fired. */
struct sdtkit_tap_value {
	enum sdtkit_tap_kind kind;
	/* Bytes of the declared type: 1, 2, 4, 8. */
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
	 * NULL.  NULL for all others.
	 */
	const char *text;
	/* Of the copy, without its NUL. */
	size_t length;
	/* The copy is only the beginning of a longer text. */
	bool cut;
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
 * this library but sdtkit_tap_format().  Signals, but those of faults, are
 * blocked.  The event is valid during the call.  What the callback itself
 * hits is not delivered and counts as lost.  errno is preserved.  It must
 * return: no longjmp(), no exit of the thread.
 */
typedef void sdtkit_tap_callback(const struct sdtkit_tap_event *event,
				 void *context);

enum sdtkit_tap_flags {
	/*
	 * Leave out what cannot be attached, instead of failing, be it all:
	 * no probe matches, a site is in use by a debugger, text is sealed.
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
	void *context;
	/*
	 * How many bytes of a string are copied; 0: 1023, which is the most.
	 * All strings of an event together have room for 2047.
	 */
	size_t string_limit;
};

/*
 * Attaches to all probes whose "PROVIDER:PROBE" matches: a shell pattern, or
 * several with commas between, "smb2:request_*,vfs:*".  One that begins with
 * "!" takes out what those before it have put in: "*:*,!libc:*".
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
 * sdtkit_tap_open(), but not -ENOENT.  A library that was unloaded needs no
 * rescan before the close.
 */
int sdtkit_tap_rescan(struct sdtkit_tap *tap);

/* How many sites SDTKIT_TAP_LENIENT has left out. */
size_t sdtkit_tap_left_out(const struct sdtkit_tap *tap);

/*
 * The probe at this place among those that the tap is attached to, from 0 on,
 * or NULL behind the last.  Valid until the close.
 */
const struct sdtkit_tap_probe *
sdtkit_tap_probe_at(const struct sdtkit_tap *tap, size_t place);

/* Restores what this tap has changed.  NULL is allowed. */
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
 * Writes an event as one line without its end,
 *
 *	smb2:request_start(mid=7, opcode=5, name="a.txt", who=0x7ffe0, rate=1.5)
 *
 * with a NUL, cut at size.  What is not printable is written as \x1b.  Returns
 * the length that it has uncut.  May be called from a callback.
 */
size_t sdtkit_tap_format(const struct sdtkit_tap_event *event, char *to,
			 size_t size);

/* --------------------------------------------------------- expectations */

/*
 * What is expected of an argument; made by the functions below.
 *
 * key tells which: its name, "mid"; or its number from 0 on, "0"; or NULL: the
 * one behind that of the expectation before, at first the first.
 */
struct sdtkit_tap_want {
	int what;
	const char *key;
	uint64_t bits;
	double number;
	const char *text;
};

/*
 * Names of parameters, here only, are such as no program has, which may have
 * macros and variables of its own called "key" or "text".
 */
static inline struct sdtkit_tap_want
sdtkit_tap_want_of(int sdtkit_what, const char *sdtkit_key,
		   uint64_t sdtkit_bits, double sdtkit_number,
		   const char *sdtkit_text)
{
	struct sdtkit_tap_want sdtkit_want;

	sdtkit_want.what = sdtkit_what;
	sdtkit_want.key = sdtkit_key;
	sdtkit_want.bits = sdtkit_bits;
	sdtkit_want.number = sdtkit_number;
	sdtkit_want.text = sdtkit_text;
	return sdtkit_want;
}

enum {
	SDTKIT_TAP_WANT_NO_MORE,
	SDTKIT_TAP_WANT_ANY,
	SDTKIT_TAP_WANT_INT,
	SDTKIT_TAP_WANT_UINT,
	SDTKIT_TAP_WANT_FLOAT,
	SDTKIT_TAP_WANT_POINTER,
	SDTKIT_TAP_WANT_STRING,
	SDTKIT_TAP_WANT_LIKE,
};

#ifdef __cplusplus
#define SDTKIT_TAP_BITS(value)		static_cast<uint64_t>(value)
#define SDTKIT_TAP_ADDRESS(value)	reinterpret_cast<uintptr_t>(value)
#else
#define SDTKIT_TAP_BITS(value)		((uint64_t)(value))
#define SDTKIT_TAP_ADDRESS(value)	((uintptr_t)(value))
#endif

/* A number.  Compared as numbers are: -1 is not 2^64-1. */
static inline struct sdtkit_tap_want
sdtkit_tap_int(const char *sdtkit_key, long long sdtkit_value)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_INT, sdtkit_key,
				  SDTKIT_TAP_BITS(sdtkit_value), 0, NULL);
}

static inline struct sdtkit_tap_want
sdtkit_tap_uint(const char *sdtkit_key, unsigned long long sdtkit_value)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_UINT, sdtkit_key,
				  sdtkit_value, 0, NULL);
}

/* Exactly this number, after rounding to float where it is one. */
static inline struct sdtkit_tap_want
sdtkit_tap_float(const char *sdtkit_key, double sdtkit_value)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_FLOAT, sdtkit_key, 0,
				  sdtkit_value, NULL);
}

/* An address; that of a string, too. */
static inline struct sdtkit_tap_want
sdtkit_tap_pointer(const char *sdtkit_key, const void *sdtkit_value)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_POINTER, sdtkit_key,
				  SDTKIT_TAP_ADDRESS(sdtkit_value), 0, NULL);
}

/* A string of this text; NULL: the address NULL. */
static inline struct sdtkit_tap_want
sdtkit_tap_str(const char *sdtkit_key, const char *sdtkit_text)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_STRING, sdtkit_key, 0, 0,
				  sdtkit_text);
}

/* A string that matches a shell pattern. */
static inline struct sdtkit_tap_want
sdtkit_tap_like(const char *sdtkit_key, const char *sdtkit_pattern)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_LIKE, sdtkit_key, 0, 0,
				  sdtkit_pattern);
}

/* Any value, as long as it can be read. */
static inline struct sdtkit_tap_want
sdtkit_tap_any(const char *sdtkit_key)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_ANY, sdtkit_key, 0, 0, NULL);
}

/* Behind the last. */
static inline struct sdtkit_tap_want sdtkit_tap_no_more(void)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_NO_MORE, NULL, 0, 0, NULL);
}

/*
 * sdtkit_tap_expect(tap, "smb2:request_start", WANT...)
 *
 * The oldest event of this probe that was not taken must be as wanted, and is
 * taken then.  Events of other probes are left alone.  Arguments that are not
 * named may be anything.
 *
 * Returns 0, or -ENOMSG (no such event), -EILSEQ (it fired otherwise; it is
 * not taken), -EINVAL (the tap is not on such a probe, or the probe has no
 * such argument), -EOVERFLOW (events were lost, so nobody knows), -EPIPE (the
 * program took the signal away: traps no longer come here).  The text of
 * sdtkit_tap_error() begins with the file and the line of the call, and shows
 * what was expected and what fired.
 */
#define sdtkit_tap_expect(tap, ...)					\
	SDTKIT_TAP_EXPECT(sdtkit_tap_expect_at, tap, __VA_ARGS__,	\
			  sdtkit_tap_no_more())

/* The same, and it must be the oldest of all events that were not taken. */
#define sdtkit_tap_expect_next(tap, ...)				\
	SDTKIT_TAP_EXPECT(sdtkit_tap_expect_next_at, tap, __VA_ARGS__,	\
			  sdtkit_tap_no_more())

/* No event of probes that match is left; NULL: no event at all. */
#define sdtkit_tap_expect_none(tap, pattern)				\
	sdtkit_tap_expect_none_at(__FILE__, __LINE__, tap, pattern)

/*
 * What is called, if not NULL, with each failed expectation before it returns:
 * in cmocka, print_error("%s\n", text) and _fail(file, line), which need not
 * return.  Of the whole process.
 */
typedef void sdtkit_tap_failure(const char *file, int line, const char *text);
void sdtkit_tap_on_failure(sdtkit_tap_failure *failure);

/* What these are made of. */
int sdtkit_tap_expect_at(const char *file, int line, struct sdtkit_tap *tap,
			 const char *probe,
			 const struct sdtkit_tap_want *wants);
int sdtkit_tap_expect_next_at(const char *file, int line,
			      struct sdtkit_tap *tap, const char *probe,
			      const struct sdtkit_tap_want *wants);
int sdtkit_tap_expect_none_at(const char *file, int line,
			      struct sdtkit_tap *tap, const char *pattern);

/*
 * The last failure in this thread as a text, of several lines maybe: what
 * happened, and what helps.  Never NULL; valid until the next failure.
 */
const char *sdtkit_tap_error(void);

#ifdef __cplusplus
}

template <typename... SdtkitWant>
inline int
sdtkit_tap_expect_of(int (*sdtkit_expect)(const char *, int,
					  struct sdtkit_tap *, const char *,
					  const struct sdtkit_tap_want *),
		     const char *sdtkit_file, int sdtkit_line,
		     struct sdtkit_tap *sdtkit_tap_of, const char *sdtkit_probe,
		     const SdtkitWant &...sdtkit_want)
{
	const struct sdtkit_tap_want sdtkit_wants[] = { sdtkit_want... };

	return sdtkit_expect(sdtkit_file, sdtkit_line, sdtkit_tap_of,
			     sdtkit_probe, sdtkit_wants);
}

#define SDTKIT_TAP_EXPECT(expect, tap, ...)				\
	sdtkit_tap_expect_of(expect, __FILE__, __LINE__, tap, __VA_ARGS__)
#else
#define SDTKIT_TAP_EXPECT(expect, tap, probe, ...)			\
	expect(__FILE__, __LINE__, tap, probe,				\
	       (const struct sdtkit_tap_want[]){ __VA_ARGS__ })
#endif

#endif /* SDTKIT_TAP_H */
