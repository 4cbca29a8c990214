/* SPDX-License-Identifier: BSD-2-Clause */
/* A hit: tests its filter and writes its entry. See write.h for the rules. */
#include "access.h"
#include "reader.h"
#include "system.h"
#include "write.h"

#define IN_HIT _Thread_local __attribute__((tls_model("initial-exec")))
static IN_HIT struct sdtkit_record_thread thread;

/* A handler of a signal may run between any two instructions. */
#define BARRIER()	__asm__ __volatile__("" : : : "memory")

enum {
	PAGE = 4096,
	LINE = 64,
	/* How far the frames of two hits on one stack are apart, at most. */
	NEAR = 64 << 10,
	/* What is looked at of a string that a filter compares. */
	COMPARED = 256,
};

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

static inline void put(struct cursor *cursor, uint64_t word)
{
	*(loose_word *)(void *)cursor->at = word;
	cursor->at += sizeof(word);
}

static inline uint64_t cut(uint64_t bits, uint8_t unused, bool is_signed)
{
	bits <<= unused;
	return is_signed ? (uint64_t)((int64_t)bits >> unused) :
			   bits >> unused;
}

static bool load_bytes(struct cursor *cursor, uintptr_t from,
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
static uint32_t copy_carefully(struct cursor *cursor, uintptr_t from,
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

/* The length and the flags stand in front of the bytes. */
static inline void put_bytes(struct cursor *cursor, uint32_t head, size_t extra)
{
	size_t size = 4 + (head & SDTKIT_RECORD_LENGTH) + extra;

	*(loose_half *)(void *)cursor->at = head;
	cursor->at += (size + 7) & ~(size_t)7;
}

static inline void put_string(struct cursor *cursor, uintptr_t address)
{
	uint32_t head = address != 0 ? SDTKIT_RECORD_FAULT : 0;

	/* Small numbers, which are no addresses, need no fault to be seen. */
	if (address >= PAGE)
		head = copy_string(cursor, address, cursor->at + 4,
				   cursor->string_limit);
	if (head == 0 || head == SDTKIT_RECORD_FAULT)
		cursor->at[4] = 0;
	put_bytes(cursor, head, 1);
}

static void put_record(struct cursor *cursor,
		       const struct sdtkit_record_more *more,
		       uintptr_t address)
{
	unsigned char *bytes = cursor->at + 4;
	uint32_t head = more->size, i;

	if (address == 0)
		head = 0;
	else if (!load_bytes(cursor, address, bytes, more->size))
		head = SDTKIT_RECORD_FAULT;
	put_bytes(cursor, head, 0);
	if ((head & SDTKIT_RECORD_LENGTH) == 0)
		return;
	for (i = 0; i < more->string_count; i++) {
		uint64_t string = *(const loose_word *)(const void *)
				  (bytes + more->strings[i]);

		put_string(cursor, (uintptr_t)string);
	}
}

static uint64_t load_memory(struct cursor *cursor, uintptr_t address,
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

static uint64_t load_indexed(struct cursor *cursor,
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

/* Whether text matches a glob of '*' and '?', without recursion. */
static bool is_like(const char *text, const char *glob)
{
	const char *star = NULL, *again = text;

	for (;;) {
		if (*glob == '*') {
			star = ++glob;
			again = text;
		} else if (*text == '\0') {
			return *glob == '\0';
		} else if (*glob == '?' || *glob == *text) {
			glob++;
			text++;
		} else if (star != NULL) {
			glob = star;
			text = ++again;
		} else {
			return false;
		}
	}
}

static bool passes_text(struct cursor *cursor, uint64_t address,
			const struct sdtkit_record_test *test)
{
	unsigned char text[COMPARED + 8];
	uint32_t head = SDTKIT_RECORD_FAULT;

	text[0] = 0;
	if (address != 0)
		head = copy_string(cursor, (uintptr_t)address, text,
				   COMPARED - 1);
	return (!(head & SDTKIT_RECORD_FAULT) &&
		is_like((const char *)text, test->text)) ==
	       (test->compare == SDTKIT_RECORD_LIKE);
}

static bool passes(struct cursor *cursor, const struct sdtkit_record_test *test,
		   const uint64_t *registers)
{
	uint64_t value = value_of(cursor, &test->operand, &test->more,
				  registers);
	uint64_t flip = test->is_signed ? (uint64_t)1 << 63 : 0;

	if (test->compare >= SDTKIT_RECORD_LIKE)
		return passes_text(cursor, value, test);
	/* With the sign bit changed, unsigned order is signed order. */
	value = cut(value, test->unused, test->is_signed) ^ flip;
	switch (test->compare) {
	case SDTKIT_RECORD_EQUAL:
		return value == (test->value ^ flip);
	case SDTKIT_RECORD_UNEQUAL:
		return value != (test->value ^ flip);
	case SDTKIT_RECORD_LESS:
		return value < (test->value ^ flip);
	case SDTKIT_RECORD_LESS_EQUAL:
		return value <= (test->value ^ flip);
	case SDTKIT_RECORD_MORE:
		return value > (test->value ^ flip);
	default:
		return value >= (test->value ^ flip);
	}
}

/* A program may install a handler of faults, or block them, at any time. */
static void look_at_faults(const struct sdtkit_record_writer *writer,
			   struct cursor *cursor)
{
	thread.check_due = cursor->time + writer->clock_period_max / 16;
	thread.is_careful = sdtkit_record_is_careful();
	cursor->is_careful = thread.is_careful;
}

/* Before the first load of a hit. */
static inline void read_time(const struct sdtkit_record_writer *writer,
			     struct cursor *cursor)
{
	if (cursor->time != 0)
		return;
	cursor->time = sdtkit_record_now(writer);
	if (cursor->time >= thread.check_due)
		look_at_faults(writer, cursor);
}

static bool loads(const struct sdtkit_record_test *test)
{
	return test->compare >= SDTKIT_RECORD_LIKE ||
	       test->operand.source == SDTKIT_RECORD_MEMORY ||
	       test->operand.source == SDTKIT_RECORD_INDEXED;
}

/* Whether the filter of the site takes the hit. */
static bool is_taken(const struct sdtkit_record_writer *writer,
		     const struct sdtkit_record_site_more *site,
		     struct cursor *cursor, const uint64_t *registers)
{
	uint32_t i, count;

	for (i = 0; i < site->test_count; i++) {
		if (loads(&site->tests[i]))
			read_time(writer, cursor);
		if (!passes(cursor, &site->tests[i], registers))
			return false;
	}
	if (site->sample_every == 0)
		return true;
	count = thread.samples[site->sampler]++;
	if (count + 1 >= site->sample_every)
		thread.samples[site->sampler] = 0;
	return count < site->sample_take;
}

static inline void write_entry(const struct sdtkit_record_site *site,
			       struct sdtkit_record_lane *lane,
			       struct cursor *cursor,
			       const uint64_t *registers)
{
	uint64_t mask = site->writer->ring_size - 1, head;
	unsigned char *begin = lane->data + (lane->head & mask);
	struct sdtkit_record_entry *entry = (void *)begin;
	const struct sdtkit_record_more *more = site->more->ops;
	const struct sdtkit_record_op *op = site->ops;
	const struct sdtkit_record_op *end = op + site->op_count;

	cursor->at = begin + sizeof(*entry);
	for (; op < end; op++, more++) {
		uint64_t value = value_of(cursor, op, more, registers);

		put(cursor, value);
		if (op->kind == SDTKIT_RECORD_STRING_AT)
			put_string(cursor, (uintptr_t)value);
		else if (op->kind == SDTKIT_RECORD_RECORD_AT)
			put_record(cursor, more, (uintptr_t)value);
	}
	/* The next entry is for other lines: they come while nobody waits. */
	__builtin_prefetch(cursor->at + LINE, 1);
	__builtin_prefetch(cursor->at + 2 * LINE, 1);
	entry->id = site->id;
	entry->unreadable = site->unreadable;
	entry->words = (uint32_t)(cursor->at - begin) / 8;
	entry->time = cursor->time;
	if (!sdtkit_record_is_valid(site->writer, lane))
		return;
	head = lane->head;
	lane->head += (uint64_t)(cursor->at - begin);
	lane->events++;
	atomic_store_explicit(&lane->ring->last, cursor->time,
			      memory_order_relaxed);
	atomic_store_explicit(&lane->ring->events, lane->events,
			      memory_order_relaxed);
	atomic_store_explicit(&lane->ring->head, lane->head,
			      memory_order_release);
	if ((head ^ lane->head) >= site->writer->block)
		sdtkit_record_mark_block(site->writer, lane);
}

static inline void keep_in(const struct sdtkit_record_site *site,
			   struct sdtkit_record_lane *lane,
			   struct cursor *cursor, const uint64_t *registers)
{
	struct sdtkit_record_writer *writer = site->writer;

	read_time(writer, cursor);
	if (cursor->time >= atomic_load_explicit(&writer->clock_due,
						 memory_order_relaxed))
		sdtkit_record_tick(writer, cursor->time);
	if (lane->head + site->most > lane->end &&
	    !sdtkit_record_advance(writer, lane, site->most, cursor->time)) {
		cursor->is_over = sdtkit_record_is_over(writer->file);
		return;
	}
	write_entry(site, lane, cursor, registers);
}

/* The first hit of the thread at this level, and each hit of a guest. */
static __attribute__((cold, noinline)) void
keep_first(const struct sdtkit_record_site *site, uint32_t level,
	   struct cursor *cursor, const uint64_t *registers)
{
	struct sdtkit_record_lane *lane, guests;

	lane = sdtkit_record_claim(site->writer, &thread, level, &guests,
				   &cursor->is_over);
	if (lane == NULL)
		return;
	cursor->is_careful = thread.is_careful;
	keep_in(site, lane, cursor, registers);
}

static inline void keep(const struct sdtkit_record_site *site, uint32_t level,
			struct cursor *cursor, const uint64_t *registers)
{
	struct sdtkit_record_lane *lane = &thread.lanes[site->index][level];

	if (sdtkit_record_is_valid(site->writer, lane))
		keep_in(site, lane, cursor, registers);
	else
		keep_first(site, level, cursor, registers);
}

/*
 * How many of this thread's hits the present one interrupts. A handler of a
 * signal may have left some of them by siglongjmp(). Stacks grow downwards, so
 * the frame of a hit that was interrupted is above that of the present one, or
 * it is on the thread's own stack and the present one on that of a handler. A
 * hit that is wrongly taken for an interrupted one costs a ring.
 */
static __attribute__((cold, noinline)) uint32_t find_level(uint32_t level,
							   uintptr_t here)
{
	stack_t other = { .ss_flags = SS_DISABLE };
	uintptr_t start, size, most = UINTPTR_MAX;

	sdtkit_record_system(SYS_sigaltstack, 0, (long)&other, 0, 0, 0, 0);
	start = (uintptr_t)other.ss_sp;
	size = (uintptr_t)other.ss_size;
	/* It may be in use and not be known: SS_AUTODISARM. */
	if (other.ss_flags & SS_DISABLE) {
		size = 0;
		most = NEAR;
	}
	for (; level > 0; level--) {
		uintptr_t frame = thread.frames[level - 1];
		bool is_on_other = here - start < size;
		bool was_on_other = frame - start < size;

		if (frame == 0 || (was_on_other == is_on_other ?
				   here - frame > most || frame > here :
				   is_on_other))
			break;
	}
	return level;
}

bool sdtkit_record_hit(void *of, const uint64_t *registers, void *context)
{
	const struct sdtkit_record_site *site = of;
	uint32_t level = thread.depth;
	struct cursor cursor;
	char here;

	if (level > SDTKIT_RECORD_LEVELS)
		return false;
	if (__builtin_expect(level > 0, 0))
		level = find_level(level, (uintptr_t)&here);
	if (level == SDTKIT_RECORD_LEVELS) {
		atomic_fetch_add(&site->writer->file->too_deep, 1);
		return false;
	}
	thread.depth = level + 1;
	BARRIER();
	thread.frames[level] = (uintptr_t)&here;
	BARRIER();
	cursor.string_limit = site->string_limit;
	cursor.is_careful = thread.is_careful;
	cursor.is_over = false;
	cursor.pid = 0;
	cursor.time = 0;
	if (!site->is_filtered || is_taken(site->writer, site->more, &cursor,
					   registers))
		keep(site, level, &cursor, registers);
	BARRIER();
	thread.frames[level] = 0;
	BARRIER();
	thread.depth = level;
	return cursor.is_over;
}

void sdtkit_record_look_again(void)
{
	thread.check_due = 0;
}

void sdtkit_record_exclude_thread(void)
{
	thread.depth = SDTKIT_RECORD_LEVELS + 1;
}
