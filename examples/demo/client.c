/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * client.c - demo-client: copies a tree of small files through demo-server.
 *
 * Command line, the session around the copying, and the counts at the end.
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calls.h"
#include "copy.h"
#include "exchange.h"
#include "options.h"
#include "proto.h"

enum { EXIT_USAGE = 2 };

struct options {
	uint64_t port;
	struct copy_options copy;
	bool json;
};

static const char usage[] =
	"Usage: demo-client [OPTION...]\n"
	"Copies files to a demo-server on this machine, reads them back,\n"
	"compares and removes them, and prints how many requests that took.\n"
	"\n"
	"  -p, --port N      port of the server (default 4450)\n"
	"  -n, --files N     number of files (default 500)\n"
	"  -s, --size BYTES  size of each (default 10240)\n"
	"  -j, --json        print the counts as JSON\n"
	"  -k, --keep        do not remove the files from the server\n"
	"  -h, --help        print this help\n"
	"  -V, --version     print the version\n"
	"\n"
	"Exit status: 0 if all went well, 1 if anything failed or a file came\n"
	"back different, 2 for a wrong command line.\n";

static const struct option long_options[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "files", required_argument, NULL, 'n' },
	{ "size", required_argument, NULL, 's' },
	{ "json", no_argument, NULL, 'j' },
	{ "keep", no_argument, NULL, 'k' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static int run_session(struct exchange *x, const struct copy_options *options)
{
	int ret;

	ret = call_negotiate(x);
	if (ret == 0)
		ret = call_session_setup(x);
	if (ret == 0)
		ret = call_tree_connect(x, "\\\\127.0.0.1\\demo");
	if (ret == 0)
		ret = copy_tree(x, options);
	if (ret == 0)
		ret = call_tree_disconnect(x);
	if (ret == 0)
		ret = call_logoff(x);
	return ret;
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t parse_number(const char *name, const char *text, uint64_t max)
{
	uint64_t number;

	if (option_number(text, max, &number) != 0) {
		warnx("invalid value '%s' for --%s: use a number from 0 to "
		      "%llu", text, name, (unsigned long long)max);
		exit(EXIT_USAGE);
	}
	return number;
}

static void parse_option(int opt, struct options *options)
{
	switch (opt) {
	case 'p':
		options->port = parse_number("port", optarg, 65535);
		break;
	case 'n':
		options->copy.files = parse_number("files", optarg, 999999);
		break;
	case 's':
		options->copy.size = parse_number("size", optarg, 1 << 30);
		break;
	case 'j':
		options->json = true;
		break;
	case 'k':
		options->copy.keep = true;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(EXIT_SUCCESS);
	case 'V':
		puts("demo-client (sdtkit) " DEMO_VERSION);
		exit(EXIT_SUCCESS);
	default:
		exit(EXIT_USAGE);
	}
}

static void parse_options(int argc, char **argv, struct options *options)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "p:n:s:jkhV", long_options,
				  NULL)) != -1)
		parse_option(opt, options);
	if (optind != argc) {
		warnx("unexpected argument: %s", argv[optind]);
		exit(EXIT_USAGE);
	}
}

int main(int argc, char **argv)
{
	struct options options = {
		.port = SMB2_DEFAULT_PORT,
		.copy = { .files = 500, .size = 10240 },
	};
	static struct exchange x;
	uint64_t start;
	int ret;

	parse_options(argc, argv, &options);
	ret = exchange_connect(&x, (uint16_t)options.port);
	if (ret != 0)
		errx(EXIT_FAILURE, "cannot connect to 127.0.0.1:%u: %s "
		     "(is demo-server running there?)",
		     (unsigned)options.port, strerror(-ret));
	start = now_us();
	x.counts.ok = run_session(&x, &options.copy) == 0;
	x.counts.elapsed_us = now_us() - start;
	x.counts.size = options.copy.size;
	exchange_close(&x);
	if (options.json)
		counts_print_json(&x.counts);
	else
		counts_print_table(&x.counts);
	return x.counts.ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
