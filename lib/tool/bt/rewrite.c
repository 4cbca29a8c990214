/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter and body of a clause for one probe, see rewrite.h. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bt/chain.h"
#include "bt/members.h"
#include "bt/rewrite.h"
#include "bt/source.h"
#include "bt/walk.h"
#include "common/tool.h"

static unsigned int word_size(const struct walk *walk)
{
	return walk->probe->object->sites.info->bits / 8;
}

static void write_argument(struct walk *walk, const struct chain *chain)
{
	struct wire wire = wire_parse(chain->argument->wire, word_size(walk));
	char reason[PLACE_REASON];

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
		end = members_write(walk, chain);
	}
	walk->taken = walk_token(walk, end - 1)->start +
		      walk_token(walk, end - 1)->length;
	return end;
}

/* "arg7": its number, or -1. */
static long argument_number(const struct walk *walk, size_t i)
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

static void write_number(struct walk *walk, size_t i, size_t number)
{
	const struct probe *probe = walk->probe;
	const struct token *token = walk_token(walk, i);
	size_t count = value_count(probe);
	char reason[PLACE_REASON], text[1024];

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
	walk->taken = walk_token(walk, i)->start + walk_token(walk, i)->length;
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

void walk_tokens(struct walk *walk, size_t from, size_t to)
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
