/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slots.c - computes percentiles from slots, 8 for each power of two:
 *
 *	slot   0 ... 15    one unit each
 *	slot  16 ... 23    two each: 16 and 17, ... 30 and 31
 *	slot  24 ... 31    four each
 */
#include <string.h>

#include "slots.h"

enum { EIGHTH_BITS = 3, EIGHTHS = 1 << EIGHTH_BITS };

unsigned long long slots_least(int slot)
{
	unsigned int part = (unsigned int)slot % EIGHTHS;
	int power = slot / EIGHTHS;

	return power == 0 ? part : (EIGHTHS + part) * 1ULL << (power - 1);
}

int slots_slot(unsigned long long value)
{
	int power;

	if (value < 2 * EIGHTHS)
		return (int)value;
	if (value >> 32)
		return SLOTS_FINE - 1;
	power = 63 - __builtin_clzll(value) - EIGHTH_BITS;
	return power * EIGHTHS + (int)(value >> power);
}

/*
 * Returns the rank of the value, from 1 on: for 0.5 of 3 values it is 2. Above
 * 2^53, a double may be larger than the count that it was made from.
 */
static unsigned long long rank_of(unsigned long long count, double part)
{
	double exact = (double)count * part;
	unsigned long long rank;

	if (exact >= 0x1p64)
		return count;
	rank = (unsigned long long)exact;
	if ((double)rank < exact)
		rank++;
	return rank < count ? rank : count;
}

double slots_quantile(const unsigned long long *slots, int count, int eighths,
		      double part)
{
	unsigned long long values = 0;
	unsigned long long rank;
	int i;

	for (i = 0; i < count; i++)
		values += slots[i];
	if (values == 0)
		return 0;
	rank = rank_of(values, part);
	for (i = 0; slots[i] < rank; i++)
		rank -= slots[i];
	return (double)(slots_least(eighths * i) +
			slots_least(eighths * (i + 1))) / 2;
}

void slots_fold(const unsigned long long fine[SLOTS_FINE],
		unsigned long long powers[SLOTS_POWERS])
{
	int i, power;

	memset(powers, 0, SLOTS_POWERS * sizeof(*powers));
	for (i = 0; i < SLOTS_FINE; i++) {
		power = i / EIGHTHS + EIGHTH_BITS - 1;
		if (i < EIGHTHS)
			power = i >= 4 ? 2 : i >= 2;
		powers[power] += fine[i];
	}
}
