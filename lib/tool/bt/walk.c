/* SPDX-License-Identifier: BSD-2-Clause */
/* Going over the tokens of a clause, see walk.h. */
#include <stdio.h>

#include "bt/source.h"
#include "bt/walk.h"

const struct token *walk_token(const struct walk *walk, size_t i)
{
	return &walk->with->clause->token[i];
}

bool walk_is(const struct walk *walk, size_t i, const char *text)
{
	return i < walk->with->clause->token_count &&
	       token_is(walk->with->source, walk_token(walk, i), text);
}

void walk_complain(struct walk *walk, size_t first, size_t end,
		   const char *text)
{
	const struct token *token = walk_token(walk, first);
	const struct token *last = walk_token(walk, end - 1);

	source_complain(walk->with->source, token->start,
			last->start + last->length - token->start, "%s", text);
	walk->bad = true;
}

/* Functions that take an address, to which a string must not be given. */
bool walk_wants_address(const struct walk *walk, size_t i)
{
	static const char *const functions[] = {
		"str", "buf", "uptr", "kptr", "kstr", "path",
	};
	size_t j;

	if (i < 2 || !walk_is(walk, i - 1, "("))
		return false;
	for (j = 0; j < sizeof(functions) / sizeof(functions[0]); j++) {
		if (walk_is(walk, i - 2, functions[j]))
			return true;
	}
	return false;
}

void walk_cannot_read(struct walk *walk, const struct chain *chain,
		      const char *reason)
{
	char text[1024];

	snprintf(text, sizeof(text), "args.%s of %s:%s cannot be read: %s",
		 chain->argument->name, probe_provider(walk->probe),
		 probe_name(walk->probe), reason);
	walk_complain(walk, chain->first, chain->end, text);
}

void walk_raw(struct walk *walk, const struct chain *chain)
{
	char reason[OPERAND_REASON];

	if (!value_write_raw(walk->out, walk->probe, walk->with->dialect,
			     chain->index, reason))
		walk_cannot_read(walk, chain, reason);
}
