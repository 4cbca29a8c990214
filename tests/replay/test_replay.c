/* SPDX-License-Identifier: BSD-2-Clause */
/* Replay and merge, of the cache server that does not exist. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../history/file.h"
#include "history/options.h"
#include "replay/merge.h"
#include "replay/replay.h"

/* What a child prints to stdout and stderr, and returns. */
static char out[16384], err_out[2048];

static const struct settings settings[] = {
	{ "History", history_settings, 0, NULL, 0 },
	{ .rows = NULL },
};

static void sort(const void *options, struct report *report)
{
	report_sort(report, CACHE_COMMANDS, NULL);
}

static void print(FILE *file, const void *options, const struct report *r,
		  bool again)
{
	const struct cache_server *server = report_row(r, CACHE_SERVER, 0);

	fprintf(file, "%s%lld %lld %llu\n", again ? "again " : "",
		(long long)(r->end_ns - BEGIN_NS) / (long long)SECOND_NS,
		(long long)r->elapsed_ns / (long long)SECOND_NS, server->hits);
}

static json_t *to_json(const void *options, const struct report *r)
{
	const struct report_view view = { .lines = 0 };
	json_t *object = json_pack("{ss ss}", "time",
				   "2026-11-23T10:00:30.000+00:00", "host",
				   "beta");

	report_to_json(r, &view, object);
	return object;
}

static void line(FILE *file, const void *options,
		 const struct report_table *table, const void *row)
{
	const struct cache_slow *slow = row;

	fprintf(file, "%s %s\n", table->name, row == NULL ? "-" : slow->key);
}

static const struct report_heat heat = {
	.table = CACHE_COMMANDS, .column = "slots", .title = "Commands",
	.row = "command", .noun = "command",
};

static const struct report_program program = {
	.name = "cached", .tables = &cache_tables, .settings = settings,
	.options_size = sizeof(struct history_options), .slow = CACHE_SLOW,
	.heat = &heat, .sort = sort, .print = print, .json = to_json,
	.line = line,
};

/* What the options ask for, but for their words. */
static struct replay_asked ask;

static void parse_replay(int argc, char **argv, void *options,
			 struct replay_asked *asked)
{
	((struct history_options *)options)->history = history_path;
	*asked = ask;
	asked->rows = argv + 1;
}

static bool prints(const void *options, const void *row)
{
	return ((const struct cache_slow *)row)->key[4] != '7';
}

static int parse_merge(int argc, char **argv, void *options,
		       struct merge_asked *asked)
{
	*asked = (struct merge_asked){ .json = ask.json, .quiet = ask.quiet };
	return 1;
}

static void show(void *options, unsigned int tables)
{
	printf("tables %x\n", tables);
}

static void begin(void)
{
	fputs("output begins\n", stderr);
}

static int replay(int argc, char **argv)
{
	static const struct replay_command command = {
		.program = &program, .name = "cached replay",
		.usage = "usage", .parse = parse_replay, .begin = begin,
		.prints = prints,
	};

	return replay_run(&command, argc, argv);
}

static int merge(int argc, char **argv)
{
	static const struct merge_command command = {
		.program = &program, .name = "cached merge", .usage = "usage",
		.prints = "cached --json", .records = "cached --history",
		.parse = parse_merge, .begin = begin, .show = show,
	};

	return merge_run(&command, argc, argv);
}

static void read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while ((got = read(fd, text + length, size - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = '\0';
	close(fd);
}

/* Runs a command with words between blanks; returns its exit status. */
static int run(int (*command)(int, char **), char *words)
{
	char *argv[16] = { "cached" };
	int to[2], err_to[2], argc = 1, status;
	pid_t child;

	while ((argv[argc] = strtok(argc == 1 ? words : NULL, " ")) != NULL)
		argc++;
	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(err_to), 0);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(to[1], STDOUT_FILENO);
		dup2(err_to[1], STDERR_FILENO);
		status = command(argc, argv);
		fflush(stdout);
		_exit(status);
	}
	close(to[1]);
	close(err_to[1]);
	read_all(to[0], out, sizeof(out));
	read_all(err_to[0], err_out, sizeof(err_out));
	assert_int_equal(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

#define RUN(command, ...)						\
	(snprintf(words, sizeof(words), __VA_ARGS__), run(command, words))

static unsigned long long hits(unsigned int from, unsigned int to)
{
	struct report *sum = sum_of_seconds(from, to);
	const struct cache_server *server = report_row(sum, CACHE_SERVER, 0);
	unsigned long long count = server->hits;

	report_free(sum);
	return count;
}

/* Seconds 0 to 30 and 40 to 60, with a slow span in the middle of some. */
static int record(void **state)
{
	struct history_writer *w;
	struct cache_slow row;
	unsigned int i;

	history_setup(state);
	ask = (struct replay_asked){ .interval = 0 };
	w = start(64 * MIB);
	write_seconds(w, 0, 30);
	for (i = 5; i < 9; i++) {
		cache_slow(&row, i, UP_NS + i * SECOND_NS);
		history_write_row(w, BEGIN_NS + i * SECOND_NS, &row);
	}
	write_seconds(w, 40, 60);
	return !history_finish(w);
}

#define REPLAY_TEST(name)	TEST_WITH(name, record, history_teardown)

static char words[256], expected[512];

REPLAY_TEST(test_all_in_one)
{
	assert_int_equal(RUN(replay, " "), 0);
	snprintf(expected, sizeof(expected), "60 50 %llu\n",
		 hits(0, 30) + hits(40, 60));
	assert_string_equal(out, expected);
	assert_non_null(strstr(err_out, "nothing was recorded from"));
	ask.quiet = true;
	assert_int_equal(RUN(replay, " "), 0);
	assert_string_equal(out, expected);
	assert_string_equal(err_out, "output begins\n");
}

REPLAY_TEST(test_intervals)
{
	ask.interval = 20 * SECOND_NS;
	assert_int_equal(RUN(replay, "--to @%llu", BEGIN_NS / SECOND_NS + 50),
			 0);
	snprintf(expected, sizeof(expected),
		 "20 20 %llu\nagain 30 10 %llu\nagain 50 10 %llu\n",
		 hits(0, 20), hits(20, 30), hits(40, 50));
	assert_string_equal(out, expected);
}

/* They begin at --from, also if nothing was recorded then. */
REPLAY_TEST(test_intervals_from)
{
	ask.interval = 10 * SECOND_NS;
	ask.count = 2;
	assert_int_equal(RUN(replay, "--from=@%llu",
			     BEGIN_NS / SECOND_NS + 35), 0);
	snprintf(expected, sizeof(expected), "45 5 %llu\nagain 55 10 %llu\n",
		 hits(40, 45), hits(45, 55));
	assert_string_equal(out, expected);
	assert_non_null(strstr(err_out, "nothing was recorded from"));
	assert_int_equal(RUN(replay, "--from=@%llu",
			     BEGIN_NS / SECOND_NS + 60), 1);
	assert_non_null(strstr(err_out, "'cached replay --list'"));
}

REPLAY_TEST(test_slow_spans_stand_before_their_report)
{
	ask.lines = true;
	ask.interval = 6 * SECOND_NS;
	ask.count = 2;
	assert_int_equal(RUN(replay, " "), 0);
	snprintf(expected, sizeof(expected), "slow -\nslow key-5\nslow key-6\n"
		 "6 6 %llu\nslow key-8\nagain 12 6 %llu\n", hits(0, 6),
		 hits(6, 12));
	assert_string_equal(out, expected);
}

REPLAY_TEST(test_what_was_not_recorded_is_refused)
{
	ask.needs[0] = (struct replay_need){ "clients", "--top" };
	assert_int_equal(RUN(replay, " "), 0);
	ask.needs[1] = (struct replay_need){ "failures", "--errors" };
	assert_int_equal(RUN(replay, " "), 1);
	assert_non_null(strstr(err_out, "it was recorded without --errors"));
	assert_null(strstr(err_out, "output begins"));
}

/* Fails unless the heat map has these fields, in this order. */
static void assert_fields(const char *option, const char *names)
{
	static char svg[1 << 19];
	char path[80], found[64] = "";
	FILE *file;
	char *at = svg;

	snprintf(path, sizeof(path), "%s-copy", history_path);
	ask.heatmap = path;
	assert_int_equal(RUN(replay, "%s", option), 0);
	file = fopen(path, "r");
	assert_non_null(file);
	svg[fread(svg, 1, sizeof(svg) - 1, file)] = '\0';
	fclose(file);
	while ((at = strstr(at, "font-size=\"13\">")) != NULL) {
		at = strchr(at, '>') + 1;
		snprintf(found + strlen(found), sizeof(found) - strlen(found),
			 "%.*s ", (int)strcspn(at, "<"), at);
	}
	assert_string_equal(found, names);
}

REPLAY_TEST(test_fields_of_the_heat_map)
{
	assert_fields(" ", "DELETE FLUSH GET SET ");
	assert_fields("SET DEL*", "DELETE SET ");
	ask.heatmap = NULL;
	assert_int_equal(RUN(replay, "ET"), 1);
	assert_non_null(strstr(err_out, "nothing in this time has the name "
			       "'ET'"));
}

/* Of one host as times, and of two as places. */
REPLAY_TEST(test_merge)
{
	char path[80];
	FILE *file;

	ask.json = true;
	ask.interval = 30 * SECOND_NS;
	assert_int_equal(RUN(replay, "--to=@%llu", BEGIN_NS / SECOND_NS + 30),
			 0);
	snprintf(path, sizeof(path), "%s-copy", history_path);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "{\"event\": \"slow\"}\n%s", out);
	fclose(file);
	ask.json = false;
	assert_int_equal(RUN(merge, "%s %s %s", path, history_path, path), 0);
	snprintf(expected, sizeof(expected), "tables %x\n60 60 %llu\n",
		 1U << CACHE_COMMANDS | 1U << CACHE_ERRORS |
		 1U << CACHE_CLIENTS | 1U << CACHE_SLOW,
		 2 * hits(0, 30) + hits(40, 60));
	assert_string_equal(out, expected);
	assert_non_null(strstr(err_out, "it counts once"));
	assert_non_null(strstr(err_out, "output begins"));
}

REPLAY_TEST(test_merge_refuses)
{
	assert_int_equal(RUN(merge, " "), 1);
	assert_non_null(strstr(err_out, "give files of 'cached --json' or "
			       "histories of 'cached --history'"));
	assert_int_equal(RUN(merge, "--to @1 %s", history_path), 1);
	assert_non_null(strstr(err_out, "there is no report"));
	assert_null(strstr(err_out, "output begins"));
}
