/* SPDX-License-Identifier: BSD-2-Clause */
/* test.bpf.h - compares an argument with a number. */
#ifndef UPROBE_TEST_BPF_H
#define UPROBE_TEST_BPF_H

#include "source.bpf.h"

/* Not static: see struct bpf_user_pt_regs_t. */
int test_passes(struct bpf_user_pt_regs_t *ctx, struct uprobe_test *test);

/* As passes() of lib/record/hit.c. */
__noinline int test_passes(struct bpf_user_pt_regs_t *ctx,
			   struct uprobe_test *test)
{
	__u64 member[2] = { 0 };	/* the verifier allows for 15 bytes */
	__u64 value, flip, other;

	if (!test)
		return 0;
	value = value_at(ctx, &test->source);
	if (test->size) {
		if (bpf_probe_read_user(member, test->size & 15,
					(void *)(value + test->offset)))
			return 0;
		value = member[0];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		value >>= (64 - 8 * test->size) & 63;
#endif
	}
	value <<= test->unused & 63;
	value = test->is_signed ?
		(__u64)((__s64)value >> (test->unused & 63)) :
		value >> (test->unused & 63);
	/* with the sign bit changed, unsigned order is signed order */
	flip = test->is_signed ? 1ULL << 63 : 0;
	other = test->value ^ flip;
	value ^= flip;
	switch (test->compare) {
	case 0:
		return value == other;
	case 1:
		return value != other;
	case 2:
		return value < other;
	case 3:
		return value <= other;
	case 4:
		return value > other;
	default:
		return value >= other;
	}
}

#endif /* UPROBE_TEST_BPF_H */
