/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns without effect, which are told of when the program begins: those
 * that match no probe, and "!smb2:x" where no pattern puts in what it takes
 * out.  See preload.h.
 *
 *	no probe matches 'helo:*' so far; similar ones: hello:greet
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "hint.h"
#include "preload.h"
#include "ring.h"
#include "sdtkit/tap.h"
#include "state.h"

enum {
	/* Longer than any name. */
	PATTERN_LENGTH = 256,
};

static bool is_matched(struct sdtkit_tap *tap, const char *pattern)
{
	const struct sdtkit_tap_probe *probe;
	size_t i;

	for (i = 0; (probe = sdtkit_tap_probe_at(tap, i)) != NULL; i++) {
		if (sdtkit_tap_matches(pattern, probe->provider, probe->probe))
			return true;
	}
	return false;
}

/*
 * What a tap says that is opened with the pattern, "" if that fails; what the
 * pattern matches is taken out again, so nothing is attached to.
 */
static const char *ask(const char *pattern)
{
	const struct sdtkit_tap_options options = {
		.flags = SDTKIT_TAP_LENIENT,
		.capacity = 1,
	};
	char text[SDTKIT_RING_TEXT];
	struct sdtkit_tap *none;

	snprintf(text, sizeof(text), "%s,!*:*", pattern);
	if (sdtkit_tap_open_with(text, &options, &none) < 0)
		return "";
	sdtkit_tap_close(none);
	return sdtkit_tap_error();
}

/* Tells of a pattern without effect, and which probes are like it. */
static void tell_unmatched(struct sdtkit_ring *ring, const char *pattern,
			   const char *said)
{
	const char *similar = strstr(said, SDTKIT_TAP_SIMILAR);
	char text[SDTKIT_RING_TEXT];

	snprintf(text, sizeof(text), "no probe matches '%s' so far%s%s%s",
		 pattern, *pattern == '!' ? ", which takes nothing out" : "",
		 similar != NULL ? "; " : "", similar != NULL ? similar : "");
	sdtkit_ring_tell(&ring->unmatched, text);
}

/* Returns whether the pattern is without effect, which is told. */
static bool check_pattern(struct sdtkit_ring *ring, struct sdtkit_tap *tap,
			  const char *pattern)
{
	bool out = *pattern == '!';
	const char *said;

	if (!out && is_matched(tap, pattern))
		return false;
	said = ask(pattern + out);
	if (out && strstr(said, SDTKIT_TAP_TAKEN_OUT) != NULL)
		return false;
	tell_unmatched(ring, pattern, said);
	return true;
}

void sdtkit_preload_check_patterns(struct sdtkit_ring *ring,
				   struct sdtkit_tap *tap)
{
	const char *at = ring->orders.patterns;
	char pattern[PATTERN_LENGTH];

	while (*at != '\0') {
		size_t length = strcspn(at, ", ");

		snprintf(pattern, sizeof(pattern), "%.*s", (int)length, at);
		if (length > 0 && check_pattern(ring, tap, pattern))
			return;
		at += length;
		at += strspn(at, ", ");
	}
}
