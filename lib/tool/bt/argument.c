/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments and members of records, see argument.h.
 *
 *	args.mid		arg0
 *	args.req.port		(uint64)(*(uint16 *)(arg1 + 8))
 *	args.req.user		str((*(uint64 *)(arg1 + 24)))
 *	args.req.file		str(arg1 + 32)
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bt/argument.h"
#include "bt/source.h"
#include "common/tool.h"

static unsigned int word_size(const struct walk *walk)
{
	return walk->probe->object->sites.info->bits / 8;
}

void argument_write(struct walk *walk, const struct chain *chain)
{
	struct wire wire = wire_parse(chain->argument->wire, word_size(walk));
	char reason[OPERAND_REASON];

	switch (wire.kind) {
	case 'z':
		if (walk_wants_address(walk, chain->first)) {
			walk_raw(walk, chain);
			break;
		}
		fputs("str(", walk->out);
		walk_raw(walk, chain);
		fputc(')', walk->out);
		break;
	case 'f':
		snprintf(reason, sizeof(reason), "it is a %s, and bpftrace has "
			 "no floating point; arg%zu is its bits",
			 chain->argument->type, chain->index);
		walk_cannot_read(walk, chain, reason);
		break;
	case 'p':
		walk_raw(walk, chain);
		break;
	default:
		if (!value_write(walk->out, walk->probe, walk->with->dialect,
				 chain->index, wire, reason))
			walk_cannot_read(walk, chain, reason);
		break;
	}
}

long argument_number(const struct walk *walk, size_t i)
{
	const struct token *token = walk_token(walk, i);
	const char *text = walk->with->source->text + token->start;
	size_t j;

	if (token->kind != TOKEN_WORD || token->length < 4 ||
	    token->length > 6 || memcmp(text, "arg", 3) != 0 ||
	    (i > 0 && chain_is_link(walk->with->source, walk->with->clause,
				    i - 1)))
		return -1;
	for (j = 3; j < token->length; j++) {
		if (!isdigit((unsigned char)text[j]))
			return -1;
	}
	return strtol(text + 3, NULL, 10);
}

void argument_write_number(struct walk *walk, size_t i, size_t number)
{
	const struct probe *probe = walk->probe;
	const struct token *token = walk_token(walk, i);
	size_t count = value_count(probe);
	char reason[OPERAND_REASON], text[1024];

	if (number >= count) {
		snprintf(text, sizeof(text), "%s:%s has no arg%zu: it has %zu "
			 "argument%s", probe_provider(probe),
			 probe_name(probe), number, count, tool_plural(count));
		walk_complain(walk, i, i + 1, text);
	} else if (value_has_name(probe, walk->with->dialect, number)) {
		return;
	} else if (!value_write_raw(walk->out, probe, walk->with->dialect,
				    number, reason)) {
		snprintf(text, sizeof(text), "arg%zu of %s:%s cannot be read: "
			 "%s", number, probe_provider(probe),
			 probe_name(probe), reason);
		walk_complain(walk, i, i + 1, text);
	}
	walk->taken = token->start + token->length;
}

void argument_write_member(struct walk *walk, const struct chain *chain)
{
	const struct sdtkit_layout_member *member = chain->member;
	bool raw = walk_wants_address(walk, chain->first);
	char kind = wire_parse(member->wire, 8).kind;

	if (kind == 0 || member->size == 0) {
		walk_complain(walk, chain->first, chain->end,
			      "sdtkit does not know the type of this member: "
			      "a newer one may");
		return;
	}
	if (kind == 'a') {
		fputs(raw ? "(" : "str(", walk->out);
		walk_raw(walk, chain);
		fprintf(walk->out, " + %u)", member->offset);
		return;
	}
	fputs(kind == 'z' && !raw ? "str(" : "", walk->out);
	value_begin_member(walk->out, walk->with->dialect, member);
	walk_raw(walk, chain);
	if (member->offset > 0)
		fprintf(walk->out, " + %u", member->offset);
	fputs(kind == 'z' && !raw ? ")))" : "))", walk->out);
}
