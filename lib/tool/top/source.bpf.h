/* SPDX-License-Identifier: BSD-2-Clause */
/* source.bpf.h - reads arguments as the note of a site says. */
#ifndef SOURCE_BPF_H
#define SOURCE_BPF_H

#include "top/state.bpf.h"
#include "lib/uprobe/registers.bpf.h"

/* Extends a value of some bytes, at the low end of a word, to 8 bytes. */
static __always_inline __u64 widen(__u64 value, const struct top_source *source)
{
	__u32 bits = (64 - 8 * source->size) & 63;

	value <<= bits;
	return source->is_signed ? (__u64)((__s64)value >> bits) :
				   value >> bits;
}

__u64 value_slowly(struct bpf_user_pt_regs_t *ctx, struct top_source *source);
__u64 text_of(__u64 address, __u32 span);

__noinline __u64 value_slowly(struct bpf_user_pt_regs_t *ctx,
			      struct top_source *source)
{
	__u64 value[2] = { 0 };		/* the verifier allows for 15 bytes */
	__u64 address;

	if (!source)
		return 0;
	if (source->kind == TOP_CONSTANT)
		return source->value;
	if (source->kind == TOP_PART)
		return widen(registers_read(ctx, source->word) >>
			     (source->shift & 63), source);
	if (source->kind != TOP_MEMORY)
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

static __always_inline __u64 value_at(void *ctx, struct top_source *source)
{
	if (source->kind == TOP_REGISTER)
		return registers_read(ctx, source->word);
	return value_slowly(ctx, source);
}

static __always_inline __u64 mix(__u64 hash, __u64 word)
{
	hash = (hash ^ word) * secret[1];
	hash = (hash ^ hash >> 32) * secret[2];
	return hash ^ hash >> 32;
}

/* Stores a text once, and returns its hash; a text that is cut is another. */
__noinline __u64 text_of(__u64 address, __u32 span)
{
	__u64 words[TOP_TEXT / 8] = { 0 };
	__u64 hash;
	long size;
	int i;

	size = bpf_probe_read_user_str(words, sizeof(words), (void *)address);
	if (size < 0) {
		if (address)
			stat(span, offsetof(struct top_stats, unread));
		words[0] = 0;
	}
	hash = mix(secret[0], words[0]);
	for (i = 1; i < TOP_TEXT / 8; i++) {
		if (8 * i >= size)
			break;
		hash = mix(hash, words[i]);
	}
	if (!bpf_map_lookup_elem(&texts, &hash))
		bpf_map_update_elem(&texts, &hash, words, BPF_ANY);
	return hash;
}

static __always_inline __u64 value_or_text(void *ctx, struct top_source *source,
					   __u32 span)
{
	__u64 value = value_at(ctx, source);

	return has_texts && source->is_text ? text_of(value, span) : value;
}

#endif /* SOURCE_BPF_H */
