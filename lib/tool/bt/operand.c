/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands that bpftrace has no name for, see operand.h.
 *
 *	8@%r12			reg("r12")
 *	-4@16(%rsp)		(uint64)(int64)(*(int32 *)(reg("sp") + 16))
 *	-8@$5			5
 *
 * Sites of one probe may have an argument in different places. The instruction
 * pointer tells which site is hit. The loader moves a file by whole pages, so
 * the low twelve bits of a site's address are known beforehand:
 *
 *	uptr(reg("ax") * (uint64)((reg("ip") & 0xfff) == 0x516) +
 *	     reg("r11") * (uint64)((reg("ip") & 0xfff) == 0x5da))
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bt/operand.h"
#include "common/tool.h"

enum {
	PAGE_MASK = 0xfff,
};

bool operand_is_known(const struct sdtkit_operand *operand)
{
	switch (operand->kind) {
	case SDTKIT_OPERAND_REGISTER:
	case SDTKIT_OPERAND_MEMORY:
	case SDTKIT_OPERAND_CONSTANT:
		return !operand->is_float && operand->size <= 8;
	default:
		return false;
	}
}

/* bpftrace's name of a register: "ax" for rax, "r3" for x3. */
static void write_register(FILE *out, const struct probe *probe,
			   const struct sdtkit_register *reg)
{
	const char *name = reg->full;

	if (probe->object->sites.info->machine == EM_AARCH64 &&
	    name[0] == 'x')
		fprintf(out, "reg(\"r%s\")", name + 1);
	else if (name[0] == 'r' && !isdigit((unsigned char)name[1]))
		fprintf(out, "reg(\"%s\")", name + 1);
	else
		fprintf(out, "reg(\"%s\")", name);
}

static void write_address(FILE *out, const struct probe *probe,
			  const struct sdtkit_operand *operand)
{
	bool first = true;

	if (operand->base != NULL) {
		write_register(out, probe, operand->base);
		first = false;
	}
	if (operand->index != NULL) {
		fputs(first ? "" : " + ", out);
		write_register(out, probe, operand->index);
		if (operand->scale > 1)
			fprintf(out, " * %u", operand->scale);
		first = false;
	}
	if (operand->displacement < 0)
		fprintf(out, " - %llu",
			0 - (unsigned long long)operand->displacement);
	else if (operand->displacement > 0 || first)
		fprintf(out, "%s%llu", first ? "" : " + ",
			(unsigned long long)operand->displacement);
}

/* A cast to the operand's own type, which then gets 64 bits. */
static void write_type(FILE *out, const struct sdtkit_operand *operand)
{
	if (operand->size != 0 && operand->size < 8)
		fprintf(out, "%s(%sint%u)",
			operand->is_signed ? "(uint64)(int64)" : "(uint64)",
			operand->is_signed ? "" : "u", operand->size * 8U);
}

static void write_source(FILE *out, const struct probe *probe,
			 const struct sdtkit_operand *operand)
{
	unsigned int size = operand->size == 0 ? 8 : operand->size;

	switch (operand->kind) {
	case SDTKIT_OPERAND_REGISTER:
		write_type(out, operand);
		if (operand->reg->shift != 0)
			fputc('(', out);
		write_register(out, probe, operand->reg);
		if (operand->reg->shift != 0)
			fprintf(out, " >> %u)", operand->reg->shift);
		break;
	case SDTKIT_OPERAND_MEMORY:
		if (size < 8)
			fputs(operand->is_signed ? "(uint64)(int64)" :
						   "(uint64)", out);
		fprintf(out, "(*(%sint%u *)(",
			operand->is_signed && size < 8 ? "" : "u", size * 8);
		write_address(out, probe, operand);
		fputs("))", out);
		break;
	default:
		fprintf(out, "(uint64)%lld", (long long)operand->constant);
		break;
	}
}

static char *operand_text(const struct probe *probe,
			  const struct sdtkit_operand *operand)
{
	char *text = NULL;
	FILE *out = tool_open_text(&text);

	write_source(out, probe, operand);
	tool_close_text(out);
	return text;
}

/* Whether two sites with different operands look alike in the page. */
static bool is_ambiguous(const struct probe *probe, char **text,
			 char reason[static OPERAND_REASON])
{
	size_t i, j;

	for (i = 0; i < probe->count; i++) {
		for (j = 0; j < i; j++) {
			uint64_t a = probe->site[i].note.address;
			uint64_t b = probe->site[j].note.address;

			if (((a ^ b) & PAGE_MASK) != 0 ||
			    strcmp(text[i], text[j]) == 0)
				continue;
			snprintf(reason, OPERAND_REASON, "its sites at 0x%llx "
				 "and 0x%llx have it in different places, and "
				 "bpftrace before 0.24 cannot tell them apart",
				 (unsigned long long)b, (unsigned long long)a);
			return true;
		}
	}
	return false;
}

/* "reg("ax") * (uint64)((reg("ip") & 0xfff) == 0x23a)" for sites alike. */
static void write_term(FILE *out, const struct probe *probe, char **text,
		       size_t first)
{
	const char *between = "";
	size_t i;

	fprintf(out, "%s * (uint64)(", text[first]);
	for (i = first; i < probe->count; i++) {
		if (strcmp(text[i], text[first]) != 0)
			continue;
		fprintf(out, "%s(reg(\"ip\") & 0x%x) == 0x%llx", between,
			PAGE_MASK, (unsigned long long)
			(probe->site[i].note.address & PAGE_MASK));
		between = " || ";
	}
	fputc(')', out);
}

/*
 * Not "?:", which LLVM turns into one load from a computed address among the
 * registers; the kernel allows constant places only. uptr() says that it may be
 * an address of the program, which bpftrace forgets of a sum.
 */
static void write_choice(FILE *out, const struct probe *probe, char **text)
{
	size_t i, j;

	fputs("uptr(", out);
	for (i = 0; i < probe->count; i++) {
		for (j = 0; j < i && strcmp(text[j], text[i]) != 0; j++)
			;
		if (j < i)
			continue;
		fputs(i > 0 ? " + " : "", out);
		write_term(out, probe, text, i);
	}
	fputc(')', out);
}

bool operand_write(FILE *out, const struct probe *probe, size_t argument,
		   char reason[static OPERAND_REASON])
{
	uint16_t machine = probe->object->sites.info->machine;
	char **text = tool_zeros(probe->count, sizeof(*text));
	bool same = true, good;
	size_t i;

	for (i = 0; i < probe->count; i++) {
		text[i] = operand_text(probe,
				       &probe->site[i].note.operands[argument]);
		same = same && strcmp(text[i], text[0]) == 0;
	}
	good = machine == EM_X86_64 || machine == EM_AARCH64;
	if (!good)
		snprintf(reason, OPERAND_REASON, "bpftrace before 0.24 reads "
			 "fewer arguments on this machine");
	good = good && (same || !is_ambiguous(probe, text, reason));
	if (good && same)
		fputs(text[0], out);
	else if (good)
		write_choice(out, probe, text);
	for (i = 0; i < probe->count; i++)
		free(text[i]);
	free(text);
	return good;
}
