/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c - registers and a copy of the stack -> the frames of a sample.
 *
 *	address -> file -> its .eh_frame -> rules, as libdw reads them:
 *		CFA = rsp + 48, rbx at CFA - 24, return address at CFA - 8
 *	-> registers of the caller, and so on
 *
 * A function without rules, which a compiler in the process has made, is taken
 * for one with a frame pointer. A file may lie: every word comes out of the
 * copy, frames are counted, and libdw gets little memory and time.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sdtkit/notes.h>

#include "../base/clock.h"
#include "../uprobe/registers.h"
#include "unwind.h"

enum {
	/* the numbers of DWARF for x86-64, the only machine with a copy */
	FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16, REGISTERS,
	DEPTH = 8,			/* of an expression */
	MAX_DATA = 64 << 20,		/* bytes that libdw may allocate */
	MAX_NS = 100000000,		/* for the rules of an address */
};

/* The registers of a frame. */
struct state {
	const struct stacks *stacks;
	unsigned long long value[REGISTERS];
	unsigned long long cfa;
	uint64_t began;			/* in processor time of this thread */
};

static bool read_word(const struct stacks *s, unsigned long long address,
		      unsigned long long *word)
{
	unsigned long long at = address - s->from;

	if (at >= s->copied || s->copied - at < sizeof(*word))
		return false;
	memcpy(word, s->copy + at, sizeof(*word));
	return true;
}

/* Operands push something on the stack of the expression. */
static bool push(const struct state *state, const Dwarf_Op *op,
		 unsigned long long *value)
{
	Dwarf_Word number = op->number;
	Dwarf_Word offset = op->number2;

	*value = number;
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		*value = op->atom - DW_OP_lit0;
		return true;
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		number = op->atom - DW_OP_breg0;
		offset = op->number;
	} else if (op->atom == DW_OP_regx) {
		offset = 0;
	} else if (op->atom == DW_OP_call_frame_cfa) {
		*value = state->cfa;
		return true;
	} else if (op->atom != DW_OP_bregx) {
		return op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts;
	}
	if (number >= REGISTERS)
		return false;
	*value = state->value[number] + offset;
	return true;
}

/* Operators compute with what lies on the stack of the expression. */
static bool compute(const struct state *state, const Dwarf_Op *op,
		    unsigned long long *top, int count)
{
	if (op->atom == DW_OP_plus_uconst)
		*top += op->number;
	else if (op->atom == DW_OP_deref)
		return read_word(state->stacks, *top, top);
	else if (count < 2)
		return false;
	else if (op->atom == DW_OP_plus)
		top[-1] += *top;
	else if (op->atom == DW_OP_minus)
		top[-1] -= *top;
	else if (op->atom == DW_OP_and)
		top[-1] &= *top;
	else if (op->atom == DW_OP_ge)
		top[-1] = (long long)top[-1] >= (long long)*top;
	else if (op->atom == DW_OP_shl)
		top[-1] = *top < 64 ? top[-1] << *top : 0;
	else
		return false;
	return true;
}

/* Returns whether all is known. *is_address: the value lies at the result. */
static bool evaluate(const struct state *state, const Dwarf_Op *op,
		     size_t num_ops, unsigned long long *result,
		     bool *is_address)
{
	unsigned long long stack[DEPTH];
	int count = 0;
	size_t i;

	*is_address = true;
	for (i = 0; i < num_ops; i++, op++) {
		if (op->atom == DW_OP_stack_value || op->atom == DW_OP_regx)
			*is_address = false;
		if (op->atom == DW_OP_stack_value)
			continue;
		if (count < DEPTH && push(state, op, &stack[count])) {
			count++;
			continue;
		}
		if (count == 0 ||
		    !compute(state, op, &stack[count - 1], count))
			return false;
		if (op->atom != DW_OP_plus_uconst && op->atom != DW_OP_deref)
			count--;
	}
	*result = count > 0 ? stack[count - 1] : 0;
	return count > 0;
}

/*
 * Sets a register of the caller; it is that of the frame if there is no rule.
 * Returns false if it is not known.
 */
static bool restore(const struct state *state, Dwarf_Frame *frame, int number,
		    unsigned long long *value)
{
	bool is_address;
	Dwarf_Op some[3];
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_register(frame, number, some, &ops, &count) != 0)
		return false;
	if (count == 0)
		return ops == NULL || number != RETURN_ADDRESS;
	return evaluate(state, ops, count, value, &is_address) &&
	       (!is_address || read_word(state->stacks, *value, value));
}

/* Whether the rules say that nobody has called this function. */
static bool is_outermost(Dwarf_Frame *frame)
{
	Dwarf_Op some[3];
	Dwarf_Op *ops;
	size_t count;

	return dwarf_frame_register(frame, RETURN_ADDRESS, some, &ops,
				    &count) == 0 && count == 0 && ops == some;
}

static bool apply(struct state *state, Dwarf_Frame *frame)
{
	struct state caller = *state;
	Dwarf_Op *ops;
	size_t count;
	bool unused;
	int i;

	if (dwarf_frame_cfa(frame, &ops, &count) != 0 ||
	    !evaluate(state, ops, count, &state->cfa, &unused))
		return false;
	caller.value[STACK_POINTER] = state->cfa;
	for (i = 0; i < REGISTERS; i++) {
		if (!restore(state, frame, i, &caller.value[i]))
			return false;
	}
	*state = caller;
	return true;
}

static bool apply_frame_pointer(struct state *state)
{
	unsigned long long at = state->value[FRAME_POINTER];

	state->value[STACK_POINTER] = at + 16;
	return read_word(state->stacks, at, &state->value[FRAME_POINTER]) &&
	       read_word(state->stacks, at + 8, &state->value[RETURN_ADDRESS]);
}

/*
 * All processes have the same vdso, but those of 32 bits, whose one may be
 * larger: so it is that of this process, with its size. It ends with its headers
 * of sections.
 */
static Elf *open_vdso(const struct mapping *m)
{
	const ElfW(Ehdr) *at = (const void *)getauxval(AT_SYSINFO_EHDR);

	return at != NULL && strcmp(m->object->path, "[vdso]") == 0 ?
	       elf_memory((char *)(uintptr_t)at, at->e_shoff +
			  (size_t)at->e_shnum * at->e_shentsize) : NULL;
}

static void close_rules(struct object *object)
{
	if (object->rules != NULL)
		dwarf_cfi_end(object->rules);
	elf_end(object->elf);
	object->rules = NULL;
	object->elf = NULL;
}

static void read_rules(struct object *object)
{
	GElf_Ehdr header;

	if (gelf_getehdr(object->elf, &header) != NULL &&
	    gelf_getclass(object->elf) == ELFCLASS64 &&
	    header.e_machine == registers_machine)
		object->rules = dwarf_getcfi_elf(object->elf);
	if (object->rules == NULL)
		close_rules(object);
}

/* The file is read and not mapped: who has written it may shorten it. */
static void open_rules(const struct stacks *s, const struct mapping *m)
{
	int fd = space_open_object(s->pid, s->parent, m);

	m->object->rules_tried = true;
	elf_version(EV_CURRENT);
	m->object->elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) :
				   open_vdso(m);
	read_rules(m->object);
	if (fd >= 0)
		close(fd);
}

/*
 * Whether a search that began at that time takes long. Where a server is busy,
 * this process may wait long for the processor, so the time that the thread has
 * used since the beginning of the stack decides. To read it takes a system call,
 * so it is read only after a search that was long by the clock.
 */
static bool takes_long(const struct state *state, uint64_t began)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC) - began > MAX_NS &&
	       sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - state->began >
	       MAX_NS;
}

/* A file whose rules take long to find has none from then on. */
static Dwarf_Frame *find_rules(const struct state *state,
			       const struct mapping *m,
			       unsigned long long address)
{
	uint64_t began = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	Dwarf_Frame *frame = NULL;

	if (!m->object->rules_tried)
		open_rules(state->stacks, m);
	if (m->object->rules != NULL &&
	    dwarf_cfi_addrframe(m->object->rules, address, &frame) != 0)
		frame = NULL;
	if (!takes_long(state, began))
		return frame;
	free(frame);
	close_rules(m->object);
	return NULL;
}

/*
 * Goes on to the caller. Returns false if it is not known. *exact: it was not
 * called, but interrupted by a signal.
 */
static bool step(struct state *state, const struct mapping *m,
		 unsigned long long address, bool *exact, bool *whole)
{
	Dwarf_Frame *frame = find_rules(state, m, address);
	bool good;

	*exact = false;
	if (frame == NULL)
		return apply_frame_pointer(state);
	good = dwarf_frame_info(frame, NULL, NULL, exact) == RETURN_ADDRESS;
	*whole = good && is_outermost(frame);
	good = good && !*whole && apply(state, frame);
	free(frame);
	return good;
}

/* Limits the memory of this process to a little more than it has. */
static bool limit_memory(struct rlimit *old)
{
	FILE *file = fopen("/proc/self/statm", "re");
	struct rlimit limit;
	unsigned long pages;
	bool good;

	if (file == NULL)
		return false;
	good = fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) == 1;
	fclose(file);
	if (!good || getrlimit(RLIMIT_DATA, old) != 0)
		return false;
	limit = *old;
	limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + MAX_DATA;
	return limit.rlim_cur < old->rlim_cur &&
	       setrlimit(RLIMIT_DATA, &limit) == 0;
}

static void read_registers(struct state *state)
{
	int i, word;

	for (i = 0; i < REGISTERS; i++) {
		word = registers_word(&(struct sdtkit_register){
			.number = (unsigned int)i });
		if (word >= 0 && word < STACKS_REGISTERS)
			state->value[i] = state->stacks->registers[word];
	}
}

static int unwind_all(const struct stacks *s, struct frame *frames,
		      bool *whole)
{
	struct state state = {
		.stacks = s,
		.began = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID),
	};
	bool exact = true;
	const struct mapping *m;
	unsigned long long at;
	int count;

	read_registers(&state);
	for (count = 0; count < STACKS_USER; count++) {
		/* a return address may lie behind the function */
		at = state.value[RETURN_ADDRESS] - !exact;
		symbols_find(s->pid, s->parent, at, &frames[count]);
		m = space_find(s->pid, s->parent, at);
		if (m == NULL)
			return count;
		if (!step(&state, m, frames[count].address, &exact, whole))
			return count + 1;
	}
	return count;
}

int unwind(const struct stacks *s, struct frame frames[STACKS_USER],
	   bool *whole)
{
	struct rlimit old;
	bool limited;
	int count;

	*whole = false;
	if (s->copied == 0)
		return 0;
	limited = limit_memory(&old);
	count = unwind_all(s, frames, whole);
	if (limited)
		setrlimit(RLIMIT_DATA, &old);
	return count;
}
