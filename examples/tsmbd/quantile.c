/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quantile.c - computes percentiles from slots, 8 for each power of two:
 *
 *	slot   0 ... 15    one microsecond each
 *	slot  16 ... 23    two each: 16 and 17, ... 30 and 31
 *	slot  24 ... 31    four each
 */
#include <string.h>

#include "quantile.h"

enum { EIGHTH_BITS = 3, EIGHTHS = 1 << EIGHTH_BITS };

/* Returns the least microsecond of a slot, or where the last slot ends. */
static double first_of(int slot)
{
	int power = slot / EIGHTHS;

	if (power == 0)
		return slot;
	return (double)(EIGHTHS + slot % EIGHTHS) *
		(double)(1ULL << (power - 1));
}

static double limit(double us, unsigned long long min_ns,
		    unsigned long long max_ns)
{
	double least = (double)min_ns / 1000;
	double most = (double)max_ns / 1000;

	us = us < least ? least : us;
	return us > most ? most : us;
}

/* Returns the rank of the request, from 1 on: for 0.5 of 3 requests it is 2. */
static unsigned long long rank_of(unsigned long long count, double part)
{
	unsigned long long rank = (unsigned long long)((double)count * part);

	return (double)rank < (double)count * part ? rank + 1 : rank;
}

double quantile_fine(const unsigned long long slots[TSMBD_FINE], double part,
		     const struct tsmbd_extreme *extreme)
{
	unsigned long long count = 0;
	unsigned long long rank;
	int i;

	for (i = 0; i < TSMBD_FINE; i++)
		count += slots[i];
	if (count == 0)
		return 0;
	rank = rank_of(count, part);
	for (i = 0; slots[i] < rank; i++)
		rank -= slots[i];
	return limit((first_of(i) + first_of(i + 1)) / 2, extreme->min,
		     extreme->max);
}

double quantile_coarse(const unsigned int slots[TSMBD_COARSE], double part,
		       unsigned long long max_ns)
{
	unsigned long long count = 0;
	unsigned long long rank;
	int i;

	for (i = 0; i < TSMBD_COARSE; i++)
		count += slots[i];
	if (count == 0)
		return 0;
	rank = rank_of(count, part);
	for (i = 0; slots[i] < rank; i++)
		rank -= slots[i];
	return limit((first_of(2 * i) + first_of(2 * i + 2)) / 2, 0, max_ns);
}

void quantile_fold(const unsigned long long fine[TSMBD_FINE],
		   unsigned long long slots[TSMBD_SLOTS])
{
	int i, power;

	memset(slots, 0, TSMBD_SLOTS * sizeof(slots[0]));
	for (i = 0; i < TSMBD_FINE; i++) {
		power = i / EIGHTHS + EIGHTH_BITS - 1;
		if (i < EIGHTHS)
			power = i >= 4 ? 2 : i >= 2;
		slots[power] += fine[i];
	}
}
