/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints an event as one line for test_matrix.py: wire type, kind, size, bits,
 * number and text of each argument.
 *
 *	floating f4/float/4/bfc00000/-0x1.8p+0/ f8/...
 */
#ifndef SDTKIT_TESTS_TAP_TELL_H
#define SDTKIT_TESTS_TAP_TELL_H

#include <inttypes.h>
#include <stdio.h>

#include <sdtkit/tap.h>

static const char *const kinds[] = {
	[SDTKIT_TAP_UNREADABLE] = "unreadable",
	[SDTKIT_TAP_SIGNED] = "signed",
	[SDTKIT_TAP_UNSIGNED] = "unsigned",
	[SDTKIT_TAP_FLOAT] = "float",
	[SDTKIT_TAP_POINTER] = "pointer",
	[SDTKIT_TAP_STRING] = "string",
};

/* Prints the leading letters and underscores: any bytes may follow them. */
static inline void tell_text(const char *at)
{
	for (; at != NULL && ((*at >= 'a' && *at <= 'z') || *at == '_'); at++)
		putchar(*at);
}

static inline void tell_event(const struct sdtkit_tap_event *event)
{
	size_t i;

	printf("%s", event->probe->probe);
	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_value *value = &event->values[i];

		printf(" %s/%s/%u/%" PRIx64 "/%a/",
		       event->probe->fields[i].wire, kinds[value->kind],
		       value->size, value->bits, value->number);
		tell_text(value->text);
	}
	printf("\n");
}

#endif /* SDTKIT_TESTS_TAP_TELL_H */
