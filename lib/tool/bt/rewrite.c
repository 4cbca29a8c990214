/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter and body of a clause for one probe, see rewrite.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bt/argument.h"
#include "bt/chain.h"
#include "bt/rewrite.h"
#include "bt/source.h"
#include "bt/walk.h"
#include "common/tool.h"

enum {
	/* How deeply indexes may be nested. */
	DEPTH_MAX = 100,
};

/* Writes the tokens [from, to), with the text between them. */
static void walk_tokens(struct walk *walk, size_t from, size_t to);

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

/*
 * Writes an element of an array, whose index may have members in it:
 *
 *	args.req.key[$i]	(uint64)(*(uint8 *)(arg1 + 48 + (uint64)($i)))
 *
 * Returns the token behind it.
 */
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

/* Writes what a chain stands for; returns the token behind it. */
static size_t write_chain(struct walk *walk, const struct chain *chain)
{
	size_t end = chain->end;

	if (chain->fault != CHAIN_GOOD) {
		chain_complain(walk->with->source, walk->with->clause,
			       walk->probe, chain);
		walk->bad = true;
	} else if (chain->member == NULL) {
		argument_write(walk, chain);
	} else if (chain->member->counts[0] > 0) {
		end = write_element(walk, chain);
	} else {
		argument_write_member(walk, chain);
	}
	walk->taken = walk_token(walk, end - 1)->start +
		      walk_token(walk, end - 1)->length;
	return end;
}

/* "name(args.opcode)"; returns the token behind it, or i if it is not one. */
static size_t write_name(struct walk *walk, size_t i)
{
	const struct rewriting *with = walk->with;
	struct chain chain;
	size_t end;

	if (!walk_is(walk, i, "name") || !walk_is(walk, i + 1, "(") ||
	    !chain_find(with->source, with->clause, walk->probe, i + 2,
			&chain) || chain.fault != CHAIN_GOOD)
		return i;
	if (chain.names == NULL) {
		walk_complain(walk, chain.first, chain.end,
			 "the values of this have no names");
		return i;
	}
	fprintf(walk->out, "%s[%s", maps_need(with->maps, with->source,
					      chain.names),
		with->dialect->has_libbpf ? "" : "(int64)");
	end = write_chain(walk, &chain);
	if (!walk_is(walk, end, ")")) {
		walk_complain(walk, i, end, "name() takes an argument or a "
			      "member, and nothing else");
		return end;
	}
	fputc(']', walk->out);
	walk->taken = walk_token(walk, end)->start + 1;
	return end + 1;
}

static void write_word(struct walk *walk, size_t i)
{
	const struct rewriting *with = walk->with;
	long long value;

	switch (enumerator_find(with->source, with->clause, walk->probe,
				walk->mark[i], i, with->has_definitions,
				&value)) {
	case ENUMERATOR_OTHER:
		return;
	case ENUMERATOR_WRONG:
		walk->bad = true;
		break;
	case ENUMERATOR_VALUE:
		fprintf(walk->out, value < 0 ? "(%lld)" : "%lld", value);
		break;
	}
	walk->taken = walk_token(walk, i)->start + walk_token(walk, i)->length;
}

/* Writes the text of the script that was not taken yet, up to an offset. */
static void write_up_to(struct walk *walk, size_t end)
{
	if (end > walk->taken)
		fwrite(walk->with->source->text + walk->taken, 1,
		       end - walk->taken, walk->out);
	walk->taken = end > walk->taken ? end : walk->taken;
}

static size_t walk_word(struct walk *walk, size_t i)
{
	const struct rewriting *with = walk->with;
	struct chain chain;
	size_t next;
	long number;

	if (chain_find(with->source, with->clause, walk->probe, i, &chain))
		return write_chain(walk, &chain);
	next = write_name(walk, i);
	if (next > i)
		return next;
	number = argument_number(walk, i);
	if (number >= 0)
		argument_write_number(walk, i, (size_t)number);
	else
		write_word(walk, i);
	return i + 1;
}

static void walk_tokens(struct walk *walk, size_t from, size_t to)
{
	size_t i = from;

	while (i < to && !source_is_hopeless(walk->with->source)) {
		const struct token *token = walk_token(walk, i);

		if (token->kind != TOKEN_WORD) {
			i++;
			continue;
		}
		write_up_to(walk, token->start);
		i = walk_word(walk, i);
	}
	if (to > from)
		write_up_to(walk, walk_token(walk, to - 1)->start +
			    walk_token(walk, to - 1)->length);
}

/* "/args.mid > 5/ {" becomes "/pid == 7 && (arg0 > 5)/ {" */
static void walk_clause(struct walk *walk)
{
	const struct clause *clause = walk->with->clause;
	size_t body = clause->body;

	if (walk->with->pid == 0) {
		walk_tokens(walk, 0, clause->token_count);
		return;
	}
	fprintf(walk->out, "/pid == %d", (int)walk->with->pid);
	if (body > 0) {
		walk->taken = walk_token(walk, 0)->start + 1;
		fputs(" && (", walk->out);
		walk_tokens(walk, 1, body - 1);
		fputc(')', walk->out);
	} else {
		fputs("/ ", walk->out);
	}
	walk_tokens(walk, body > 0 ? body - 1 : 0, clause->token_count);
}

char *rewrite(const struct rewriting *rewriting, const struct probe *probe)
{
	const struct clause *clause = rewriting->clause;
	char *text = NULL;
	struct walk walk = {
		.with = rewriting,
		.probe = probe,
		.taken = clause->rest,
	};

	walk.out = tool_open_text(&text);
	walk.mark = enumerator_mark(rewriting->source, clause, probe);
	walk_clause(&walk);
	tool_close_text(walk.out);
	free(walk.mark);
	if (!walk.bad)
		return text;
	free(text);
	return NULL;
}
