/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * when.c - converts CLOCK_MONOTONIC, which the kernel's programs read, to the
 * time of day.
 *
 * The difference of the two clocks is read each time, because the time of day
 * may be set while a program runs for days.
 */
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "clock.h"
#include "when.h"

/* Two readings of clocks take less if nothing else runs in between. */
enum { APART_NS = 50000 };

static bool recorded;

void when_recorded(void)
{
	recorded = true;
}

static long long read_clock(clockid_t clock)
{
	return (long long)sdtkit_nanoseconds(clock);
}

/* Another process may run for long between two readings: then once more. */
unsigned long long when_offset(void)
{
	long long before, real, after;
	int tries = 10;

	if (recorded)
		return 0;
	do {
		before = read_clock(CLOCK_MONOTONIC);
		real = read_clock(CLOCK_REALTIME);
		after = read_clock(CLOCK_MONOTONIC);
	} while (after - before > APART_NS && --tries > 0);
	return (unsigned long long)(real - before);
}

/* Returns nanoseconds since 1970. */
static long long convert(unsigned long long ns)
{
	return (long long)(ns + when_offset());
}

long long when_epoch_ms(unsigned long long ns)
{
	return convert(ns) / 1000000;
}

/* Returns the microseconds of the second that tm is. */
static int split(unsigned long long ns, struct tm *tm)
{
	long long at = convert(ns);
	time_t second;

	second = at / 1000000000;
	localtime_r(&second, tm);
	return (int)(at / 1000 % 1000000);
}

const char *when_exact(unsigned long long ns, char text[WHEN_SIZE])
{
	struct tm tm;
	int us = split(ns, &tm);

	snprintf(text, WHEN_SIZE, "%02d:%02d:%02d.%06d", tm.tm_hour,
		 tm.tm_min, tm.tm_sec, us);
	return text;
}

const char *when_line(unsigned long long ns, char text[WHEN_SIZE])
{
	when_exact(ns, text);
	text[sizeof("14:03:21.482") - 1] = '\0';
	return text;
}

const char *when_json(unsigned long long ns, char text[WHEN_SIZE])
{
	char day[24], zone[8];
	struct tm tm;
	int ms = split(ns, &tm) / 1000 % 1000;

	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	strftime(zone, sizeof(zone), "%z", &tm);
	snprintf(text, WHEN_SIZE, "%s.%03d%.3s:%s", day, ms, zone, zone + 3);
	return text;
}

const char *when_report(unsigned long long ns, char text[WHEN_SIZE])
{
	struct tm tm;

	split(ns, &tm);
	strftime(text, WHEN_SIZE, "%Y-%m-%d %H:%M:%S", &tm);
	return text;
}
