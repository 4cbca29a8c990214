/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expectations of sdtkit/tap.h, and what is said when one fails:
 *
 *	t.c:41: smb2:request_start fired otherwise than expected
 *		smb2:request_start(mid=8, opcode=5, name="b.txt")
 *	mid: expected 7, is 8
 *	name: expected "a.txt", is "b.txt"
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "fit.h"
#include "format.h"
#include "key.h"
#include "lock.h"
#include "pattern.h"
#include "state.h"
#include "trap.h"

enum {
	/* The most bytes of an event in a message. */
	LINE = 512,
	/* Events that a message shows. */
	SHOWN = 8,
};

static sdtkit_tap_failure *on_failure;

/* An expectation that is being judged, and the position of the call. */
struct expectation {
	const char *file;
	int line;
	struct sdtkit_tap *tap;
	/* "smb2:request_start" */
	const char *probe;
	const struct sdtkit_tap_want *wants;
};

static bool is_named(const struct sdtkit_tap_probe *probe, const char *name)
{
	size_t length = strlen(probe->provider);

	return strncmp(name, probe->provider, length) == 0 &&
	       name[length] == ':' &&
	       strcmp(name + length + 1, probe->probe) == 0;
}

static int fail(const struct expectation *asked, int error, const char *what)
{
	return sdtkit_tap_fail(error, "%s:%d: %s%s%s", asked->file, asked->line,
			       asked->probe != NULL ? asked->probe : "",
			       asked->probe != NULL ? " " : "", what);
}

/* Ends a line that was truncated with dots. */
static const char *cut_line(char line[LINE], size_t length)
{
	if (length >= LINE)
		strcpy(line + LINE - sizeof(" ..."), " ...");
	return line;
}

static void add_event(const struct sdtkit_tap_event *event)
{
	char line[LINE];

	sdtkit_tap_add("\n\t%s", cut_line(line, sdtkit_tap_format(event, line,
								 LINE)));
}

/* Adds the name of the argument, which its key may not be. */
static void add_name(const struct sdtkit_tap_want *want,
		     const struct sdtkit_tap_probe *probe,
		     const struct sdtkit_tap_part *part)
{
	const char *name = probe->fields[part->argument].name;

	if (part->member >= 0)
		sdtkit_tap_add("\n%s", want->key);
	else if (*name != '\0')
		sdtkit_tap_add("\n%s", name);
	else
		sdtkit_tap_add("\nargument %ld", part->argument);
}

static const struct sdtkit_tap_field *
field_of(const struct sdtkit_tap_probe *probe,
	 const struct sdtkit_tap_part *part)
{
	const struct sdtkit_tap_field *field = &probe->fields[part->argument];

	return part->member < 0 ? field : &field->members[part->member];
}

static void add_difference(const struct sdtkit_tap_want *want,
			   const struct sdtkit_tap_probe *probe,
			   const struct sdtkit_tap_part *part,
			   const struct sdtkit_tap_value *value)
{
	char wanted[LINE], found[LINE];
	const char *name = NULL;

	cut_line(wanted, sdtkit_tap_format_want(want, wanted, LINE));
	cut_line(found, sdtkit_tap_format_value(value, found, LINE));
	if (want->what == SDTKIT_TAP_WANT_NAME)
		name = sdtkit_tap_value_name(field_of(probe, part),
					     value->bits);
	add_name(want, probe, part);
	sdtkit_tap_add(": expected %s, is %s", wanted,
		       name != NULL ? name : found);
	if (value->cut)
		sdtkit_tap_add(" (the copy has %zu bytes of it: "
			       "sdtkit_tap_like() compares a beginning)",
			       value->length);
}

/* All events that were not taken, as many as a reader wants to see. */
static void add_events(struct sdtkit_tap *tap)
{
	unsigned long number = atomic_load(&tap->buffer->tail);
	const struct sdtkit_tap_slot *slot;
	size_t count = 0;

	while ((slot = sdtkit_tap_buffer_next(tap->buffer, &number)) != NULL) {
		if (count++ < SHOWN)
			add_event(&slot->event);
		number++;
	}
	if (count > SHOWN)
		sdtkit_tap_add("\n\tand %zu more", count - SHOWN);
}

static void add_expected(const struct expectation *asked)
{
	const struct sdtkit_tap_want *want = asked->wants;
	char text[LINE];
	size_t i;

	for (i = 0; want[i].what != SDTKIT_TAP_WANT_NO_MORE; i++) {
		cut_line(text, sdtkit_tap_format_want(&want[i], text, LINE));
		sdtkit_tap_add("%s%s%s%s", i == 0 ? "\nexpected were " : ", ",
			       want[i].key != NULL ? want[i].key : "",
			       want[i].key != NULL ? "=" : "", text);
	}
}

/* Returns the value that is wanted by its name, or NULL. */
static const struct sdtkit_tap_enumerator *
find_name(const struct sdtkit_tap_field *field,
	  const struct sdtkit_tap_want *want)
{
	size_t i;

	for (i = 0; want->what == SDTKIT_TAP_WANT_NAME &&
	     i < field->enumerator_count; i++) {
		if (strcmp(field->enumerators[i].name, want->text) == 0)
			return &field->enumerators[i];
	}
	return NULL;
}

/* Adds a line for each argument that is not as wanted; how many. */
static size_t differences(const struct expectation *asked,
			  const struct sdtkit_tap_event *event)
{
	struct sdtkit_tap_part part = { .argument = -1 };
	const struct sdtkit_tap_want *want;
	size_t count = 0;

	for (want = asked->wants; want->what != SDTKIT_TAP_WANT_NO_MORE;
	     want++) {
		const struct sdtkit_tap_enumerator *named;
		struct sdtkit_tap_want number = *want;
		struct sdtkit_tap_value value;

		sdtkit_tap_find_part(event->probe, want->key, part.argument,
				     &part);
		value = sdtkit_tap_value_of_part(event, &part);
		named = find_name(field_of(event->probe, &part), want);
		if (named != NULL)
			number.bits = (uint64_t)named->value;
		if (sdtkit_tap_fits(&value, &number))
			continue;
		if (count++ == 0) {
			fail(asked, EILSEQ, "fired otherwise than expected");
			add_event(event);
		}
		add_difference(want, event->probe, &part, &value);
	}
	return count;
}

/* The argument has a value of the name that is wanted. */
static int check_name(const struct expectation *asked,
		      const struct sdtkit_tap_want *want,
		      const struct sdtkit_tap_field *field)
{
	size_t i;

	if (want->what != SDTKIT_TAP_WANT_NAME ||
	    find_name(field, want) != NULL)
		return 0;
	fail(asked, EINVAL, "cannot be expected: ");
	sdtkit_tap_add("no value of %s has the name %s; the names are:",
		       *field->name != '\0' ? field->name : "the argument",
		       want->text);
	for (i = 0; i < field->enumerator_count; i++)
		sdtkit_tap_add(" %s", field->enumerators[i].name);
	if (i == 0)
		sdtkit_tap_add(" none");
	return -EINVAL;
}

/* The probe that is meant has all arguments that are. */
static int check_keys(const struct expectation *asked,
		      const struct sdtkit_tap_probe *probe)
{
	struct sdtkit_tap_part part = { .argument = -1 };
	const struct sdtkit_tap_want *want;

	for (want = asked->wants; want->what != SDTKIT_TAP_WANT_NO_MORE;
	     want++) {
		if (sdtkit_tap_find_part(probe, want->key, part.argument,
					 &part)) {
			if (check_name(asked, want, field_of(probe, &part)) < 0)
				return -EINVAL;
			continue;
		}
		fail(asked, EINVAL, "has no argument ");
		sdtkit_tap_add("%s", want->key != NULL ? want->key :
						       "behind the last one");
		sdtkit_tap_add_parts(probe, want->key);
		return -EINVAL;
	}
	return 0;
}

static int check_probe(const struct expectation *asked)
{
	const struct sdtkit_tap *tap = asked->tap;
	bool is_known = false;
	size_t i;
	int ret;

	if (tap->options.callback != NULL)
		return fail(asked, EINVAL, "cannot be expected: the events of "
			    "this tap go to its callback");
	if (!sdtkit_tap_is_handled()) {
		fail(asked, EPIPE, "cannot be expected: ");
		sdtkit_tap_add("the program has replaced the handler of %s, so "
			       "this library is not told of hits: install the "
			       "program's handler before sdtkit_tap_open(), "
			       "which passes on signals that are not its own",
			       sdtkit_tap_signal_name());
		return -EPIPE;
	}
	for (i = 0; asked->wants != NULL && i < tap->entry_count; i++) {
		if (!is_named(&tap->entries[i]->shown, asked->probe))
			continue;
		is_known = true;
		ret = check_keys(asked, &tap->entries[i]->shown);
		if (ret < 0)
			return ret;
	}
	if (asked->wants == NULL || is_known)
		return 0;
	fail(asked, EINVAL, "is not a probe that this tap is on: ");
	sdtkit_tap_add("it was opened with \"%s\"", tap->pattern);
	return -EINVAL;
}

static int nothing_fired(const struct expectation *asked)
{
	if (sdtkit_tap_lost(asked->tap) > 0) {
		fail(asked, EOVERFLOW, "is not among the events that were "
		     "kept, and ");
		sdtkit_tap_add("%llu were lost: give options.capacity more "
			       "than %zu", (unsigned long long)
			       sdtkit_tap_lost(asked->tap),
			       asked->tap->options.capacity);
		return -EOVERFLOW;
	}
	fail(asked, ENOMSG, "did not fire");
	add_expected(asked);
	sdtkit_tap_add("\nevents that were not taken:");
	if (sdtkit_tap_buffer_next(asked->tap->buffer,
				   &(unsigned long){ atomic_load(
					&asked->tap->buffer->tail) }) == NULL)
		sdtkit_tap_add(" none");
	add_events(asked->tap);
	return -ENOMSG;
}

/* The oldest event, or the oldest one of the probe. */
static struct sdtkit_tap_slot *
find_event(const struct expectation *asked, bool any)
{
	unsigned long number = atomic_load(&asked->tap->buffer->tail);
	struct sdtkit_tap_slot *slot;

	while ((slot = sdtkit_tap_buffer_next(asked->tap->buffer, &number))) {
		if (any || is_named(slot->event.probe, asked->probe))
			return slot;
		number++;
	}
	return NULL;
}

static int judge(const struct expectation *asked, bool next)
{
	struct sdtkit_tap_slot *slot;
	int ret = check_probe(asked);

	if (ret < 0)
		return ret;
	slot = find_event(asked, next);
	if (slot == NULL)
		return nothing_fired(asked);
	if (!is_named(slot->event.probe, asked->probe)) {
		fail(asked, EILSEQ, "was expected next; what fired is");
		add_events(asked->tap);
		add_expected(asked);
		return -EILSEQ;
	}
	if (differences(asked, &slot->event) > 0)
		return -EILSEQ;
	slot->taken = true;
	sdtkit_tap_buffer_free(asked->tap->buffer);
	return 0;
}

static int tell(const struct expectation *asked, int ret)
{
	if (ret < 0 && on_failure != NULL)
		on_failure(asked->file, asked->line, sdtkit_tap_error());
	return ret;
}

static int expect(const struct expectation *asked, bool next)
{
	int ret;

	sdtkit_tap_lock();
	ret = judge(asked, next);
	sdtkit_tap_unlock();
	return tell(asked, ret);
}

int sdtkit_tap_expect_at(const char *file, int line, struct sdtkit_tap *tap,
			 const char *probe, const struct sdtkit_tap_want *wants)
{
	const struct expectation asked = { file, line, tap, probe, wants };

	return expect(&asked, false);
}

int sdtkit_tap_expect_next_at(const char *file, int line,
			      struct sdtkit_tap *tap, const char *probe,
			      const struct sdtkit_tap_want *wants)
{
	const struct expectation asked = { file, line, tap, probe, wants };

	return expect(&asked, true);
}

static int judge_none(const struct expectation *asked, const char *pattern)
{
	unsigned long number = atomic_load(&asked->tap->buffer->tail);
	const struct sdtkit_tap_slot *slot;
	int ret = check_probe(asked);

	if (ret < 0)
		return ret;
	while ((slot = sdtkit_tap_buffer_next(asked->tap->buffer, &number))) {
		const struct sdtkit_tap_probe *probe = slot->event.probe;

		number++;
		if (!sdtkit_pattern_matches(pattern, probe->provider,
					    probe->probe))
			continue;
		fail(asked, EILSEQ, "no event was expected of ");
		sdtkit_tap_add("%s, but there are events:",
			       pattern != NULL ? pattern : "any probe");
		add_events(asked->tap);
		return -EILSEQ;
	}
	if (sdtkit_tap_lost(asked->tap) > 0)
		return nothing_fired(asked);
	return 0;
}

int sdtkit_tap_expect_none_at(const char *file, int line,
			      struct sdtkit_tap *tap, const char *pattern)
{
	const struct expectation asked = { file, line, tap, NULL, NULL };
	int ret;

	sdtkit_tap_lock();
	ret = judge_none(&asked, pattern);
	sdtkit_tap_unlock();
	return tell(&asked, ret);
}

void sdtkit_tap_on_failure(sdtkit_tap_failure *failure)
{
	on_failure = failure;
}
