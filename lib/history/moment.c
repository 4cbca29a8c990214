/* SPDX-License-Identifier: BSD-2-Clause */
/* moment.c - parses "-2h", "10:00", "2026-11-23 10:00" and "@1795428000". */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "history/moment.h"
#include "settings/values.h"

static const double SECOND_NS = 1e9;
static const unsigned long long DAY_NS = 86400000000000ULL;

/* Converts digits with or without a point; returns what follows, or NULL. */
static const char *digits(const char *text, double *value)
{
	size_t length = strspn(text, "0123456789.");
	char *end;

	if (length == 0 || length > 24)
		return NULL;
	*value = strtod(text, &end);
	return end == text + length ? end : NULL;
}

static bool parse_before(const char *text, unsigned long long now_ns,
			 unsigned long long *ns)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {
		{ "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 },
		{ "", 1 },
	};
	const char *unit;
	double value;
	size_t i;

	unit = digits(text, &value);
	for (i = 0; unit != NULL && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].unit) != 0)
			continue;
		value *= units[i].seconds * SECOND_NS;
		if (value >= (double)now_ns)
			return false;
		*ns = now_ns - (unsigned long long)value;
		return true;
	}
	return false;
}

static bool parse_epoch(const char *text, unsigned long long *ns)
{
	const char *end;
	double value;

	end = digits(text, &value);
	if (end == NULL || *end != '\0' || value > 1e10)
		return false;
	*ns = (unsigned long long)(value * SECOND_NS);
	return true;
}

static bool parse_format(const char *text, const char *format, time_t now,
			 unsigned long long *ns)
{
	const char *end;
	struct tm tm;
	time_t second;

	localtime_r(&now, &tm);
	tm.tm_sec = tm.tm_min = 0;
	if (strncmp(format, "%Y", 2) == 0)
		tm.tm_hour = 0;
	end = strptime(text, format, &tm);
	if (end == NULL || *end != '\0')
		return false;
	tm.tm_isdst = -1;
	second = mktime(&tm);
	if (second < 0)
		return false;
	*ns = (unsigned long long)second * 1000000000ULL;
	return true;
}

bool moment_parse(const char *text, unsigned long long now_ns,
		  unsigned long long *ns)
{
	static const char *const formats[] = {
		"%H:%M", "%H:%M:%S", "%Y-%m-%d", "%Y-%m-%d %H:%M",
		"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S",
	};
	size_t i;

	if (strcmp(text, "now") == 0) {
		*ns = now_ns;
		return true;
	}
	if (*text == '-')
		return parse_before(text + 1, now_ns, ns);
	if (*text == '@')
		return parse_epoch(text + 1, ns);
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (!parse_format(text, formats[i],
				  (time_t)(now_ns / 1000000000ULL), ns))
			continue;
		if (formats[i][1] == 'H' && *ns > now_ns)
			*ns -= DAY_NS;
		return true;
	}
	return false;
}

void moment_option(const char *what, const char *text, unsigned long long *ns)
{
	char word[VALUES_WORD];

	if (!moment_parse(text, sdtkit_nanoseconds(CLOCK_REALTIME), ns))
		values_refuse("invalid value '%s' for %s: use a time such as "
			      "-2h, 10:00, '2026-11-23 10:00' or @1795428000",
			      values_word(text, word), what);
}
