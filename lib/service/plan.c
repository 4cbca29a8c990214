/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c - says what a service would do.
 *
 *	the configuration is good: the service
 *	  traces processes that are called smbd
 *	  runs as the user tsmbd
 *	  serves metrics at 127.0.0.1:10445
 *
 * A line that is missing here tells an operator of a '#' that is still there.
 */
#include "settings/values.h"
#include "plan.h"

static void print_traced(FILE *out, const struct options *o)
{
	char word[VALUES_WORD];
	int i;

	fputs("  traces ", out);
	if (o->pid != 0)
		fprintf(out, "process %d and its children", (int)o->pid);
	else if (o->num_files == 0)
		fprintf(out, "processes that are called %s",
			values_word(o->name, word));
	for (i = 0; o->pid == 0 && i < o->num_files; i++)
		fprintf(out, "%s%s", i == 0 ? "" : ", ",
			values_word(o->files[i], word));
	fputc('\n', out);
}

static void print_filters(FILE *out, const struct options *o)
{
	static const char *const kinds[TSMBD_KINDS] = {
		[TSMBD_CLIENTS] = "clients",
		[TSMBD_USERS] = "users of clients",
		[TSMBD_SHARES] = "shares",
	};
	const struct filter *filter;
	char word[VALUES_WORD];
	int kind;
	int i;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		filter = &o->filters[kind];
		if (filter->count == 0)
			continue;
		fprintf(out, "  counts only requests of these %s: ",
			kinds[kind]);
		for (i = 0; i < filter->count; i++)
			fprintf(out, "%s%s", i == 0 ? "" : ", ",
				values_word(filter->names[i], word));
		fputc('\n', out);
	}
	if (o->commands != ~0U)
		fputs("  counts only requests of some commands\n", out);
}

static void print_metrics(FILE *out, const struct options *o)
{
	char word[VALUES_WORD];

	if (o->http.listen != NULL)
		fprintf(out, "  serves metrics%s at %s%s%s\n",
			o->page.html != NULL ? " and the page" : "",
			values_word(o->http.listen, word),
			o->http.tls_cert != NULL ? ", by TLS" : "",
			o->http.auth != NULL ? ", to who has a password" : "");
	if (o->metrics.textfile != NULL)
		fprintf(out, "  writes metrics to %s\n",
			values_word(o->metrics.textfile, word));
}

static void print_files(FILE *out, const struct options *o)
{
	char word[VALUES_WORD];

	if (o->history.history != NULL)
		fprintf(out, "  keeps a history of at most %u MiB in %s\n",
			o->history.history_size, values_word(o->history.history, word));
	if (o->incident.when.count > 0)
		fprintf(out, "  watches for incidents: %d condition%s\n",
			o->incident.when.count, o->incident.when.count > 1 ? "s" : "");
	if (o->incident.save != NULL)
		fprintf(out, "  saves at most %u MiB of incidents in %s\n",
			o->incident.save_size, values_word(o->incident.save, word));
	if (o->page.html != NULL)
		fprintf(out, "  writes the page to %s\n",
			values_word(o->page.html, word));
}

void plan_print(FILE *out, const struct options *options, const char *user,
		bool makes_nothing)
{
	if (!options->service.daemon) {
		fputs("the configuration is good\n", out);
		return;
	}
	fprintf(out, "the configuration %s the service\n", makes_nothing ?
		"has no mistakes, but" : "is good:");
	print_traced(out, options);
	print_filters(out, options);
	if (user != NULL)
		fprintf(out, "  runs as the user %s\n", user);
	print_metrics(out, options);
	print_files(out, options);
	if (makes_nothing)
		fputs("  makes nothing\n", out);
}
