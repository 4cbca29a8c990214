/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What marshalled arguments cost while nobody traces: test_off.py counts the
 * instructions of this program with and without -DSDTKIT_DISABLE. Each function
 * is of a kind whose code a probe can make worse in its own way: a leaf without
 * a frame, values that live across the probe, vector registers, a red zone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>

#include "every.h"

enum { ROUNDS = 1000 };

struct request {
	struct request *next;
	const char *name;
	size_t length;
	const struct sockaddr *address;
	struct timespec when;
	struct iovec iov[2];
	double load;
	unsigned int status;
	int error;
};

static const struct sdtkit_flag flags[] = { { 1, "READ" }, { 0, NULL } };

/*
 * With gcc they are not inlined: it would move work to main(), which is not
 * counted.
 */
#ifdef __clang__
#define NOINLINE	__attribute__((__noinline__))
#else
#define NOINLINE	__attribute__((__noipa__))
#endif

static NOINLINE long leaf(const struct request *req, long k)
{
	EVERY_PEER(req->address, req->address, req->length, req->name,
		   req->name, req->name, req->length);
	return (long)req->length + k;
}

static NOINLINE long leaf_loop(const struct request *req, long k)
{
	long sum = 0;

	for (; req; req = req->next) {
		EVERY_BYTES(req->name, req->length, req->name, req->length,
			    req->name, req->length, req->name, req->length,
			    req->status);
		sum = (sum + req->error * k) ^ (long)req->length;
	}
	return sum;
}

/*
 * Four loads that are needed only while it is traced, and a value in a vector
 * register.
 */
static NOINLINE double vector(const struct request *req, double scale)
{
	double sum = 0;

	for (; req; req = req->next) {
		EVERY_NAMES(req->status, req->error, req->status, flags,
			    req->name, (short)req->error, req->name);
		sum += req->load * scale;
	}
	return sum;
}

static volatile long calls;

/*
 * The result differs each time, or a compiler would replace two calls by one.
 */
static NOINLINE long call(const struct request *req)
{
	return req->error + calls++;
}

static NOINLINE long calls_loop(const struct request *req, long k)
{
	long sum = 0;

	for (; req; req = req->next) {
		sum += call(req) * k;
		EVERY_NUMBERS(req->name, req->iov, 2, &req->when, NULL,
			      req->length, -1);
		sum ^= call(req);
	}
	return sum;
}

static NOINLINE long scaled_loop(const struct request *req, long k)
{
	long sum = 0;

	for (; req; req = req->next) {
		EVERY_SCALED(req->load, req->load, req->load, 0.5f);
		EVERY_TICK();
		sum += req->error ^ k;
	}
	return sum;
}

#ifdef BY_HAND
/* A leaf; the text is in its frame. */
static NOINLINE long leaf_by_hand(const struct request *req, long k)
{
	EVERY_NAMES(0, 0, 0, flags, "", (short)k,
		    sdtkit_arg_counted(req->name, req->length));
	return (long)req->length + k;
}

int main(int argc, char **argv)
{
	static struct request requests[ROUNDS];
	long sum = 0;
	int i;

	(void)argv;
	for (i = 0; i < ROUNDS; i++)
		sum += leaf_by_hand(&requests[i], argc);
	printf("%d %ld\n", (int)ROUNDS, sum);
	return EXIT_SUCCESS;
}
#else

/*
 * How many probes are passed: for each request 4 loops with one, and one with
 * two more.
 */
enum { PROBES = 5 * ROUNDS + ROUNDS };

int main(int argc, char **argv)
{
	static struct request requests[ROUNDS];
	long sum = 0;
	int i;

	(void)argv;
	for (i = 0; i < ROUNDS; i++) {
		requests[i].next = i + 1 < ROUNDS ? &requests[i + 1] : NULL;
		requests[i].error = i;
		requests[i].length = (size_t)i;
	}
	for (i = 0; i < ROUNDS; i++)
		sum += leaf(&requests[i], argc);
	sum += leaf_loop(requests, argc) + calls_loop(requests, argc) +
	       scaled_loop(requests, argc) + (long)vector(requests, argc);
	printf("%d %ld\n", (int)PROBES, sum);
	return EXIT_SUCCESS;
}
#endif
