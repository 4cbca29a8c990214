/* SPDX-License-Identifier: BSD-2-Clause */
/* condition.c - prints the terms of a condition, and their values. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "condition.h"

const char *condition_name(const struct term *term, char text[CONDITION_LABEL])
{
	snprintf(text, CONDITION_LABEL, *term->subject == '\0' ? "%s" : "%s(%s)",
		 term->measure->name, term->subject);
	return text;
}

const char *condition_label(const struct term *term, char text[CONDITION_LABEL])
{
	bool all = strcmp(term->subject, "*") == 0;
	char *at;

	snprintf(text, CONDITION_LABEL, *term->subject == '\0' ? "%s" : "%s-%s",
		 term->measure->name, all ? "all" : term->subject);
	for (at = text; *at != '\0'; at++) {
		if (!isalnum((unsigned char)*at) && *at != '_' && *at != '.')
			*at = '-';
	}
	return text;
}

static const char *bytes_text(double value, char text[CONDITION_LABEL])
{
	static const char *const names[] = { "", "Ki", "Mi", "Gi" };
	size_t i = 0;

	while (value >= 1024 && i < sizeof(names) / sizeof(names[0]) - 1) {
		value /= 1024;
		i++;
	}
	snprintf(text, CONDITION_LABEL, i == 0 ? "%.0f %sB/s" : "%.1f %sB/s",
		 value, names[i]);
	return text;
}

const char *condition_value(const struct term *term, double value,
			    char text[CONDITION_LABEL])
{
	switch (term->kind) {
	case MEASURE_TIME:
		if (value < 1e6)
			snprintf(text, CONDITION_LABEL, "%.0f us", value / 1e3);
		else if (value < 1e9)
			snprintf(text, CONDITION_LABEL, "%.1f ms", value / 1e6);
		else
			snprintf(text, CONDITION_LABEL, "%.2f s", value / 1e9);
		return text;
	case MEASURE_BYTES:
		return bytes_text(value, text);
	case MEASURE_PERCENT:
		snprintf(text, CONDITION_LABEL, "%.1f %%", value);
		return text;
	case MEASURE_RATE:
		snprintf(text, CONDITION_LABEL, "%.1f/s", value);
		return text;
	case MEASURE_NUMBER:
	case MEASURE_FAILURES:
		break;
	}
	snprintf(text, CONDITION_LABEL, "%.0f", value);
	return text;
}

double condition_worse(const struct term *term, double a, double b)
{
	bool more = term->compare == COMPARE_MORE ||
		term->compare == COMPARE_MORE_OR_SAME;

	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return (more ? b > a : b < a) ? b : a;
}
