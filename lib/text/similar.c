/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guesses what a name was renamed to, by edit distance (Levenshtein), as
 * compilers do for misspelt names.
 *
 *	request_end  request_done	3 steps for 12 letters: 75 %
 */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "pattern.h"
#include "similar.h"

enum {
	/* No tracer has longer names. */
	LENGTH_MAX = 128,
	NEAR = sizeof(((struct sdtkit_similar *)0)->near) /
	       sizeof(((struct sdtkit_similar *)0)->near[0]),
	/*
	 * In percent. Names of other providers are less similar to a pattern.
	 */
	NEAR_ENOUGH = 50,
	/* "unbnd" for "unbound", "smb" for "smb2". */
	PROVIDER_ENOUGH = 70,
};

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/*
 * Computes one row of the table after the other; the last cell is the distance.
 */
static unsigned int distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned int row[LENGTH_MAX + 1], diagonal, above;
	size_t i, j;

	for (j = 0; j <= m; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= n; i++) {
		diagonal = row[0];
		row[0] = (unsigned int)i;
		for (j = 1; j <= m; j++) {
			above = row[j];
			row[j] = least(above + 1, row[j - 1] + 1,
				       diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[m];
}

unsigned int sdtkit_similar_names(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), longer = n > m ? n : m;

	if (longer == 0)
		return 100;
	if (longer > LENGTH_MAX)
		return strcmp(a, b) == 0 ? 100 : 0;
	return (unsigned int)(100 - 100 * distance(a, n, b, m) / longer);
}

const char *sdtkit_similar_option(const char *word,
				  const struct option *options)
{
	unsigned int most = SIMILAR_ENOUGH, percent;
	const char *found = NULL;
	char name[64];

	if (strncmp(word, "--", 2) != 0)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="),
		 word + 2);
	for (; options->name != NULL; options++) {
		percent = sdtkit_similar_names(name, options->name);
		if (percent == 100)
			return NULL;
		if (percent < most)
			continue;
		most = percent;
		found = options->name;
	}
	return found;
}

/*
 * Compares the part of the glob before its first star with as much of the name.
 */
static unsigned int likeness_to(const char *glob, const char *name)
{
	size_t fixed = strcspn(glob, "*?[");
	char shown[128], wanted[128];

	snprintf(wanted, sizeof(wanted), "%.*s", (int)fixed, glob);
	/* The user may know only the beginning of the name. */
	if (fixed > 0 && strncmp(name, wanted, strlen(wanted)) == 0)
		return 100;
	if (glob[fixed] == '\0' || fixed == 0)
		snprintf(shown, sizeof(shown), "%s", name);
	else
		snprintf(shown, sizeof(shown), "%.*s", (int)fixed + 1, name);
	return sdtkit_similar_names(wanted, shown);
}

/*
 * Whether the provider is similar. A user who misspelt it, or guessed the
 * probe, wants to know which probes it has, even if the rest is not similar.
 */
static bool is_like_provider(const char *glob, const char *name)
{
	size_t length = strcspn(glob, ":*?[");
	char wanted[128], shown[128];

	if (glob[length] != ':')
		return false;
	snprintf(wanted, sizeof(wanted), "%.*s", (int)length, glob);
	snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(name, ":"), name);
	return sdtkit_similar_names(wanted, shown) >= PROVIDER_ENOUGH;
}

/*
 * Returns the similarity to the most similar pattern. "!smb2:x" does not ask
 * for a name.
 */
static unsigned int likeness(const char *patterns, const char *name)
{
	struct sdtkit_pattern pattern;
	unsigned int most = 0;

	while (sdtkit_pattern_next(&patterns, &pattern)) {
		unsigned int percent;

		if (pattern.excludes)
			continue;
		percent = likeness_to(pattern.glob, name);
		if (percent < NEAR_ENOUGH &&
		    is_like_provider(pattern.glob, name))
			percent = NEAR_ENOUGH;
		most = percent > most ? percent : most;
	}
	return most;
}

void sdtkit_similar_saw(struct sdtkit_similar *similar, const char *patterns,
			const char *provider, const char *probe)
{
	unsigned int percent;
	char name[128];
	size_t i;

	snprintf(name, sizeof(name), "%s:%s", provider, probe);
	for (i = 0; i < NEAR; i++) {
		if (strcmp(similar->near[i].name, name) == 0)
			return;
	}
	percent = likeness(patterns, name);
	for (i = 0; i < NEAR; i++) {
		if (percent < NEAR_ENOUGH ||
		    percent <= similar->near[i].percent)
			continue;
		memmove(&similar->near[i + 1], &similar->near[i],
			(NEAR - 1 - i) * sizeof(similar->near[0]));
		memcpy(similar->near[i].name, name, sizeof(name));
		similar->near[i].percent = percent;
		return;
	}
}

const char *sdtkit_similar_text(const struct sdtkit_similar *similar,
				char *buffer)
{
	size_t length = 0, i;

	buffer[0] = '\0';
	for (i = 0; i < NEAR && similar->near[i].percent > 0; i++)
		length += (size_t)snprintf(buffer + length,
					   SIMILAR_TEXT - length, "%s%s",
					   i > 0 ? ", " : "",
					   similar->near[i].name);
	return buffer;
}

/* The user may have left out the inner record that a member is in. */
static unsigned int likeness_of_member(const char *name, const char *wanted)
{
	const char *dot = strrchr(name, '.');
	unsigned int whole = sdtkit_similar_names(name, wanted), last = 0;

	if (dot != NULL)
		last = sdtkit_similar_names(dot + 1, wanted);
	return whole > last ? whole : last;
}

/* Whether the list has it, between commas. */
static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (*list != '\0') {
		size_t size = strcspn(list, ",");

		if (size == length && memcmp(list, name, length) == 0)
			return true;
		list += size + strspn(list + size, ", ");
	}
	return false;
}

void sdtkit_meant_saw(struct sdtkit_meant *meant, const char *name,
		      const char *wanted)
{
	static const char more[] = ", ...";
	size_t length = strlen(meant->all), size = sizeof(meant->all);
	unsigned int percent = likeness_of_member(name, wanted);

	if (is_listed(meant->all, name))
		return;
	if (length + strlen(name) + 2 + sizeof(more) <= size)
		snprintf(meant->all + length, size - length, "%s%s",
			 length > 0 ? ", " : "", name);
	else if (length > 0 && meant->all[length - 1] != '.')
		snprintf(meant->all + length, size - length, "%s", more);
	if (percent < SIMILAR_ENOUGH || percent <= meant->percent)
		return;
	snprintf(meant->best, sizeof(meant->best), "%s", name);
	meant->percent = percent;
}

const char *sdtkit_meant_text(const struct sdtkit_meant *meant, char *buffer)
{
	if (meant->percent > 0)
		snprintf(buffer, SDTKIT_MEANT_SIZE, "did you mean %s?",
			 meant->best);
	else if (meant->all[0] != '\0')
		snprintf(buffer, SDTKIT_MEANT_SIZE, "it has: %s", meant->all);
	else
		snprintf(buffer, SDTKIT_MEANT_SIZE, "it has none");
	return buffer;
}
