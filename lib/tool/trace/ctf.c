/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --ctf: a trace in the Common Trace Format 1.8
 * (https://diamon.org/ctf/v1.8.3/), which babeltrace2 and Trace Compass read.
 *
 *	hit --> forms of its values --> class --> stream of its thread --> file
 *	        ctf_form.c      ctf_class.c       ctf_stream.c  ctf_directory.c
 *	                             '--> metadata, if it is new
 *	                                  ctf_metadata.c, ctf_fields.c,
 *	                                  ctf_names.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/random.h>

#include "sdtkit/tap.h"
#include "trace/bytes.h"
#include "trace/ctf.h"
#include "trace/ctf_class.h"
#include "trace/ctf_directory.h"
#include "trace/ctf_form.h"
#include "trace/ctf_metadata.h"
#include "trace/ctf_stream.h"
#include "trace/tracing.h"

static int failure;
static uint64_t unwritten;

bool tracing_ctf_open(const struct tracing *tracing)
{
	return ctf_directory_open(tracing->ctf);
}

/* Version 4 of RFC 9562: random, but for six bits. */
static int make_uuid(void)
{
	if (getrandom(ctf_uuid, sizeof(ctf_uuid), 0) != sizeof(ctf_uuid))
		return -errno;
	ctf_uuid[6] = (unsigned char)((ctf_uuid[6] & 0x0f) | 0x40);
	ctf_uuid[8] = (unsigned char)((ctf_uuid[8] & 0x3f) | 0x80);
	return 0;
}

void tracing_ctf_begin(const struct tracing *tracing)
{
	failure = make_uuid();
	if (failure == 0)
		failure = ctf_directory_empty();
	if (failure == 0)
		failure = ctf_metadata_begin(tracing);
}

static void set_forms(const struct sdtkit_tap_event *event,
		      struct ctf_form *forms)
{
	size_t i, j;

	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_field *field = &event->probe->fields[i];
		const struct sdtkit_tap_value *value = &event->values[i];
		size_t count;

		*forms = ctf_form(field, value);
		count = forms++->member_count;
		for (j = 0; j < count; j++)
			*forms++ = ctf_form(&field->members[j],
					    &value->members[j]);
	}
}

static void put_values(const struct sdtkit_tap_event *event,
		       const struct ctf_form *forms, struct tracing_bytes *bytes)
{
	size_t i, j;

	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_value *value = &event->values[i];
		const struct ctf_form *form = forms++;

		ctf_put_value(bytes, *form, value);
		for (j = 0; j < form->member_count; j++, forms++) {
			ctf_put_value(bytes, *forms, &value->members[j]);
			ctf_put_extras(bytes, *forms, &value->members[j]);
		}
		ctf_put_extras(bytes, *form, value);
	}
}

void tracing_ctf_hit(const struct sdtkit_tap_event *event)
{
	struct ctf_form forms[CTF_VALUES_MAX];
	uint32_t class_id;
	bool is_new;

	set_forms(event, forms);
	class_id = ctf_class(event, forms, &is_new);
	if (is_new)
		failure = ctf_metadata_add(event, forms, class_id);
	if (failure != 0) {
		unwritten++;
		return;
	}
	put_values(event, forms, ctf_stream_event(event->pid, event->tid,
						  event->time, class_id));
	ctf_stream_event_end();
}

void tracing_ctf_gap(uint64_t lost)
{
	ctf_stream_lose(lost);
}

void tracing_ctf_settle(uint64_t now)
{
	ctf_streams_settle(now);
}

void tracing_ctf_end(uint64_t now)
{
	ctf_streams_end(now);
}

int tracing_ctf_error(void)
{
	return failure != 0 ? failure : ctf_streams_error();
}

uint64_t tracing_ctf_unwritten(void)
{
	return unwritten + ctf_streams_unwritten();
}
