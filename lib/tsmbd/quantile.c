/* SPDX-License-Identifier: BSD-2-Clause */
/* quantile.c - percentiles of requests: see lib/slots for how they are counted. */
#include "quantile.h"
#include "slots.h"

static double limit(double us, unsigned long long min_ns,
		    unsigned long long max_ns)
{
	double least = (double)min_ns / 1000;
	double most = (double)max_ns / 1000;

	us = us < least ? least : us;
	return us > most ? most : us;
}

double quantile_fine(const unsigned long long slots[TSMBD_FINE], double part,
		     const struct tsmbd_extreme *extreme)
{
	return limit(slots_quantile(slots, TSMBD_FINE, 1, part), extreme->min,
		     extreme->max);
}

double quantile_coarse(const unsigned int slots[TSMBD_COARSE], double part,
		       unsigned long long max_ns)
{
	unsigned long long wide[TSMBD_COARSE];
	int i;

	for (i = 0; i < TSMBD_COARSE; i++)
		wide[i] = slots[i];
	return limit(slots_quantile(wide, TSMBD_COARSE, 2, part), 0, max_ns);
}

void quantile_fold(const unsigned long long fine[TSMBD_FINE],
		   unsigned long long slots[TSMBD_SLOTS])
{
	slots_fold(fine, TSMBD_FINE, slots);
}

unsigned long long quantile_least(int slot)
{
	if (slot < 16)
		return (unsigned long long)slot;
	return (8ULL + (unsigned int)slot % 8) << (slot / 8 - 1);
}

int quantile_slot(unsigned long long us)
{
	int power;

	if (us < 16)
		return (int)us;
	if (us >> 32)
		return TSMBD_FINE - 1;
	power = 63 - __builtin_clzll(us);
	return (power - 2) * 8 + (int)(us >> (power - 3) & 7);
}
