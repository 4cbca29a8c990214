/* SPDX-License-Identifier: BSD-2-Clause */
/* What a script names by args.NAME, see chain.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "bt/chain.h"
#include "bt/source.h"
#include "common/tool.h"
#include "lib/text/similar.h"
#include "probes/members.h"

enum {
	NAME_MAX_SIZE = 512,
};

bool chain_is_link(const struct source *source, const struct clause *clause,
		   size_t i)
{
	return i < clause->token_count &&
	       (token_is(source, &clause->token[i], ".") ||
		token_is(source, &clause->token[i], "->"));
}

static bool is_word(const struct clause *clause, size_t i)
{
	return i < clause->token_count &&
	       clause->token[i].kind == TOKEN_WORD;
}

static bool find_argument(const struct source *source,
			  const struct clause *clause,
			  const struct sdtkit_description *description,
			  struct chain *chain)
{
	size_t i;

	for (i = 0; i < description->argument_count; i++) {
		const struct sdtkit_argument *argument =
			&description->arguments[i];

		if (!token_is(source, &clause->token[chain->word],
			      argument->name))
			continue;
		chain->index = i;
		chain->argument = argument;
		chain->names = argument->names;
		return true;
	}
	return false;
}

/* A member of an inner record has a dot in its name. */
static void walk_members(const struct source *source,
			 const struct clause *clause, struct chain *chain)
{
	const struct sdtkit_layout *record = chain->argument->record;
	char name[NAME_MAX_SIZE] = "";
	size_t length = 0;

	while (chain->member == NULL &&
	       chain_is_link(source, clause, chain->end) &&
	       is_word(clause, chain->end + 1)) {
		const struct token *token = &clause->token[chain->end + 1];

		chain->fault = CHAIN_NO_MEMBER;
		chain->word = chain->end + 1;
		chain->end += 2;
		if (length + token->length + 2 > sizeof(name))
			return;
		length += (size_t)snprintf(name + length,
					   sizeof(name) - length, "%s%.*s",
					   length > 0 ? "." : "",
					   (int)token->length,
					   source->text + token->start);
		chain->member = members_find(record, name);
	}
	if (chain->member == NULL)
		return;
	chain->fault = CHAIN_GOOD;
	chain->names = chain->member->names;
}

bool chain_find(const struct source *source, const struct clause *clause,
		const struct probe *probe, size_t i, struct chain *chain)
{
	const struct sdtkit_description *description =
		probe->site->note.description;
	bool more;

	if (!is_word(clause, i) ||
	    !token_is(source, &clause->token[i], "args") ||
	    (i > 0 && chain_is_link(source, clause, i - 1)) ||
	    !chain_is_link(source, clause, i + 1) || !is_word(clause, i + 2))
		return false;
	*chain = (struct chain) { .first = i, .end = i + 3, .word = i + 2 };
	if (description == NULL) {
		chain->fault = CHAIN_NOT_DESCRIBED;
		return true;
	}
	if (!find_argument(source, clause, description, chain)) {
		chain->fault = CHAIN_NO_ARGUMENT;
		return true;
	}
	more = chain_is_link(source, clause, i + 3) && is_word(clause, i + 4);
	if (more && chain->argument->record == NULL) {
		chain->fault = CHAIN_NO_RECORD;
		chain->word = i + 4;
	} else if (more) {
		chain->names = NULL;
		walk_members(source, clause, chain);
	}
	if (chain->fault == CHAIN_GOOD && chain->member != NULL &&
	    chain_is_link(source, clause, chain->end) &&
	    is_word(clause, chain->end + 1)) {
		chain->fault = CHAIN_NO_RECORD;
		chain->word = chain->end + 1;
	}
	return true;
}

static void complain_argument(struct source *source,
			      const struct token *token,
			      const struct probe *probe, const char *word)
{
	const struct sdtkit_description *description =
		probe->site->note.description;
	struct sdtkit_meant meant = { .percent = 0 };
	char hint[SDTKIT_MEANT_SIZE];
	size_t i;

	for (i = 0; i < description->argument_count; i++)
		sdtkit_meant_saw(&meant, description->arguments[i].name, word);
	source_complain(source, token->start, token->length,
			"%s:%s has no argument '%s'; %s",
			probe_provider(probe), probe_name(probe), word,
			sdtkit_meant_text(&meant, hint));
}

/* What is written from the member on, "peer.port". */
static void join(const struct source *source, const struct clause *clause,
		 size_t from, size_t end, char *name)
{
	size_t length = 0, i;

	name[0] = '\0';
	for (i = from; i < end && length < NAME_MAX_SIZE; i += 2)
		length += (size_t)snprintf(name + length,
					   NAME_MAX_SIZE - length, "%s%.*s",
					   length > 0 ? "." : "",
					   (int)clause->token[i].length,
					   source->text +
					   clause->token[i].start);
}

static void complain_member(struct source *source, const struct clause *clause,
			    const struct chain *chain)
{
	const struct sdtkit_layout *record = chain->argument->record;
	const struct token *token = &clause->token[chain->first + 4];
	const struct token *last = &clause->token[chain->end - 1];
	size_t length = last->start + last->length - token->start, i;
	struct sdtkit_meant meant = { .percent = 0 };
	char name[NAME_MAX_SIZE], hint[SDTKIT_MEANT_SIZE];

	join(source, clause, chain->first + 4, chain->end, name);
	for (i = 0; i < record->member_count; i++)
		sdtkit_meant_saw(&meant, record->members[i].name, name);
	source_complain(source, token->start, length,
			"args.%s has no member '%s'; %s",
			chain->argument->name, name,
			sdtkit_meant_text(&meant, hint));
}

static void complain_no_record(struct source *source,
			       const struct token *token,
			       const struct chain *chain)
{
	const char *type = chain->argument->type;
	bool is_address = chain->argument->wire[0] == 'p';

	if (chain->member != NULL)
		source_complain(source, token->start, token->length,
				"args.%s.%s has the type '%s' and no members",
				chain->argument->name, chain->member->name,
				chain->member->type);
	else if (is_address)
		source_complain(source, token->start, token->length,
				"args.%s is a '%s', and the file does not "
				"describe what it points to",
				chain->argument->name, type);
	else
		source_complain(source, token->start, token->length,
				"args.%s has the type '%s' and no members",
				chain->argument->name, type);
}

void chain_complain(struct source *source, const struct clause *clause,
		    const struct probe *probe, const struct chain *chain)
{
	const struct token *token = &clause->token[chain->word];
	char word[NAME_MAX_SIZE];

	switch (chain->fault) {
	case CHAIN_GOOD:
		break;
	case CHAIN_NOT_DESCRIBED:
		token = &clause->token[chain->first];
		source_complain(source, token->start, token->length,
				"%s does not say what the arguments of %s:%s "
				"are called: use arg0, arg1 and so on, "
				"or --description",
				probe->object->path, probe_provider(probe),
				probe_name(probe));
		break;
	case CHAIN_NO_ARGUMENT:
		snprintf(word, sizeof(word), "%.*s", (int)token->length,
			 source->text + token->start);
		complain_argument(source, token, probe, word);
		break;
	case CHAIN_NO_MEMBER:
		complain_member(source, clause, chain);
		break;
	case CHAIN_NO_RECORD:
		complain_no_record(source, token, chain);
		break;
	}
}
