/* SPDX-License-Identifier: BSD-2-Clause */
/* sinks.c - the table of what takes reports. */
#include <stddef.h>

#include "history/sink.h"
#include "metrics/metrics.h"
#include "sinks.h"

static const struct sink *const sinks[] = {
	&history_sink,
	&metrics_sink,
	NULL,
};

/* Returns the next one that is wanted, or NULL. */
static const struct sink *next(const struct options *options,
			       const struct sink *const **rest)
{
	const struct sink *sink;

	while ((sink = **rest) != NULL) {
		(*rest)++;
		if (sink->wanted(options))
			return sink;
	}
	return NULL;
}

void sinks_open(struct options *options)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;

	while ((sink = next(options, &rest)) != NULL)
		sink->open(options);
}

void sinks_take(const struct options *options, const struct report *report)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;

	while ((sink = next(options, &rest)) != NULL)
		sink->take(options, report);
}

void sinks_event(const struct options *options,
		 const struct tsmbd_event *event)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;

	while ((sink = next(options, &rest)) != NULL) {
		if (sink->event != NULL)
			sink->event(options, event);
	}
}

bool sinks_close(const struct options *options)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;
	bool good = true;

	while ((sink = next(options, &rest)) != NULL) {
		if (sink->close != NULL)
			good &= sink->close(options);
	}
	return good;
}
