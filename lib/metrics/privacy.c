/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * privacy.c - names become hashes, or are left out.
 *
 *	ipv4:192.0.2.7 -> 8c5a0f1d93b2e604
 *
 * The key is made anew at each start, so a hash means something only as long as
 * this program runs. The same name has the same hash everywhere: in metrics,
 * lines and tables. The kind of the name is hashed too, so that a user and a
 * share of the same name do not tell of each other.
 */
#include <err.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/siphash.h"
#include "privacy.h"

enum { LONGEST = 1024 };		/* what comes after is not hashed */

static const unsigned long long *secret(void)
{
	static unsigned long long key[2];
	static bool made;

	if (!made && getrandom(key, sizeof(key), 0) != sizeof(key))
		err(1, "cannot get random bytes for --privacy");
	made = true;
	return key;
}

void privacy_hide(enum privacy how, char kind, char *name, size_t size)
{
	char text[LONGEST + 1];
	int length;

	if (how == PRIVACY_NONE || name[0] == '\0')
		return;
	if (how == PRIVACY_OMIT) {
		snprintf(name, size, "hidden");
		return;
	}
	length = snprintf(text, sizeof(text), "%c%s", kind, name);
	if (length >= (int)sizeof(text))
		length = (int)sizeof(text) - 1;
	snprintf(name, size, "%016llx",
		 siphash(secret(), text, (size_t)length));
}

void privacy_row(enum privacy how, const struct report_table *table, void *row)
{
	const struct report_key *key;

	for (key = table->keys; key < table->keys + table->num_keys; key++) {
		char *name = (char *)row + key->offset;

		if (key->private == '\0' || how == PRIVACY_NONE)
			continue;
		if (key->shorten != NULL)
			key->shorten(name);
		privacy_hide(how, key->private, name, key->size);
	}
}

void privacy_report(enum privacy how, struct report *r)
{
	const struct report_table *table;
	size_t t, i;

	for (t = 0; t < r->tables->count && how != PRIVACY_NONE; t++) {
		table = report_table(r, t);
		if (table->by_name && how == PRIVACY_OMIT)
			r->rows[t].count = 0;
		for (i = 0; i < r->rows[t].count; i++)
			privacy_row(how, table, report_row(r, t, i));
		report_sort(r, t, NULL);
	}
}
