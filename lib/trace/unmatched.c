/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns without effect, which are reported when the program begins: those
 * that match no probe, selecting or excluding. See preload.h.
 *
 *	no probe matches 'helo:*' so far; similar ones: hello:greet
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "../record/open_recorder.h"
#include "pattern.h"
#include "preload.h"
#include "control.h"
#include "sdtkit/tap.h"
#include "state.h"

static bool is_matched(struct sdtkit_tap *tap,
		       const struct sdtkit_pattern *pattern)
{
	const struct sdtkit_tap_probe *probe;
	size_t i;

	for (i = 0; (probe = sdtkit_tap_probe_at(tap, i)) != NULL; i++) {
		if (sdtkit_pattern_fits(pattern, probe->provider, probe->probe))
			return true;
	}
	return false;
}

/*
 * Finds out what the program has for the pattern: opens a tap that selects the
 * pattern and then excludes everything, so that nothing is attached to. The
 * hint is empty if that fails.
 */
static struct sdtkit_tap_hint ask(const struct sdtkit_pattern *pattern)
{
	const struct sdtkit_tap_options options = {
		.flags = SDTKIT_TAP_LENIENT,
		.capacity = 1,
	};
	char text[sizeof(pattern->glob) + sizeof(",!*:*")];
	struct sdtkit_tap_hint hint = { .excluded = 0 };
	struct sdtkit_tap *none;

	snprintf(text, sizeof(text), "%s,!*:*", pattern->glob);
	if (sdtkit_tap_open_with(text, &options, &none) < 0)
		return hint;
	hint = none->hint;
	sdtkit_tap_close(none);
	return hint;
}

/*
 * Tells the reader of a pattern without effect, and which probes are similar.
 */
static void tell_unmatched(struct sdtkit_trace_control *control,
			   const struct sdtkit_pattern *pattern,
			   const struct sdtkit_similar *similar)
{
	char names[SIMILAR_TEXT], text[sizeof(pattern->glob) + sizeof(names) +
				       128];

	sdtkit_similar_text(similar, names);
	snprintf(text, sizeof(text), "no probe matches '%s%s' so far%s%s%s",
		 pattern->excludes ? "!" : "", pattern->glob,
		 pattern->excludes ? ", so it excludes nothing" : "",
		 names[0] != '\0' ? "; similar ones: " : "", names);
	sdtkit_trace_tell(&control->unmatched, text);
}

/* Returns true if the pattern is without effect, which the reader is told. */
static bool check_pattern(struct sdtkit_trace_control *control, struct sdtkit_tap *tap,
			  const struct sdtkit_pattern *pattern)
{
	struct sdtkit_tap_hint hint;

	if (!pattern->excludes && is_matched(tap, pattern))
		return false;
	hint = ask(pattern);
	if (pattern->excludes && hint.excluded > 0)
		return false;
	tell_unmatched(control, pattern, &hint.similar);
	return true;
}

void sdtkit_preload_check_patterns(struct sdtkit_trace_control *control,
				   const struct sdtkit_recorder *recorder)
{
	const char *at = recorder->filters.patterns;
	struct sdtkit_pattern pattern;

	while (sdtkit_pattern_next(&at, &pattern)) {
		if (check_pattern(control, recorder->tap, &pattern))
			return;
	}
}
