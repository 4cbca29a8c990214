/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each tracer can read, as it was measured: docs/consumers.md.
 *
 * bpftrace stands for two programs: before 0.24 it read operands as bcc does,
 * and since then libbpf reads them. What either of these cannot read is
 * unreadable. For DTrace there are no measurements: it is believed to read a
 * register, and memory relative to one.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "check/tracers.h"

const char *const tracer_names[TRACER_COUNT] = {
	[BPFTRACE] = "bpftrace",
	[PERF] = "perf",
	[GDB] = "gdb",
	[STAP] = "stap",
	[DTRACE] = "dtrace",
	[BCC] = "bcc",
};

static int find_tracer(const char *name, size_t length)
{
	int i;

	for (i = 0; i < TRACER_COUNT; i++) {
		if (strlen(tracer_names[i]) == length &&
		    memcmp(tracer_names[i], name, length) == 0)
			return i;
	}
	return -1;
}

const char *tracers_parse(const char *text, unsigned int *set)
{
	for (;;) {
		size_t length = strcspn(text, ",");
		int tracer = find_tracer(text, length);

		if (tracer < 0)
			return text;
		*set |= 1U << tracer;
		if (text[length] == '\0')
			return NULL;
		text += length + 1;
	}
}

const char *tracers_text(unsigned int set, char *buffer)
{
	char *to = buffer;
	int i;

	*to = '\0';
	for (i = 0; i < TRACER_COUNT; i++) {
		if ((set & 1U << i) == 0)
			continue;
		if (to != buffer)
			to = stpcpy(to, ", ");
		to = stpcpy(to, tracer_names[i]);
	}
	return buffer;
}

/* machine 0: on all machines. */
static const struct {
	enum tracer tracer;
	unsigned int machine;
	size_t most;
	/* If false, it does not even attach to a probe with more arguments. */
	bool attaches;
} limits[] = {
	/* Before 0.24. */
	{ BPFTRACE, EM_X86_64, 6, true },
	{ BPFTRACE, 0, 12, false },
	{ GDB, 0, 12, true },
	{ DTRACE, 0, 10, true },
};

unsigned int tracers_that_miss(size_t argument_count, unsigned int machine,
			       bool attached)
{
	unsigned int set = 0;
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (argument_count > limits[i].most &&
		    limits[i].attaches == attached &&
		    (limits[i].machine == 0 || limits[i].machine == machine))
			set |= 1U << limits[i].tracer;
	}
	return set;
}

/* Whether the operand contains the text after its "@". */
static bool location_has(const struct sdtkit_operand *operand,
			 const char *what)
{
	const char *at = memchr(operand->text, '@', operand->length);
	size_t skipped = at == NULL ? 0 : (size_t)(at + 1 - operand->text);

	return memmem(operand->text + skipped, operand->length - skipped,
		      what, strlen(what)) != NULL;
}

static bool has_odd_size(const struct sdtkit_operand *operand)
{
	return operand->size > 8 || (operand->size != 0 &&
				     (operand->size & (operand->size - 1)));
}

static bool has_no_type(const struct sdtkit_operand *operand)
{
	return operand->size == 0;
}

static bool is_floating(const struct sdtkit_operand *operand)
{
	return operand->is_float;
}

static bool is_other(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_OTHER &&
	       !location_has(operand, "(%rip)");
}

static bool is_rip_symbol(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_OTHER &&
	       location_has(operand, "(%rip)");
}

static bool is_constant(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_CONSTANT;
}

/* A constant that is written as a number of 2^63 or more. */
static bool is_large_constant(const struct sdtkit_operand *operand)
{
	return is_constant(operand) && operand->constant < 0 &&
	       !location_has(operand, "-");
}

static bool is_hexadecimal(const struct sdtkit_operand *operand)
{
	return (is_constant(operand) ||
		operand->kind == SDTKIT_OPERAND_MEMORY) &&
	       location_has(operand, "0x");
}

static bool has_index(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_MEMORY &&
	       operand->index != NULL && operand->base != NULL;
}

static bool has_index_alone(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_MEMORY &&
	       operand->base == NULL;
}

static bool is_memory_not_on_stack(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_MEMORY &&
	       operand->base != NULL && strcmp(operand->base->name, "sp") != 0;
}

static bool is_register(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_REGISTER;
}

static bool is_high_byte(const struct sdtkit_operand *operand)
{
	return is_register(operand) && operand->reg->shift > 0;
}

static bool is_vector(const struct sdtkit_operand *operand)
{
	return is_register(operand) && operand->reg->size > 8;
}

/* r8b to r15b: gdb calls them r8l to r15l. */
static bool is_numbered_byte(const struct sdtkit_operand *operand)
{
	return is_register(operand) && operand->reg->size == 1 &&
	       operand->reg->name[0] == 'r';
}

/* "8@%eax" */
static bool is_larger_than_register(const struct sdtkit_operand *operand)
{
	return is_register(operand) && operand->size > operand->reg->size &&
	       operand->size <= 8;
}

static bool is_half_register(const struct sdtkit_operand *operand)
{
	return is_register(operand) && operand->reg->name[0] == 'w';
}

static bool is_signed_narrow(const struct sdtkit_operand *operand)
{
	return operand->is_signed && !operand->is_float &&
	       (operand->size == 1 || operand->size == 2);
}

static bool is_signed_byte(const struct sdtkit_operand *operand)
{
	return is_signed_narrow(operand) && operand->size == 1 &&
	       is_register(operand);
}

static bool is_byte_in_memory(const struct sdtkit_operand *operand)
{
	return operand->kind == SDTKIT_OPERAND_MEMORY && operand->size == 1 &&
	       !operand->is_signed;
}

#define B (1U << BPFTRACE)
#define P (1U << PERF)
#define G (1U << GDB)
#define S (1U << STAP)
#define D (1U << DTRACE)
#define C (1U << BCC)

/*
 * machine 0: on all machines whose operands the library can parse. The
 * measurements were made on x86-64. For other machines, the tracers' own
 * parsers were given what compilers write there.
 */
static const struct {
	unsigned int machine;
	bool (*has)(const struct sdtkit_operand *operand);
	struct trait trait;
} table[] = {
	{ 0, has_odd_size,
	  { "a number of unusual size", B | P | G | C, S, D } },
	{ 0, has_no_type, { "an operand without a type", B, 0, D } },
	{ 0, is_floating, { "a floating point type", B | G | C, 0, D } },
	{ 0, is_other,
	  { "a symbol, a segment or an expression", B | P | G | S | C, 0, D } },
	{ 0, is_rip_symbol,
	  { "a variable given by name", B | P | G | C, 0, D } },
	{ 0, is_constant, { "a constant", P, 0, D } },
	{ EM_S390, is_constant, { "a constant", S, 0, 0 } },
	{ EM_RISCV, is_constant, { "a constant", S, 0, 0 } },
	{ 0, is_large_constant, { "a constant of 2^63 or more", 0, B | G, 0 } },
	{ 0, is_hexadecimal, { "a hexadecimal number", B | P | G | S, 0, D } },
	{ 0, has_index, { "an address with an index register", P, 0, D } },
	{ EM_AARCH64, has_index,
	  { "an address with an index register", B, 0, 0 } },
	{ EM_ARM, has_index, { "an address with an index register", B, 0, 0 } },
	{ 0, has_index_alone,
	  { "an address without a base register", B | P | G | S | C, 0, D } },
	{ EM_AARCH64, is_memory_not_on_stack,
	  { "memory that is not on the stack", P, 0, 0 } },
	{ EM_AARCH64, is_half_register, { "half of a register", B | P, 0, D } },
	{ 0, is_vector, { "a vector register", B | P, C, D } },
	{ EM_X86_64, is_high_byte, { "a high byte", B | C, P, D } },
	{ EM_X86_64, is_numbered_byte, { "a byte of r8 to r15", G, 0, 0 } },
	{ 0, is_larger_than_register,
	  { "a size larger than its register", 0, G | S, 0 } },
	{ 0, is_signed_narrow, { "a signed number of 1 or 2 bytes", 0, P, 0 } },
	{ 0, is_signed_byte, { "a signed byte in a register", 0, S, 0 } },
	{ 0, is_byte_in_memory, { "an unsigned byte in memory", 0, S, 0 } },
};

/* Tracers whose own parser does not know the machine. */
static const struct {
	unsigned int machine;
	unsigned int unread;
} machines[] = {
	/* libbpf, and so bpftrace since 0.24. */
	{ EM_PPC64, B },
	{ EM_LOONGARCH, B | P },
	{ EM_S390, P },
	{ EM_RISCV, P | C },
	{ EM_ARM, P | C },
	{ EM_386, C },
};

unsigned int tracers_without_machine(unsigned int machine)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (machines[i].machine == machine)
			return machines[i].unread;
	}
	return 0;
}

const struct trait *tracers_next_trait(const struct sdtkit_operand *operand,
				       unsigned int machine, size_t *row)
{
	if (operand->kind == SDTKIT_OPERAND_UNKNOWN)
		return NULL;
	while (*row < sizeof(table) / sizeof(table[0])) {
		size_t i = (*row)++;

		if (table[i].machine != 0 && table[i].machine != machine)
			continue;
		if (table[i].has(operand))
			return &table[i].trait;
	}
	return NULL;
}
