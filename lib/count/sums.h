/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a set: see file.h, and path.h. What count.bpf.h does for top. */
#ifndef SDTKIT_COUNT_SUMS_H
#define SDTKIT_COUNT_SUMS_H

#include "path.h"

struct end {
	/* Nanoseconds; told: by an argument, or NOT_TOLD. */
	uint64_t told;
	uint64_t total;
	uint64_t running;
	uint64_t self;
	bool is_error;
};

FAST bool is_error(const struct sdtkit_count_plan *plan, int64_t value)
{
	int i;

	if (plan->flags & SDTKIT_COUNT_ERROR_NEGATIVE)
		return value < 0;
	for (i = 0; i < plan->ok_count; i++) {
		if (plan->ok[i] == value)
			return false;
	}
	return true;
}

/* A program may write numbers there by mistake that are not in the set. */
FAST void *find_entry(const struct hit *hit,
		      const struct sdtkit_count_head *head)
{
	struct sdtkit_count_set *set = hit->set;
	uint32_t at = sdtkit_count_begin_at(head), i;

	for (i = 0; i < SDTKIT_COUNT_INDEX; i++) {
		uint16_t number = atomic_load_explicit(&set->index[at],
						       memory_order_relaxed);
		struct sdtkit_count_head *there =
			sdtkit_count_block(set, number);

		if (number == 0 || number > hit->counter->last_block)
			return NULL;
		if (sdtkit_count_is_same(there, head))
			return there;
		at = (at + 1) % SDTKIT_COUNT_INDEX;
	}
	return NULL;
}

/* The bytes of a word that come first in memory, less than 8 of them. */
FAST uint64_t first_bytes(uint64_t word, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return word & ~(UINT64_MAX >> 8 * count);
#else
	return word & ~(UINT64_MAX << 8 * count);
#endif
}

/* Keeps a text once in a set, and returns its hash. */
static __attribute__((noinline)) uint64_t
any_text_of(struct hit *hit, unsigned int span, uint64_t address)
{
	union {
		uint64_t words[SDTKIT_COUNT_TEXT / 8 + 1];
		char bytes[SDTKIT_COUNT_TEXT + 8];
	} text;
	struct sdtkit_count_head head = { .kind = SDTKIT_COUNT_NAME_TEXT };
	uint32_t length = address != 0 ? SDTKIT_RECORD_FAULT : 0, i = 0;
	uint64_t *known;

	text.words[0] = 0;
	if (address >= PAGE)
		length = copy_string(&hit->cursor, (uintptr_t)address,
				     (unsigned char *)text.bytes,
				     SDTKIT_COUNT_TEXT - 1);
	if (length & SDTKIT_RECORD_FAULT) {
		STAT(hit, span, unread);
		length = 0;
	}
	length &= SDTKIT_RECORD_LENGTH;
	text.words[length / 8] = first_bytes(text.words[length / 8],
					     length % 8);
	head.name[0] = hit->counter->secret;
	do
		head.name[0] = mix(head.name[0], text.words[i]);
	while (++i * 8 < length);
	known = &hit->own->texts[head.name[0] % SDTKIT_COUNT_KNOWN];
	if (*known != head.name[0] && (find_entry(hit, &head) != NULL ||
	    sdtkit_count_add_entry(hit->counter, hit->lane, &head, text.bytes,
				   length) != NULL))
		*known = head.name[0];
	return head.name[0];
}

/* The hash of a text: most are short, and known. */
static __attribute__((noinline)) uint64_t
text_of(struct hit *hit, unsigned int span, uint64_t address)
{
#if SDTKIT_RECORD_FIXES && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t word, end, hash;

	if (address >= PAGE && address % PAGE <= PAGE - sizeof(word) &&
	    !hit->cursor.is_careful &&
	    sdtkit_record_load_word((uintptr_t)address, &word)) {
		/* The lowest bit is the highest one of the first NUL. */
		end = (word - 0x0101010101010101) & ~word & 0x8080808080808080;
		hash = mix(hit->counter->secret,
			   word & (((end & -end) >> 7) - 1));
		if (end != 0 && hit->own->texts[hash % SDTKIT_COUNT_KNOWN] ==
				hash)
			return hash;
	}
#endif
	return any_text_of(hit, span, address);
}

/* A row for new names; or that for all names, if there is no more room. */
static __attribute__((noinline)) struct sdtkit_count_row *
new_row(struct hit *hit, struct sdtkit_count_head *head)
{
	struct sdtkit_count_row *row =
		sdtkit_count_add_entry(hit->counter, hit->lane, head, NULL,
				       0);

	if (row != NULL)
		return row;
	head->kind = sdtkit_count_kind(SDTKIT_COUNT_OTHER, head->kind >> 16);
	head->name[0] = head->name[1] = 0;
	row = find_entry(hit, head);
	return row != NULL ? row : sdtkit_count_add_entry(hit->counter,
						hit->lane, head, NULL, 0);
}

FAST struct sdtkit_count_row *row_of(struct hit *hit,
				     const struct sdtkit_count_open *o)
{
	struct sdtkit_count_head head = {
		.kind = sdtkit_count_kind(SDTKIT_COUNT_ROW, o->span),
		.name = { o->name[0], o->name[1] },
	}, copy;
	struct sdtkit_count_row *row = find_entry(hit, &head);

	if (__builtin_expect(row != NULL, 1))
		return row;
	copy = head;
	return new_row(hit, &copy);
}

FAST void *block_of(struct hit *hit, _Atomic uint16_t *at)
{
	uint16_t number = atomic_load_explicit(at, memory_order_relaxed);

	if (__builtin_expect(number != 0, 1))
		return number <= hit->counter->last_block ?
		       sdtkit_count_block(hit->set, number) : NULL;
	return sdtkit_count_add_block(hit->counter, hit->lane, at,
				      SDTKIT_COUNT_UNIT);
}

/* As slots_slot(): an octave is all slots of a power of two. */
FAST _Atomic uint64_t *slot_of(struct hit *hit, struct sdtkit_count_row *row,
			       uint64_t total)
{
	uint64_t value = total / SDTKIT_COUNT_SLOT;
	unsigned int octave = 0, power;
	struct sdtkit_count_octave *there;

	if (value >> 32 != 0) {
		octave = SDTKIT_COUNT_OCTAVES - 1;
		value = SDTKIT_COUNT_OCTAVE - 1;
	} else if (value >= SDTKIT_COUNT_OCTAVE) {
		power = 63 - (unsigned int)__builtin_clzll(value) - 3;
		octave = power + 1;
		value >>= power;
	}
	there = block_of(hit, &row->octave[octave]);
	return there == NULL ? NULL :
	       &there->slots[value % SDTKIT_COUNT_OCTAVE];
}

FAST void count_extra(const struct sdtkit_count_plan *plan,
		      struct sdtkit_count_extra *extra,
		      const struct sdtkit_count_open *o, const struct end *end)
{
	int i;

	add(&extra->running, end->running);
	add(&extra->waiting, end->total - end->running);
	add(&extra->self, end->self);
	for (i = 0; i < plan->sum_count; i++)
		add(&extra->sum[i], o->sum[i]);
}

FAST void add_end(struct sdtkit_count_row *row, const struct end *end)
{
	if (end->is_error)
		add(&row->errors, 1);
	add(&row->total, end->total);
	if (end->total < get(&row->least))
		atomic_store_explicit(&row->least, end->total,
				      memory_order_relaxed);
	if (end->total > get(&row->most))
		atomic_store_explicit(&row->most, end->total,
				      memory_order_relaxed);
}

/* The last step of a hit: readers count by slots, and then read the rest. */
FAST void add_slot(_Atomic uint64_t *slot)
{
	atomic_store_explicit(slot, get(slot) + 1, memory_order_release);
}

/* All or nothing: what has no room is lost. */
FAST void count(struct hit *hit, const struct sdtkit_count_plan *plan,
		uint32_t flags, const struct sdtkit_count_open *o,
		const struct end *end)
{
	struct sdtkit_count_row *row = row_of(hit, o);
	struct sdtkit_count_extra *extra = NULL;
	_Atomic uint64_t *slot = NULL;

	if (row != NULL)
		slot = slot_of(hit, row, end->total);
	if (slot != NULL && flags & SDTKIT_COUNT_HAS_EXTRA) {
		extra = block_of(hit, &row->extra);
		if (extra == NULL)
			slot = NULL;
	}
	/* A handler may have forked: then this is the set of the parent. */
	if (!sdtkit_record_is_valid(hit->writer, hit->lane))
		return;
	if (slot == NULL) {
		STAT(hit, o->span, lost);
		return;
	}
	add_end(row, end);
	if (extra != NULL)
		count_extra(plan, extra, o, end);
	add_slot(slot);
}

#endif /* SDTKIT_COUNT_SUMS_H */
