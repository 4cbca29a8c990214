/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of records, see members.h.
 *
 *	args.req.port		(uint64)(*(uint16 *)(arg1 + 8))
 *	args.req.user		str((*(uint64 *)(arg1 + 24)))
 *	args.req.file		str(arg1 + 32)
 *	args.req.key[$i]	(uint64)(*(uint8 *)(arg1 + 48 + (uint64)($i)))
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bt/members.h"
#include "bt/source.h"
#include "common/tool.h"

enum {
	/* An index may have an index within. */
	DEPTH_MAX = 100,
};

/* Returns the token behind the bracket that closes the one at i; 0: none. */
static size_t behind_bracket(const struct walk *walk, size_t i)
{
	size_t depth = 0;

	for (; i < walk->with->clause->token_count; i++) {
		if (walk_is(walk, i, "["))
			depth++;
		if (walk_is(walk, i, "]") && --depth == 0)
			return i + 1;
		if (walk_is(walk, i, ";") || walk_is(walk, i, "{") ||
		    walk_is(walk, i, "}"))
			break;
	}
	return 0;
}

/* Whether the tokens [i, end) are a number; complains if it is too large. */
static bool is_number(struct walk *walk, size_t i, size_t end, uint32_t count,
		      unsigned long *number)
{
	const struct token *token = walk_token(walk, i);
	char text[128];

	if (end != i + 1 || token->kind != TOKEN_NUMBER)
		return false;
	errno = 0;
	*number = strtoul(walk->with->source->text + token->start, NULL, 0);
	if (errno == 0 && *number < count)
		return true;
	snprintf(text, sizeof(text), "the array has %u element%s: 0 to %u",
		 count, tool_plural(count), count - 1);
	walk_complain(walk, i, end, text);
	*number = 0;
	return true;
}

/*
 * Writes " + 6", or " + (uint64)($i) * 2", for an index of an array with
 * elements of this size. Returns the token behind its bracket, 0 if it has
 * none.
 */
static size_t write_index(struct walk *walk, size_t i, uint32_t count,
			  uint32_t size)
{
	size_t end = walk_is(walk, i, "[") ? behind_bracket(walk, i) : 0;
	unsigned long number;

	if (end < i + 3)
		return 0;
	if (is_number(walk, i + 1, end - 1, count, &number)) {
		fprintf(walk->out, " + %lu", number * size);
		return end;
	}
	/* The address has this type, and bpftrace warns of a mixture. */
	if (++walk->depth > DEPTH_MAX) {
		walk_complain(walk, i, i + 1, "the indexes are nested too "
			      "deeply");
		return end;
	}
	fprintf(walk->out, " + %s(",
		walk->with->dialect->has_libbpf ? "(int64)" : "(uint64)");
	walk->taken = walk_token(walk, i + 1)->start;
	walk_tokens(walk, i + 1, end - 1);
	walk->depth--;
	fprintf(walk->out, ") * %u", size);
	return end;
}

static void need_index(struct walk *walk, const struct chain *chain)
{
	const struct sdtkit_layout_member *member = chain->member;
	char text[512], second[32] = "";

	if (member->counts[1] > 0)
		snprintf(second, sizeof(second), "[%u]", member->counts[1]);
	snprintf(text, sizeof(text), "args.%s.%s is an array [%u]%s: write "
		 "args.%s.%s[0]%s", chain->argument->name, member->name,
		 member->counts[0], second, chain->argument->name,
		 member->name, member->counts[1] > 0 ? "[0]" : "");
	walk_complain(walk, chain->first, chain->end, text);
}

/* An element of an array: behind the record's address comes its offset. */
static size_t write_element(struct walk *walk, const struct chain *chain)
{
	const struct sdtkit_layout_member *member = chain->member;
	bool is_table = member->counts[1] > 0;
	size_t end;

	value_begin_member(walk->out, walk->with->dialect, member);
	walk_raw(walk, chain);
	if (member->offset > 0)
		fprintf(walk->out, " + %u", member->offset);
	end = write_index(walk, chain->end, member->counts[0],
			  is_table ? member->counts[1] * member->element :
				     member->element);
	if (end != 0 && is_table)
		end = write_index(walk, end, member->counts[1],
				  member->element);
	fputs("))", walk->out);
	if (end == 0) {
		need_index(walk, chain);
		return chain->end;
	}
	return end;
}

size_t members_write(struct walk *walk, const struct chain *chain)
{
	const struct sdtkit_layout_member *member = chain->member;
	bool raw = walk_wants_address(walk, chain->first);
	char kind = wire_parse(member->wire, 8).kind;

	if (kind == 0 || member->size == 0) {
		walk_complain(walk, chain->first, chain->end,
			      "sdtkit does not know the type of this member: "
			      "a newer one may");
		return chain->end;
	}
	if (kind == 'a') {
		fputs(raw ? "(" : "str(", walk->out);
		walk_raw(walk, chain);
		fprintf(walk->out, " + %u)", member->offset);
		return chain->end;
	}
	if (member->counts[0] > 0)
		return write_element(walk, chain);
	fputs(kind == 'z' && !raw ? "str(" : "", walk->out);
	value_begin_member(walk->out, walk->with->dialect, member);
	walk_raw(walk, chain);
	if (member->offset > 0)
		fprintf(walk->out, " + %u", member->offset);
	fputs(kind == 'z' && !raw ? ")))" : "))", walk->out);
	return chain->end;
}
