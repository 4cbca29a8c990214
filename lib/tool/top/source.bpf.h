/* SPDX-License-Identifier: BSD-2-Clause */
/* source.bpf.h - texts that are arguments, and filters. */
#ifndef SOURCE_BPF_H
#define SOURCE_BPF_H

#include "top/state.bpf.h"
#include "lib/uprobe/pattern.bpf.h"
#include "lib/uprobe/source.bpf.h"
#include "lib/uprobe/test.bpf.h"

__u64 text_of(__u64 address, __u32 span);

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
	const __u32 zero = 0;
	void *texts;
	__u64 hash;
	long size;
	int ret;
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
	texts = bpf_map_lookup_elem(&texts_now, &zero);
	if (!texts || bpf_map_lookup_elem(texts, &hash))
		return hash;
	ret = bpf_map_update_elem(texts, &hash, words, BPF_NOEXIST);
	if (!ret && __sync_fetch_and_add(&texts_used, 1) == TOP_TURN_TEXTS - 1)
		turn_soon();
	/* another processor may have been faster */
	if (ret && !bpf_map_lookup_elem(texts, &hash))
		stat(span, offsetof(struct top_stats, unkept));
	return hash;
}

static __always_inline __u64 value_or_text(void *ctx, struct uprobe_source *source,
					   __u32 span)
{
	__u64 value = value_at(ctx, source);

	return has_texts && source->is_text ? text_of(value, span) : value;
}

static __always_inline bool passes(struct bpf_user_pt_regs_t *ctx,
				   struct top_filter *filter, int i, __u32 span)
{
	struct uprobe_test *test = &filter->test[i];
	__u64 address;
	int found;

	if (test->compare < UPROBE_LIKE)
		return test_passes(ctx, test);
	address = value_at(ctx, &test->source);
	found = is_like(&filter->pattern[i], address);
	if (found < 0 && address) {
		if (span < TOP_SPANS)
			stat(span, offsetof(struct top_stats, unread));
		else
			add(&lost_strings, 1);
	}
	return (found > 0) == (test->compare == UPROBE_LIKE);
}

int passes_all(struct bpf_user_pt_regs_t *ctx, struct top_filter *filter,
	       __u32 span);

__noinline int passes_all(struct bpf_user_pt_regs_t *ctx,
			  struct top_filter *filter, __u32 span)
{
	int i;

	for (i = 0; filter && i < TOP_TESTS; i++) {
		if (i >= filter->count)
			break;
		if (!passes(ctx, filter, i, span))
			return false;
	}
	return true;
}

/* Whether the filter of a site takes the hit. */
static __always_inline bool is_taken(void *ctx, struct top_action *a)
{
	struct top_filter *filter;
	/* a copy, as Linux 6.1 takes no key from the memory of an argument */
	__u32 key = a->filter;

	if (!has_filters || !key)
		return true;
	filter = bpf_map_lookup_elem(&filters, &key);
	return !filter || passes_all(ctx, filter, a->role == TOP_END ?
				     a->span : TOP_SPANS);
}

#endif /* SOURCE_BPF_H */
