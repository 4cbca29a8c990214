/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parts of the path of a hit share; for hit.c alone.
 *
 *	hit.c		what a site does for a span
 *	plain.h		the same for most spans
 *	under_way.h	tables of spans that are under way
 *	stacks.h	what a thread runs
 *	times.h		how long a span took
 *	sums.h		rows
 *
 * All is compiled three times: for spans that need little, for calls, and for any
 * span. The flags that most functions get are those of the span; in the first of
 * the three the compiler knows that those of SDTKIT_COUNT_SPECIAL are not among
 * them, and in the second which of them are.
 */
#ifndef SDTKIT_COUNT_PATH_H
#define SDTKIT_COUNT_PATH_H

#include "../record/load.h"
#include "count.h"

#define FAST	static inline __attribute__((always_inline))

/* What all actions of a hit share. */
struct hit {
	struct cursor cursor;
	const uint64_t *registers;
	struct sdtkit_counter *counter;
	struct sdtkit_record_writer *writer;
	struct sdtkit_record_lane *lane;
	struct sdtkit_count_set *set;
	struct sdtkit_count_private *own;
};

FAST uint64_t get(const _Atomic uint64_t *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

/* Nobody else adds here. */
FAST void add(_Atomic uint64_t *to, uint64_t value)
{
	atomic_store_explicit(to, get(to) + value, memory_order_relaxed);
}

#define STAT(hit, number, name)	add(&(hit)->set->stats[number].name, 1)

/* Of an operand that is no register, or part of one. */
static __attribute__((noinline)) uint64_t
load_operand(struct hit *hit, const struct sdtkit_count_action *action, int i)
{
	return value_of(&hit->cursor, &action->ops[i], &action->more[i],
			hit->registers);
}

FAST uint64_t in_register(const struct sdtkit_count_action *action,
			  const uint64_t *registers, int i)
{
	const struct sdtkit_record_op *op = &action->ops[i];
	uint64_t value = registers[op->number];

	return op->unused == 0 ? value : cut(value, op->unused, op->is_signed);
}

FAST uint64_t operand(struct hit *hit, const struct sdtkit_count_action *action,
		      int i)
{
	if (__builtin_expect(!(action->in_register >> i & 1), 0))
		return load_operand(hit, action, i);
	return in_register(action, hit->registers, i);
}

FAST bool has_operand(const struct sdtkit_count_action *action, int i)
{
	return action->has >> i & 1;
}

FAST uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	hash = (hash ^ hash >> 32) * 0xff51afd7ed558ccd;
	return hash ^ hash >> 32;
}

#endif /* SDTKIT_COUNT_PATH_H */
