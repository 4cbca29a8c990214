/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter and body of a clause for one probe, see rewrite.h. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bt/chain.h"
#include "bt/rewrite.h"
#include "bt/source.h"
#include "common/tool.h"

struct walk {
	const struct rewriting *with;
	const struct probe *probe;
	/* What words are compared with. */
	const struct sdtkit_enum **mark;
	FILE *out;
	/* Up to where the text of the script was taken. */
	size_t taken;
	bool bad;
};

static void walk_tokens(struct walk *walk, size_t from, size_t to);

static const struct token *token_at(const struct walk *walk, size_t i)
{
	return &walk->with->clause->token[i];
}

static bool is(const struct walk *walk, size_t i, const char *text)
{
	return i < walk->with->clause->token_count &&
	       token_is(walk->with->source, token_at(walk, i), text);
}

static void complain(struct walk *walk, size_t first, size_t end,
		     const char *text)
{
	const struct token *token = token_at(walk, first);
	const struct token *last = token_at(walk, end - 1);

	source_complain(walk->with->source, token->start,
			last->start + last->length - token->start, "%s", text);
	walk->bad = true;
}

/* Functions that take an address, to which a string must not be given. */
static bool wants_address(const struct walk *walk, size_t i)
{
	static const char *const functions[] = {
		"str", "buf", "uptr", "kptr", "kstr", "path",
	};
	size_t j;

	if (i < 2 || !is(walk, i - 1, "("))
		return false;
	for (j = 0; j < sizeof(functions) / sizeof(functions[0]); j++) {
		if (is(walk, i - 2, functions[j]))
			return true;
	}
	return false;
}

static unsigned int word_size(const struct walk *walk)
{
	return walk->probe->object->sites.info->bits / 8;
}

static void cannot_read(struct walk *walk, const struct chain *chain,
			const char *reason)
{
	char text[1024];

	snprintf(text, sizeof(text), "args.%s of %s:%s cannot be read: %s",
		 chain->argument->name, probe_provider(walk->probe),
		 probe_name(walk->probe), reason);
	complain(walk, chain->first, chain->end, text);
}

static void write_raw(struct walk *walk, const struct chain *chain)
{
	char reason[PLACE_REASON];

	if (!value_write_raw(walk->out, walk->probe, walk->with->dialect,
			     chain->index, reason))
		cannot_read(walk, chain, reason);
}

static void write_argument(struct walk *walk, const struct chain *chain)
{
	struct wire wire = wire_parse(chain->argument->wire, word_size(walk));
	char reason[PLACE_REASON];

	switch (wire.kind) {
	case 'z':
		if (wants_address(walk, chain->first)) {
			write_raw(walk, chain);
			break;
		}
		fputs("str(", walk->out);
		write_raw(walk, chain);
		fputc(')', walk->out);
		break;
	case 'f':
		snprintf(reason, sizeof(reason), "it is a %s, and bpftrace has "
			 "no floating point; arg%zu is its bits",
			 chain->argument->type, chain->index);
		cannot_read(walk, chain, reason);
		break;
	case 'p':
		write_raw(walk, chain);
		break;
	default:
		if (!value_write(walk->out, walk->probe, walk->with->dialect,
				 chain->index, wire, reason))
			cannot_read(walk, chain, reason);
		break;
	}
}

/* Returns the token behind the bracket that closes the one at i; 0: none. */
static size_t behind_bracket(const struct walk *walk, size_t i)
{
	size_t depth = 0;

	for (; i < walk->with->clause->token_count; i++) {
		if (is(walk, i, "["))
			depth++;
		if (is(walk, i, "]") && --depth == 0)
			return i + 1;
		if (is(walk, i, ";") || is(walk, i, "{") || is(walk, i, "}"))
			break;
	}
	return 0;
}

/* Whether the tokens [i, end) are a number; complains if it is too large. */
static bool is_number(struct walk *walk, size_t i, size_t end, uint32_t count,
		      unsigned long *number)
{
	const struct token *token = token_at(walk, i);
	char text[128];

	if (end != i + 1 || token->kind != TOKEN_NUMBER)
		return false;
	errno = 0;
	*number = strtoul(walk->with->source->text + token->start, NULL, 0);
	if (errno == 0 && *number < count)
		return true;
	snprintf(text, sizeof(text), "the array has %u element%s: 0 to %u",
		 count, tool_plural(count), count - 1);
	complain(walk, i, end, text);
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
	size_t end = is(walk, i, "[") ? behind_bracket(walk, i) : 0;
	unsigned long number;

	if (end < i + 3)
		return 0;
	if (is_number(walk, i + 1, end - 1, count, &number)) {
		fprintf(walk->out, " + %lu", number * size);
		return end;
	}
	/* The address has this type, and bpftrace warns of a mixture. */
	fprintf(walk->out, " + %s(",
		walk->with->dialect->has_libbpf ? "(int64)" : "(uint64)");
	walk->taken = token_at(walk, i + 1)->start;
	walk_tokens(walk, i + 1, end - 1);
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
	complain(walk, chain->first, chain->end, text);
}

/* An element of an array: behind the record's address comes its offset. */
static size_t write_element(struct walk *walk, const struct chain *chain)
{
	const struct sdtkit_layout_member *member = chain->member;
	bool is_table = member->counts[1] > 0;
	size_t end;

	value_begin_member(walk->out, walk->with->dialect, member);
	write_raw(walk, chain);
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

static size_t write_member(struct walk *walk, const struct chain *chain)
{
	const struct sdtkit_layout_member *member = chain->member;
	bool raw = wants_address(walk, chain->first);
	char kind = wire_parse(member->wire, 8).kind;

	if (kind == 0 || member->size == 0) {
		complain(walk, chain->first, chain->end, "sdtkit does not know "
			 "the type of this member: a newer one may");
		return chain->end;
	}
	if (kind == 'a') {
		fputs(raw ? "(" : "str(", walk->out);
		write_raw(walk, chain);
		fprintf(walk->out, " + %u)", member->offset);
		return chain->end;
	}
	if (member->counts[0] > 0)
		return write_element(walk, chain);
	fputs(kind == 'z' && !raw ? "str(" : "", walk->out);
	value_begin_member(walk->out, walk->with->dialect, member);
	write_raw(walk, chain);
	if (member->offset > 0)
		fprintf(walk->out, " + %u", member->offset);
	fputs(kind == 'z' && !raw ? ")))" : "))", walk->out);
	return chain->end;
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
		write_argument(walk, chain);
	} else {
		end = write_member(walk, chain);
	}
	walk->taken = token_at(walk, end - 1)->start +
		      token_at(walk, end - 1)->length;
	return end;
}

/* "arg7": its number, or -1. */
static long argument_number(const struct walk *walk, size_t i)
{
	const struct token *token = token_at(walk, i);
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

static void write_number(struct walk *walk, size_t i, size_t number)
{
	const struct probe *probe = walk->probe;
	const struct token *token = token_at(walk, i);
	size_t count = value_count(probe);
	char reason[PLACE_REASON], text[1024];

	if (number >= count) {
		snprintf(text, sizeof(text), "%s:%s has no arg%zu: it has %zu "
			 "argument%s", probe_provider(probe),
			 probe_name(probe), number, count, tool_plural(count));
		complain(walk, i, i + 1, text);
	} else if (value_has_name(probe, walk->with->dialect, number)) {
		return;
	} else if (!value_write_raw(walk->out, probe, walk->with->dialect,
				    number, reason)) {
		snprintf(text, sizeof(text), "arg%zu of %s:%s cannot be read: "
			 "%s", number, probe_provider(probe),
			 probe_name(probe), reason);
		complain(walk, i, i + 1, text);
	}
	walk->taken = token->start + token->length;
}

/* "name(args.opcode)"; returns the token behind it, or i if it is not one. */
static size_t write_name(struct walk *walk, size_t i)
{
	const struct rewriting *with = walk->with;
	struct chain chain;
	size_t end;

	if (!is(walk, i, "name") || !is(walk, i + 1, "(") ||
	    !chain_find(with->source, with->clause, walk->probe, i + 2,
			&chain) || chain.fault != CHAIN_GOOD)
		return i;
	if (chain.names == NULL) {
		complain(walk, chain.first, chain.end,
			 "the values of this have no names");
		return i;
	}
	fprintf(walk->out, "%s[%s", maps_need(with->maps, with->source,
					      chain.names),
		with->dialect->has_libbpf ? "" : "(int64)");
	end = write_chain(walk, &chain);
	if (!is(walk, end, ")")) {
		complain(walk, i, end, "name() takes an argument or a member, "
			 "and nothing else");
		return end;
	}
	fputc(']', walk->out);
	walk->taken = token_at(walk, end)->start + 1;
	return end + 1;
}

static void write_word(struct walk *walk, size_t i)
{
	const struct rewriting *with = walk->with;
	long long value;

	switch (words_find(with->source, with->clause, walk->probe,
			   walk->mark[i], i, with->has_definitions, &value)) {
	case WORDS_OTHER:
		return;
	case WORDS_WRONG:
		walk->bad = true;
		break;
	case WORDS_VALUE:
		fprintf(walk->out, value < 0 ? "(%lld)" : "%lld", value);
		break;
	}
	walk->taken = token_at(walk, i)->start + token_at(walk, i)->length;
}

/* Writes the text of the script that was not taken yet, up to a place. */
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
		write_number(walk, i, (size_t)number);
	else
		write_word(walk, i);
	return i + 1;
}

static void walk_tokens(struct walk *walk, size_t from, size_t to)
{
	size_t i = from;

	while (i < to) {
		const struct token *token = token_at(walk, i);

		if (token->kind != TOKEN_WORD) {
			i++;
			continue;
		}
		write_up_to(walk, token->start);
		i = walk_word(walk, i);
	}
	if (to > from)
		write_up_to(walk, token_at(walk, to - 1)->start +
			    token_at(walk, to - 1)->length);
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
		walk->taken = token_at(walk, 0)->start + 1;
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
	size_t size;
	struct walk walk = {
		.with = rewriting,
		.probe = probe,
		.taken = clause->rest,
	};

	walk.out = open_memstream(&text, &size);
	if (walk.out == NULL)
		tool_no_memory();
	walk.mark = words_mark(rewriting->source, clause, probe);
	walk_clause(&walk);
	if (fclose(walk.out) != 0)
		tool_no_memory();
	free(walk.mark);
	if (!walk.bad)
		return text;
	free(text);
	return NULL;
}
