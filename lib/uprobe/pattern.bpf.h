/* SPDX-License-Identifier: BSD-2-Clause */
/* pattern.bpf.h - compares a string of the program with a pattern. */
#ifndef UPROBE_PATTERN_BPF_H
#define UPROBE_PATTERN_BPF_H

#include "pattern.h"
#include "source.bpf.h"

/* Whether the bytes of the pattern from there on are those of the text. */
static __always_inline bool is_same(const struct uprobe_pattern *pattern,
				    __u32 from, __u32 count,
				    const unsigned char *text)
{
	__u32 i;

	for (i = 0; i < UPROBE_PATTERN - 1; i++) {
		unsigned char wanted = pattern->text[(from + i) &
						     (UPROBE_PATTERN - 1)];

		if (i >= count)
			break;
		if (!text[i] || (wanted != '?' && wanted != text[i]))
			return false;
	}
	return true;
}

/* Not static: see struct bpf_user_pt_regs_t. */
int is_like(struct uprobe_pattern *pattern, __u64 address);

/*
 * Whether the string there is like the pattern, by the rules of passes_text() of
 * lib/record; -1: it cannot be read. It is read in pieces that are longer than
 * a pattern, and small enough for the stack.
 */
__noinline int is_like(struct uprobe_pattern *pattern, __u64 address)
{
	unsigned char text[UPROBE_PATTERN + 8] = { 0 };
	__u32 length, last, i;
	long size;

	if (!pattern)
		return 0;
	size = bpf_probe_read_user_str(text, sizeof(text), (void *)address);
	if (size <= 0)
		return -1;
	if (!is_same(pattern, 0, pattern->first, text))
		return 0;
	length = size - 1;
	if (!pattern->has_star)
		return length == pattern->first;
	for (i = 0; i < UPROBE_COMPARED / UPROBE_PATTERN && size == sizeof(text);
	     i++) {
		size = bpf_probe_read_user_str(text, sizeof(text),
					       (void *)(address + length));
		if (size <= 0)
			return -1;
		length += size - 1;
	}
	if (length > UPROBE_COMPARED)
		length = UPROBE_COMPARED;
	last = pattern->last & (UPROBE_PATTERN - 1);
	if (length < pattern->first + last)
		return 0;
	if (bpf_probe_read_user(text, last, (void *)(address + length - last)))
		return -1;
	return is_same(pattern, pattern->first, last, text);
}

#endif /* UPROBE_PATTERN_BPF_H */
