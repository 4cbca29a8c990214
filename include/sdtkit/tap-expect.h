/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expectations: which event must have come, with which arguments.  A part of
 * sdtkit/tap.h, which includes it.
 *
 *	sdtkit_tap_expect(tap, "smb2:request_start",
 *			  sdtkit_tap_uint("mid", 7),
 *			  sdtkit_tap_str("name", "a.txt"))
 *
 * is, in C, a call of sdtkit_tap_expect_at() with an array of these two and of
 * sdtkit_tap_no_more().
 */
#ifndef SDTKIT_TAP_EXPECT_H
#define SDTKIT_TAP_EXPECT_H

#include <sdtkit/tap.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What is expected of an argument; made by the functions below.
 *
 * key chooses the argument: by its name, "mid"; or by its number, counted from
 * 0, "0"; or NULL for the argument that follows the one of the expectation
 * before, and for the first one in the first expectation.  "req.mid" is a
 * member of a record, "req.peer.port" a member of a record within it, and
 * "req.grid[1][0]" an element of an array.
 */
struct sdtkit_tap_want {
	int what;
	const char *key;
	uint64_t bits;
	double number;
	const char *text;
};

/*
 * The parameters of the functions in this header have long names, because the
 * program that includes it may have macros called "key" or "text".
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
	SDTKIT_TAP_WANT_NAME,
};

#ifdef __cplusplus
#define SDTKIT_TAP_BITS(value)		static_cast<uint64_t>(value)
#define SDTKIT_TAP_ADDRESS(value)	reinterpret_cast<uintptr_t>(value)
#else
#define SDTKIT_TAP_BITS(value)		((uint64_t)(value))
#define SDTKIT_TAP_ADDRESS(value)	((uintptr_t)(value))
#endif

/* Expects a number.  Numbers are compared by value: -1 is not 2^64-1. */
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

/*
 * Expects the number that has this name in the enum of the argument, which its
 * description has: "CREATE".
 */
static inline struct sdtkit_tap_want
sdtkit_tap_name(const char *sdtkit_key, const char *sdtkit_name_of)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_NAME, sdtkit_key, 0, 0,
				  sdtkit_name_of);
}

/* Expects exactly this number, rounded to float if the argument is a float. */
static inline struct sdtkit_tap_want
sdtkit_tap_float(const char *sdtkit_key, double sdtkit_value)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_FLOAT, sdtkit_key, 0,
				  sdtkit_value, NULL);
}

/* Expects an address, of a string as well. */
static inline struct sdtkit_tap_want
sdtkit_tap_pointer(const char *sdtkit_key, const void *sdtkit_value)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_POINTER, sdtkit_key,
				  SDTKIT_TAP_ADDRESS(sdtkit_value), 0, NULL);
}

/* Expects a string with this text; NULL expects the address NULL. */
static inline struct sdtkit_tap_want
sdtkit_tap_str(const char *sdtkit_key, const char *sdtkit_text)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_STRING, sdtkit_key, 0, 0,
				  sdtkit_text);
}

/* Expects a string that matches a shell pattern, as fnmatch(3) has them. */
static inline struct sdtkit_tap_want
sdtkit_tap_like(const char *sdtkit_key, const char *sdtkit_pattern)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_LIKE, sdtkit_key, 0, 0,
				  sdtkit_pattern);
}

/* Expects any value that can be read. */
static inline struct sdtkit_tap_want
sdtkit_tap_any(const char *sdtkit_key)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_ANY, sdtkit_key, 0, 0, NULL);
}

/* Ends an array of expectations; the macros below add it. */
static inline struct sdtkit_tap_want sdtkit_tap_no_more(void)
{
	return sdtkit_tap_want_of(SDTKIT_TAP_WANT_NO_MORE, NULL, 0, 0, NULL);
}

/*
 * sdtkit_tap_expect(tap, "smb2:request_start", WANT...)
 *
 * Compares the oldest event of this probe that was not taken yet, and takes it
 * if it is as expected.  Events of other probes are left alone.  Arguments that
 * are not named may have any value.
 *
 * Returns 0, or -ENOMSG (there is no such event), -EILSEQ (the values differ;
 * the event is not taken), -EINVAL (the tap is not attached to such a probe, or
 * the probe has no such argument, or that no value of such a name), -EOVERFLOW (events were lost, so the answer
 * is not known), -EPIPE (the program replaced the signal handler, so the tap is
 * not told of hits).  The text of sdtkit_tap_error() begins with the file and
 * the line of the call, and shows what was expected and what fired.
 */
#define sdtkit_tap_expect(tap, ...)					\
	SDTKIT_TAP_EXPECT(sdtkit_tap_expect_at, tap, __VA_ARGS__,	\
			  sdtkit_tap_no_more())

/* The same; the event must also be the oldest one of all probes. */
#define sdtkit_tap_expect_next(tap, ...)				\
	SDTKIT_TAP_EXPECT(sdtkit_tap_expect_next_at, tap, __VA_ARGS__,	\
			  sdtkit_tap_no_more())

/* Expects that no event is left of probes that match; NULL: of any probe. */
#define sdtkit_tap_expect_none(tap, pattern)				\
	sdtkit_tap_expect_none_at(__FILE__, __LINE__, tap, pattern)

/*
 * Sets a function that is called for each expectation that fails, before it
 * returns; NULL calls none.  It holds for the whole process, and it need not
 * return: with cmocka, call print_error("%s\n", text) and _fail(file, line).
 */
typedef void sdtkit_tap_failure(const char *file, int line, const char *text);
void sdtkit_tap_on_failure(sdtkit_tap_failure *failure);

/* The functions behind these macros. */
int sdtkit_tap_expect_at(const char *file, int line, struct sdtkit_tap *tap,
			 const char *probe,
			 const struct sdtkit_tap_want *wants);
int sdtkit_tap_expect_next_at(const char *file, int line,
			      struct sdtkit_tap *tap, const char *probe,
			      const struct sdtkit_tap_want *wants);
int sdtkit_tap_expect_none_at(const char *file, int line,
			      struct sdtkit_tap *tap, const char *pattern);

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
/* tcc 0.9.27 counts no elements that are calls; the rest of 32 is NO_MORE. */
#ifdef __TINYC__
#define SDTKIT_TAP_WANTS	32
#else
#define SDTKIT_TAP_WANTS
#endif
#define SDTKIT_TAP_EXPECT(expect, tap, probe, ...)			\
	expect(__FILE__, __LINE__, tap, probe,				\
	       (const struct sdtkit_tap_want[SDTKIT_TAP_WANTS]){	\
		       __VA_ARGS__ })
#endif

#endif /* SDTKIT_TAP_EXPECT_H */
