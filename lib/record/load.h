/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all hits do, of recorders and of counters: which of the thread's hits
 * are interrupted, and loads of the values of operands. See write.h for the
 * rules; for the files that are compiled by them only.
 */
#ifndef SDTKIT_RECORD_LOAD_H
#define SDTKIT_RECORD_LOAD_H

#include "access.h"
#include "system.h"
#include "write.h"

enum {
	PAGE = 4096,
};

/* Not inline, so that it takes no registers from what is. */
#define SELDOM	static __attribute__((noinline, unused))

/* A handler of a signal may run between any two instructions. */
#define BARRIER()	__asm__ __volatile__("" : : : "memory")

/* Where an entry is being written. */
struct cursor {
	unsigned char *at;
	uint32_t string_limit;
	/* The process, for reads that the kernel makes; 0: not asked for. */
	long pid;
	bool is_careful;
	/* No further hit of this recorder is wanted. */
	bool is_over;
	/* When it was hit; 0: the clock has not been read. */
	uint64_t time;
};

/* Strings begin behind 4 bytes, and what is copied may be anything. */
typedef uint64_t __attribute__((may_alias, aligned(1))) loose_word;
typedef uint32_t __attribute__((may_alias)) loose_half;

static inline uint64_t cut(uint64_t bits, uint8_t unused, bool is_signed)
{
	bits <<= unused;
	return is_signed ? (uint64_t)((int64_t)bits >> unused) :
			   bits >> unused;
}

SELDOM bool load_bytes(struct cursor *cursor, uintptr_t from,
		       unsigned char *to, size_t size)
{
	uint64_t value;

	if (cursor->is_careful || !SDTKIT_RECORD_FIXES) {
		if (cursor->pid == 0)
			cursor->pid = sdtkit_record_system(SYS_getpid, 0, 0, 0,
							   0, 0, 0);
		return sdtkit_record_load_carefully(from, to, size,
						    cursor->pid);
	}
	for (; size >= sizeof(value); size -= sizeof(value)) {
		if (!sdtkit_record_load_word(from, &value))
			return false;
		*(loose_word *)(void *)to = value;
		from += sizeof(value);
		to += sizeof(value);
	}
	for (; size > 0; size--) {
		if (!sdtkit_record_load_byte(from++, &value))
			return false;
		*to++ = (unsigned char)value;
	}
	return true;
}

/* The most that can be loaded at once, without touching the next page. */
static inline size_t piece_at(uintptr_t address, size_t size)
{
	size_t piece = PAGE - address % PAGE;

	return piece < size ? piece : size;
}

/* A string, when the kernel has to copy it: page by page. */
SELDOM uint32_t copy_carefully(struct cursor *cursor, uintptr_t from,
			       unsigned char *to, uint32_t limit)
{
	uint32_t length = 0;

	for (;;) {
		size_t size = piece_at(from + length, limit - length + 1), i;

		if (!load_bytes(cursor, from + length, to + length, size))
			return SDTKIT_RECORD_FAULT;
		for (i = 0; i < size; i++) {
			if (length + i == limit && to[limit] != 0) {
				to[limit] = 0;
				return limit | SDTKIT_RECORD_CUT;
			}
			if (to[length + i] == 0)
				return length + (uint32_t)i;
		}
		length += (uint32_t)size;
	}
}

/*
 * Copies a string of at most limit bytes and its NUL, and may write 7 bytes
 * behind that. Returns the length and its flags.
 */
static inline uint32_t copy_string(struct cursor *cursor, uintptr_t from,
				   unsigned char *to, uint32_t limit)
{
	uint32_t length = 0;
	uint64_t value, zeros;

	if (cursor->is_careful || !SDTKIT_RECORD_FIXES)
		return copy_carefully(cursor, from, to, limit);
	while (length <= limit) {
		if ((from + length) % PAGE > PAGE - sizeof(value)) {
			if (!sdtkit_record_load_byte(from + length, &value))
				return SDTKIT_RECORD_FAULT;
			to[length] = (unsigned char)value;
			if (value == 0)
				return length;
			length++;
			continue;
		}
		if (!sdtkit_record_load_word(from + length, &value))
			return SDTKIT_RECORD_FAULT;
		*(loose_word *)(void *)(to + length) = value;
		zeros = (value - 0x0101010101010101) & ~value &
			0x8080808080808080;
		if (zeros != 0) {
			length += (uint32_t)__builtin_ctzll(zeros) / 8;
			break;
		}
		length += sizeof(value);
	}
	if (length <= limit)
		return length;
	to[limit] = 0;
	return limit | SDTKIT_RECORD_CUT;
}

SELDOM uint64_t load_memory(struct cursor *cursor, uintptr_t address,
			    const struct sdtkit_record_op *op)
{
	size_t size = 8 - op->unused / 8;
	uint64_t value = 0;

	if (!load_bytes(cursor, address, (unsigned char *)&value, size))
		return 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value >>= op->unused;
#endif
	return value;
}

SELDOM uint64_t load_indexed(struct cursor *cursor,
			     const struct sdtkit_record_op *op,
			     const struct sdtkit_record_more *more,
			     const uint64_t *registers)
{
	uintptr_t address = (uintptr_t)more->constant +
			    (uintptr_t)registers[op->number];

	if (more->scale > 0)
		address += (uintptr_t)registers[more->index] * more->scale;
	return load_memory(cursor, address, op);
}

static inline uint64_t value_of(struct cursor *cursor,
				const struct sdtkit_record_op *op,
				const struct sdtkit_record_more *more,
				const uint64_t *registers)
{
	uint64_t value;

	if (op->source == SDTKIT_RECORD_REGISTER)
		value = registers[op->number] >> op->displacement;
	else if (op->source == SDTKIT_RECORD_MEMORY)
		value = load_memory(cursor, (uintptr_t)op->displacement +
				    (uintptr_t)registers[op->number], op);
	else if (op->source == SDTKIT_RECORD_INDEXED)
		value = load_indexed(cursor, op, more, registers);
	else if (op->source == SDTKIT_RECORD_CONSTANT)
		value = (uint64_t)more->constant;
	else
		return 0;
	return cut(value, op->unused, op->is_signed);
}

/* A program may install a handler of faults, or block them, at any time. */
SELDOM void look_at_faults(const struct sdtkit_record_writer *writer,
			   struct cursor *cursor)
{
	sdtkit_record_thread.check_due = cursor->time + writer->clock_period_max / 16;
	sdtkit_record_thread.is_careful = sdtkit_record_is_careful();
	cursor->is_careful = sdtkit_record_thread.is_careful;
}

/* Before the first load of a hit. */
static inline void read_time(const struct sdtkit_record_writer *writer,
			     struct cursor *cursor)
{
	if (cursor->time != 0)
		return;
	cursor->time = sdtkit_record_now(writer);
	if (cursor->time >= sdtkit_record_thread.check_due)
		look_at_faults(writer, cursor);
}

/*
 * The level of a hit that may have interrupted others of this thread; LEVELS or
 * more if it is not wanted.
 */
SELDOM uint32_t find_deeper(struct sdtkit_record_file *file, char *here,
			    uint32_t level)
{
	if (level > SDTKIT_RECORD_LEVELS)
		return level;
	level = sdtkit_record_find_level(level, (uintptr_t)here);
	if (level == SDTKIT_RECORD_LEVELS)
		atomic_fetch_add(&file->too_deep, 1);
	return level;
}

/* False: the hit is not wanted, or is lost and counted. */
static inline bool enter_hit(struct sdtkit_record_writer *const *writer,
			     char *here, uint32_t *level)
{
	struct sdtkit_record_thread *thread = &sdtkit_record_thread;

	*level = thread->depth;
	if (__builtin_expect(*level > 0, 0)) {
		*level = find_deeper((*writer)->file, here, *level);
		if (*level >= SDTKIT_RECORD_LEVELS)
			return false;
	}
	thread->depth = *level + 1;
	BARRIER();
	thread->frames[*level] = (uintptr_t)here;
	BARRIER();
	return true;
}

/* False: the hit interrupts another one, and has to be entered as above. */
static inline bool enter_outermost(char *here)
{
	struct sdtkit_record_thread *thread = &sdtkit_record_thread;

	if (__builtin_expect(thread->depth > 0, 0))
		return false;
	thread->depth = 1;
	BARRIER();
	thread->frames[0] = (uintptr_t)here;
	BARRIER();
	return true;
}

static inline void leave_hit(uint32_t level)
{
	BARRIER();
	sdtkit_record_thread.frames[level] = 0;
	BARRIER();
	sdtkit_record_thread.depth = level;
}

#endif /* SDTKIT_RECORD_LOAD_H */
