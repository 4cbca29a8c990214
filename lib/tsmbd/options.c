/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - what options together ask for. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sinks/sink.h"
#include "options.h"
#include "rows.h"

bool options_lines(const struct options *o)
{
	return o->slow || o->errors || o->exits || o->oplocks;
}

unsigned int options_tops(const struct options *options)
{
	return options->tops | options->sink_tops;
}

bool options_prints_slow(const struct options *o, unsigned long long ns)
{
	return o->slow && (double)ns >= o->slow_ms * 1e6;
}

double options_slow_ms(const void *options)
{
	const struct options *o = options;

	if (!o->sink_slow)
		return o->slow ? o->slow_ms : -1;
	return o->slow && o->slow_ms < o->sink_slow_ms ? o->slow_ms :
		o->sink_slow_ms;
}

void *options_complete(const void *from, bool json)
{
	const struct options *options = from;
	struct options *o = memory_of(malloc(sizeof(*o)));

	*o = *options;
	o->tops = options_tops(options);
	o->json = json;
	o->slow = o->oplocks = true;
	return o;
}

void options_need(void *options, const struct sink_needs *needs)
{
	struct options *o = options;

	o->sink_tops = (needs->tables & SMBD_NAMES) >> SMBD_CLIENTS;
	o->share_commands = (needs->tables & 1U << SMBD_SHARE_COMMANDS) != 0;
	o->sink_waits = (needs->tables & 1U << SMBD_WAITS) != 0;
	o->sink_slow = needs->slow;
	o->sink_slow_ms = needs->slow_ms;
	o->sink_samples = needs->samples;
}

unsigned int options_tables(const void *options)
{
	const struct options *o = options;

	return o->tops << SMBD_CLIENTS |
		(unsigned int)o->calls << SMBD_CALLS |
		(unsigned int)o->distributions << SMBD_SIZES |
		(unsigned int)o->oplocks << SMBD_WAITS;
}

bool options_filter(const void *options)
{
	const struct options *o = options;
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (o->filters[kind].count > 0)
			return true;
	}
	return o->commands != ~0U;
}
