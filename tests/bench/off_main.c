/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * off_main.c - calls a function of off.c so many times and prints the
 * nanoseconds of a call:
 *
 *	off FUNCTION TIMES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "off.h"
#include "off_probes.h"

#ifdef SEMAPHORE
SEMAPHORE(leaf);
SEMAPHORE(loop);
SEMAPHORE(command);
SEMAPHORE(found);
SEMAPHORE(text);
SEMAPHORE(computed);
SEMAPHORE(begin);
SEMAPHORE(middle);
SEMAPHORE(end);
SEMAPHORE(enter);
SEMAPHORE(leave);
SEMAPHORE(pair);
#endif

static const struct {
	const char *name;
	uint64_t (*function)(struct request *req);
} functions[] = {
	{ "leaf", leaf },
	{ "loop", loop },
	{ "dispatch", dispatch },
	{ "calls", calls },
	{ "members", members },
	{ "argument_calls", argument_calls },
	{ "three", three },
	{ "pair", pair },
};

int find(uint64_t id, uint16_t flags)
{
	return (int)((id ^ flags) & 0xff);
}

int act(int handle, const void *data, size_t len)
{
	return handle + (data != NULL) + (int)len;
}

uint64_t checksum(const uint64_t *words)
{
	return words[0] ^ words[1] ^ words[2] ^ words[3];
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct session session = { 7, "user" };
	struct request req = {
		.mid = 42, .credits = 1000, .opcode = 2, .session = &session,
		.body = { 1, 2, 3, 4 }, .name = "name",
	};
	uint64_t (*volatile function)(struct request *req) = NULL;
	long times, i;
	double start;

	if (argc != 3)
		return 2;
	for (i = 0; i < (long)(sizeof(functions) / sizeof(*functions)); i++) {
		if (strcmp(argv[1], functions[i].name) == 0)
			function = functions[i].function;
	}
	if (function == NULL)
		return 2;
	times = atol(argv[2]);
	start = seconds();
	for (i = 0; i < times; i++)
		function(&req);
	printf("%f\n", (seconds() - start) * 1e9 / (double)times);
	return 0;
}
