/* SPDX-License-Identifier: BSD-2-Clause */
/* How bpftrace reads an argument of a probe, see value.h. */
#define _GNU_SOURCE
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bt/value.h"
#include "common/tool.h"

enum {
	LIBBPF_ARGUMENTS = 12,
};

struct dialect dialect_of(unsigned int major, unsigned int minor)
{
	return (struct dialect) {
		.major = major,
		.minor = minor,
		.has_libbpf = major > 0 || minor >= 24,
	};
}

struct wire wire_parse(const char *wire, unsigned int word_size)
{
	struct wire parsed = { 0, 0 };

	if (strchr("usf", wire[0]) != NULL && isdigit((unsigned char)wire[1]))
		parsed.size = (unsigned int)(wire[1] - '0');
	else if (strchr("us", wire[0]) != NULL && wire[1] == 'w')
		parsed.size = word_size;
	else if (strchr("pz", wire[0]) != NULL)
		parsed.size = 8;
	else if (wire[0] != 'a')
		return parsed;
	parsed.kind = wire[0];
	return parsed;
}

/* Registers for the arguments of a call, which bcc's are limited to. */
static size_t limit_of(const struct probe *probe,
		       const struct dialect *dialect)
{
	if (dialect->has_libbpf)
		return LIBBPF_ARGUMENTS;
	switch (probe->object->sites.info->machine) {
	case EM_AARCH64:
	case EM_PPC64:
	case EM_RISCV:
		return 8;
	case EM_S390:
		return 5;
	case EM_ARM:
		return 4;
	default:
		return 6;
	}
}

bool value_has_name(const struct probe *probe, const struct dialect *dialect,
		    size_t i)
{
	return i < limit_of(probe, dialect);
}

size_t value_count(const struct probe *probe)
{
	size_t most = 0, i;

	for (i = 0; i < probe->count; i++) {
		if (probe->site[i].note.operand_count > most)
			most = probe->site[i].note.operand_count;
	}
	return most;
}

/* Whether every site can be read at all; else says which cannot. */
static bool is_readable(const struct probe *probe, size_t argument,
			char reason[static OPERAND_REASON])
{
	size_t i;

	for (i = 0; i < probe->count; i++) {
		const struct sdtkit_site *site = &probe->site[i].note;
		const struct sdtkit_operand *operand;

		if (argument >= site->operand_count) {
			snprintf(reason, OPERAND_REASON, "the site at 0x%llx "
				 "has %zu argument%s",
				 (unsigned long long)site->address,
				 site->operand_count,
				 tool_plural(site->operand_count));
			return false;
		}
		operand = &site->operands[argument];
		if (operand_is_known(operand))
			continue;
		snprintf(reason, OPERAND_REASON, "bpftrace cannot read the "
			 "operand '%.*s' of the site at 0x%llx",
			 operand->length > 64 ? 64 : (int)operand->length,
			 operand->text, (unsigned long long)site->address);
		return false;
	}
	return true;
}

bool value_write_raw(FILE *out, const struct probe *probe,
		     const struct dialect *dialect, size_t i,
		     char reason[static OPERAND_REASON])
{
	if (!is_readable(probe, i, reason))
		return false;
	if (value_has_name(probe, dialect, i)) {
		fprintf(out, "arg%zu", i);
		return true;
	}
	if (dialect->has_libbpf) {
		snprintf(reason, OPERAND_REASON, "bpftrace reads %d arguments",
			 LIBBPF_ARGUMENTS);
		return false;
	}
	return operand_write(out, probe, i, reason);
}

/* Whether some site has fewer than 64 bits of it, and of which sign. */
static bool is_narrow(const struct probe *probe, size_t argument)
{
	size_t i;

	for (i = 0; i < probe->count; i++) {
		uint16_t size =
			probe->site[i].note.operands[argument].size;

		if (size != 0 && size < 8)
			return true;
	}
	return false;
}

/* A cast that makes 64 bits of a value; "" if it has them. */
static const char *widening(const struct dialect *dialect, struct wire wire)
{
	if (wire.size >= 8)
		return "";
	return wire.kind == 's' || dialect->has_libbpf ? "(int64)" :
							 "(uint64)";
}

bool value_write(FILE *out, const struct probe *probe,
		 const struct dialect *dialect, size_t i, struct wire wire,
		 char reason[static OPERAND_REASON])
{
	bool is_signed = wire.kind == 's';

	if (!is_readable(probe, i, reason))
		return false;
	if (is_narrow(probe, i) && wire.size < 8 && wire.size > 0)
		fprintf(out, "%s(%sint%u)", widening(dialect, wire),
			is_signed ? "" : "u", wire.size * 8);
	else if (is_signed && !dialect->has_libbpf)
		fputs("(int64)", out);
	else if (wire.kind == 'u' && wire.size == 8 && dialect->has_libbpf)
		fputs("(uint64)", out);
	return value_write_raw(out, probe, dialect, i, reason);
}

void value_begin_member(FILE *out, const struct dialect *dialect,
			const struct sdtkit_layout_member *member)
{
	struct wire wire = wire_parse(member->wire, 8);

	fprintf(out, "%s(*(%sint%u *)(", widening(dialect, wire),
		wire.kind == 's' ? "" : "u", wire.size * 8);
}
