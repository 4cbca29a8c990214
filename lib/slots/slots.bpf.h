/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots of distributions, in the kernel; slots.c computes their percentiles. */
#ifndef SLOTS_BPF_H
#define SLOTS_BPF_H

#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "slots.h"

/* 0 and 1: 0; 2 and 3: 1; 4 to 7: 2; and so on, to 31. */
static __always_inline __u32 slots_power(__u64 value)
{
	__u32 slot = 0;

	if (value >> 32)
		return 31;
	if (value >> 16) {
		value >>= 16;
		slot += 16;
	}
	if (value >> 8) {
		value >>= 8;
		slot += 8;
	}
	if (value >> 4) {
		value >>= 4;
		slot += 4;
	}
	if (value >> 2) {
		value >>= 2;
		slot += 2;
	}
	if (value >> 1)
		slot++;
	return slot & 31;
}

/*
 * Eighths of powers of 2: 0 to 15 one by one, 16 and 17, and so on. The
 * compiler must not know the range of the result: it would remove the mask
 * where the result is used as an index, and without that mask the verifier of
 * Linux 6.1 does not accept the index.
 */
static __always_inline __u64 slots_fine(__u64 value)
{
	__u64 slot = slots_power(value);

	if (slot < 4)
		slot = value & 15;
	else if (value >> 32)
		slot = SLOTS_FINE - 1;
	else
		slot = (slot - 2) * 8 + (value >> (slot - 3) & 7);
	barrier_var(slot);
	return slot;
}

#endif /* SLOTS_BPF_H */
