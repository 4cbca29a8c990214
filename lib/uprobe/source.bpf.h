/* SPDX-License-Identifier: BSD-2-Clause */
/* source.bpf.h - reads arguments as the note of a site says. */
#ifndef UPROBE_SOURCE_BPF_H
#define UPROBE_SOURCE_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "registers.bpf.h"
#include "source.h"

/*
 * The registers of the process, for functions that are not static. The kernel
 * checks such a function once, and not for each call and each state in which it
 * is called: Linux 6.1 refuses a program for which it has to follow more than a
 * million instructions. It assumes that each pointer may be NULL. It knows the
 * context by the name of its type; a struct of this name is known to 6.1, too.
 */
struct bpf_user_pt_regs_t {
};

/* Extends a value of some bytes, at the low end of a word, to 8 bytes. */
static __always_inline __u64 widen(__u64 value,
				   const struct uprobe_source *source)
{
	__u32 bits = (64 - 8 * source->size) & 63;

	value <<= bits;
	return source->is_signed ? (__u64)((__s64)value >> bits) :
				   value >> bits;
}

__u64 value_slowly(struct bpf_user_pt_regs_t *ctx,
		   struct uprobe_source *source);

__noinline __u64 value_slowly(struct bpf_user_pt_regs_t *ctx,
			      struct uprobe_source *source)
{
	__u64 value[2] = { 0 };		/* the verifier allows for 15 bytes */
	__u64 address;

	if (!source)
		return 0;
	if (source->kind == UPROBE_CONSTANT)
		return source->value;
	if (source->kind == UPROBE_PART)
		return widen(registers_read(ctx, source->word) >>
			     (source->shift & 63), source);
	if (source->kind != UPROBE_MEMORY)
		return 0;
	address = source->value;
	if (source->word != 0xff)
		address += registers_read(ctx, source->word);
	if (source->index != 0xff)
		address += registers_read(ctx, source->index) <<
			   (source->scale & 63);
	if (bpf_probe_read_user(value, source->size & 15, (void *)address))
		return 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value[0] >>= (64 - 8 * source->size) & 63;
#endif
	return widen(value[0], source);
}

static __always_inline __u64 value_at(void *ctx, struct uprobe_source *source)
{
	if (source->kind == UPROBE_REGISTER)
		return registers_read(ctx, source->word);
	return value_slowly(ctx, source);
}

#endif /* UPROBE_SOURCE_BPF_H */
