/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of values in a script, see enumerator.h. */
#include <stdlib.h>
#include <string.h>

#include "bt/chain.h"
#include "bt/enumerator.h"
#include "bt/source.h"
#include "common/tool.h"
#include "lib/text/similar.h"
#include "probes/names.h"

/* Words of bpftrace that something may be compared with. */
static const char *const builtins[] = {
	"pid", "tid", "uid", "gid", "nsecs", "elapsed", "cpu", "comm", "func",
	"probe", "retval", "rand", "curtask", "cgroup", "username", "numaid",
	"ncpus", "ppid", "kstack", "ustack", "usermode", "args", "ctx", "true",
	"false", "sizeof", "offsetof",
};

static bool is_comparison(const struct source *source,
			  const struct clause *clause, size_t i)
{
	static const char *const operators[] = {
		"==", "!=", "<", ">", "<=", ">=",
	};
	size_t j;

	if (i >= clause->token_count ||
	    clause->token[i].kind != TOKEN_OPERATOR)
		return false;
	for (j = 0; j < sizeof(operators) / sizeof(operators[0]); j++) {
		if (token_is(source, &clause->token[i], operators[j]))
			return true;
	}
	return false;
}

/* Whether the token is a word that stands for itself. */
static bool is_lone_word(const struct source *source,
			 const struct clause *clause, size_t i)
{
	const struct token *token = clause->token;

	if (i >= clause->token_count || token[i].kind != TOKEN_WORD)
		return false;
	if (i > 0 && (chain_is_link(source, clause, i - 1) ||
		      token[i - 1].kind == TOKEN_WORD))
		return false;
	return i + 1 >= clause->token_count ||
	       (!chain_is_link(source, clause, i + 1) &&
		!token_is(source, &token[i + 1], "("));
}

const struct sdtkit_enum **enumerator_mark(const struct source *source,
					   const struct clause *clause,
					   const struct probe *probe)
{
	const struct sdtkit_enum **mark = tool_zeros(clause->token_count + 1,
						     sizeof(*mark));
	struct chain chain;
	size_t i;

	for (i = 0; i < clause->token_count; i++) {
		if (!chain_find(source, clause, probe, i, &chain) ||
		    chain.names == NULL)
			continue;
		if (is_comparison(source, clause, chain.end) &&
		    is_lone_word(source, clause, chain.end + 1))
			mark[chain.end + 1] = chain.names;
		if (i >= 2 && is_comparison(source, clause, i - 1) &&
		    is_lone_word(source, clause, i - 2))
			mark[i - 2] = chain.names;
	}
	return mark;
}

static bool find_in(const struct source *source, const struct token *token,
		    const struct sdtkit_enum *names, long long *value)
{
	size_t i;

	for (i = 0; names != NULL && i < names->enumerator_count; i++) {
		if (!token_is(source, token, names->enumerators[i].name))
			continue;
		*value = names->enumerators[i].value;
		return true;
	}
	return false;
}

static bool is_builtin(const struct source *source, const struct token *token)
{
	size_t i;

	for (i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (token_is(source, token, builtins[i]))
			return true;
	}
	return false;
}

static void complain_unknown(struct source *source, const struct token *token,
			     const struct sdtkit_enum *names)
{
	struct sdtkit_meant meant = { .percent = 0 };
	char word[128], hint[SDTKIT_MEANT_SIZE];
	size_t i;

	snprintf(word, sizeof(word), "%.*s", (int)token->length,
		 source->text + token->start);
	for (i = 0; i < names->enumerator_count; i++)
		sdtkit_meant_saw(&meant, names->enumerators[i].name, word);
	source_complain(source, token->start, token->length,
			"'%s' is not a value of %s; %s", word, names->name,
			sdtkit_meant_text(&meant, hint));
}

/* All names that arguments and members of a probe have, one by one. */
struct each_names {
	size_t argument;
	size_t member;
};

static bool next_names(const struct probe *probe, struct each_names *each,
		       const struct sdtkit_enum **names)
{
	const struct sdtkit_description *description =
		probe->site->note.description;

	while (description != NULL &&
	       each->argument < description->argument_count) {
		const struct sdtkit_argument *argument =
			&description->arguments[each->argument];
		size_t member = each->member++;

		*names = argument->names;
		if (member > 0 && argument->record != NULL &&
		    member <= argument->record->member_count) {
			*names = argument->record->members[member - 1].names;
		} else if (member > 0) {
			each->argument++;
			each->member = 0;
			continue;
		}
		if (*names != NULL)
			return true;
	}
	return false;
}

static enum enumerator_verdict find_anywhere(struct source *source,
					     const struct token *token,
					     const struct probe *probe,
					     long long *value)
{
	enum enumerator_verdict verdict = ENUMERATOR_OTHER;
	struct each_names each = { 0, 0 };
	const struct sdtkit_enum *names;
	long long other;

	while (next_names(probe, &each, &names)) {
		if (!find_in(source, token, names, &other))
			continue;
		if (verdict == ENUMERATOR_VALUE && other != *value) {
			source_complain(source, token->start, token->length,
					"'%.*s' is a name of %lld and of %lld "
					"here: write the number",
					(int)token->length,
					source->text + token->start, *value,
					other);
			return ENUMERATOR_WRONG;
		}
		verdict = ENUMERATOR_VALUE;
		*value = other;
	}
	return verdict;
}

enum enumerator_verdict enumerator_find(struct source *source,
					const struct clause *clause,
					const struct probe *probe,
					const struct sdtkit_enum *names,
					size_t i, bool has_definitions,
					long long *value)
{
	const struct token *token = &clause->token[i];

	if (!is_lone_word(source, clause, i))
		return ENUMERATOR_OTHER;
	if (find_in(source, token, names, value))
		return ENUMERATOR_VALUE;
	if (is_builtin(source, token))
		return ENUMERATOR_OTHER;
	if (names == NULL)
		return find_anywhere(source, token, probe, value);
	if (has_definitions)
		return ENUMERATOR_OTHER;
	complain_unknown(source, token, names);
	return ENUMERATOR_WRONG;
}

static bool is_same_enum(const struct sdtkit_enum *a,
			 const struct sdtkit_enum *b)
{
	size_t i;

	if (a == b)
		return true;
	if (strcmp(a->name, b->name) != 0 ||
	    a->enumerator_count != b->enumerator_count)
		return false;
	for (i = 0; i < a->enumerator_count; i++) {
		if (a->enumerators[i].value != b->enumerators[i].value ||
		    strcmp(a->enumerators[i].name, b->enumerators[i].name))
			return false;
	}
	return true;
}

static bool is_taken(const struct maps *maps, const struct source *source,
		     const char *name)
{
	size_t i;

	for (i = 0; i < maps->count; i++) {
		if (strcmp(maps->map[i].name, name) == 0)
			return true;
	}
	return strstr(source->text, name) != NULL;
}

/* "@names_command", or with a number if the script has such a map. */
static char *new_name(const struct maps *maps, const struct source *source,
		      const struct sdtkit_enum *names)
{
	unsigned int number = 1;
	char *name, *c;

	for (;;) {
		name = number == 1 ? tool_format("@names_%s", names->name) :
		       tool_format("@names_%s_%u", names->name, number);
		for (c = name + 1; *c != '\0'; c++)
			*c = token_is_word_char(*c) ? *c : '_';
		if (!is_taken(maps, source, name))
			return name;
		free(name);
		number++;
	}
}

const char *maps_need(struct maps *maps, const struct source *source,
		      const struct sdtkit_enum *names)
{
	size_t i;

	for (i = 0; i < maps->count; i++) {
		if (is_same_enum(maps->map[i].names, names))
			return maps->map[i].name;
	}
	TOOL_GROW(maps->map, maps->count, maps->capacity);
	maps->map[maps->count] = (struct map) {
		.name = new_name(maps, source, names),
		.names = names,
	};
	return maps->map[maps->count++].name;
}

/* Names come from files, which may be hostile. */
static bool is_identifier(const char *name)
{
	for (; token_is_word_char(*name); name++)
		;
	return *name == '\0';
}

void maps_write_begin(FILE *out, const struct maps *maps)
{
	size_t i, j;

	for (i = 0; i < maps->count; i++) {
		const struct sdtkit_enum *names = maps->map[i].names;

		for (j = 0; j < names->enumerator_count; j++) {
			const struct sdtkit_enumerator *one =
				&names->enumerators[j];

			/* The first name of a value is the one to show. */
			if (one == names_find_value(names, one->value) &&
			    is_identifier(one->name))
				fprintf(out, " %s[%lld] = \"%s\";",
					maps->map[i].name,
					(long long)one->value, one->name);
		}
	}
}

void maps_write_end(FILE *out, const struct maps *maps)
{
	size_t i;

	for (i = 0; i < maps->count; i++)
		fprintf(out, " clear(%s);", maps->map[i].name);
}

void maps_free(struct maps *maps)
{
	size_t i;

	for (i = 0; i < maps->count; i++)
		free(maps->map[i].name);
	free(maps->map);
}
