/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * server.c - demo-server: a small SMB2 server to try probes on.
 *
 * Command line and start; listener.c has the rest of the life of the server.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <talloc.h>
#include <tevent.h>

#include "listener.h"
#include "options.h"
#include "proto.h"

enum { EXIT_USAGE = 2 };

struct options {
	uint16_t port;
	const char *directory;
};

static const char usage[] =
	"Usage: demo-server [--port N] DIRECTORY\n"
	"Serves the files below DIRECTORY by SMB2 to every user of this\n"
	"machine; listens on the loopback address only. SIGTERM and SIGINT\n"
	"end it.\n"
	"\n"
	"  -p, --port N     listen on port N; 0 lets the kernel choose one\n"
	"                   (default 4450)\n"
	"  -h, --help       print this help\n"
	"  -V, --version    print the version\n"
	"\n"
	"When it is ready it prints listening on 127.0.0.1:PORT, serving DIR\n";

static const struct option long_options[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static void usage_error(const char *text, const char *what)
{
	fprintf(stderr, "demo-server: %s%s\n"
		"Try 'demo-server --help'.\n", text, what);
	exit(EXIT_USAGE);
}

static uint16_t parse_port(const char *text)
{
	uint64_t port;

	if (option_number(text, 65535, &port) != 0)
		usage_error("not a port number (0 to 65535): ", text);
	return (uint16_t)port;
}

static void parse_options(int argc, char **argv, struct options *options)
{
	int opt;

	options->port = SMB2_DEFAULT_PORT;
	while ((opt = getopt_long(argc, argv, "p:hV", long_options,
				  NULL)) != -1) {
		switch (opt) {
		case 'p':
			options->port = parse_port(optarg);
			break;
		case 'h':
			fputs(usage, stdout);
			exit(EXIT_SUCCESS);
		case 'V':
			puts("demo-server (sdtkit) " DEMO_VERSION);
			exit(EXIT_SUCCESS);
		default:
			exit(EXIT_USAGE);
		}
	}
	if (argc - optind != 1)
		usage_error("give one directory to serve", "");
	options->directory = argv[optind];
}

/* Returns a descriptor of the directory, or -1 after a message. */
static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && faccessat(fd, ".", X_OK, AT_EACCESS) == 0)
		return fd;
	fprintf(stderr, "demo-server: cannot serve '%s': %s\n", path,
		strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static void listen_error(uint16_t port, int error)
{
	fprintf(stderr, "demo-server: cannot listen on 127.0.0.1:%u: %s\n",
		port, strerror(error));
	if (error == EADDRINUSE)
		fprintf(stderr, "Choose another port with --port; "
			"0 takes a free one.\n");
}

static int serve(TALLOC_CTX *mem_ctx, const struct options *options, int root)
{
	struct tevent_context *ev = tevent_context_init(mem_ctx);
	struct listener *listener;
	int ret;

	if (ev == NULL) {
		fprintf(stderr, "demo-server: cannot set up an event loop\n");
		return EXIT_FAILURE;
	}
	ret = listener_new(mem_ctx, ev, options->port, root, &listener);
	if (ret != 0) {
		listen_error(options->port, -ret);
		return EXIT_FAILURE;
	}
	/* flushed before any fork, or children would print it again */
	if (printf("listening on 127.0.0.1:%u, serving %s\n",
		   listener_port(listener), options->directory) < 0 ||
	    fflush(stdout) != 0) {
		fprintf(stderr, "demo-server: cannot write to stdout: %s\n",
			strerror(errno));
		return EXIT_FAILURE;
	}
	return listener_run(listener);
}

int main(int argc, char **argv)
{
	struct options options;
	TALLOC_CTX *mem_ctx;
	int ret;
	int root;

	parse_options(argc, argv, &options);
	signal(SIGPIPE, SIG_IGN);
	root = open_directory(options.directory);
	if (root < 0)
		return EXIT_FAILURE;
	mem_ctx = talloc_new(NULL);
	ret = serve(mem_ctx, &options, root);
	talloc_free(mem_ctx);
	close(root);
	return ret;
}
