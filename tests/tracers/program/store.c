/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.c - fires the probes of store.d, each as often as ../expect.py has rows
 * for it, with values that the compiler cannot know.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

enum store_how { STORE_READ, STORE_WRITE = 4, STORE_FLUSH = -9 };

struct request {
	uint64_t mid;
	uint16_t header[8];
	int16_t granted, taken;
	int status;
	const char *user, *path;
	struct request *next;
};

#include "store2.h"
#include "store.h"

volatile long store_zero;

static void numbers(store_tell *tell)
{
	long zero = store_zero;

	STORE2_NUMBER_SIGNED(zero - 128, zero - 32768, zero + INT32_MIN,
			     zero + INT64_MIN, zero - 5, zero - 6);
	STORE2_NUMBER_SIGNED(1, 2, 3, 4, zero + 5, INT64_MAX);
	STORE2_NUMBER_UNSIGNED(zero + 255, zero + 65535, zero + UINT32_MAX,
			       zero + UINT64_MAX, zero - 5, 6);
	tell("number_other", 5, &store_zero);
	STORE2_NUMBER_OTHER('z' + (char)zero, zero == 0, STORE_FLUSH, 1.5f,
			    -0.25, (void *)&store_zero);
}

static void texts(void)
{
	/* a page that was never touched reads as "": see docs/arg.md */
	static char made[32];
	static const char literal[] = "literal";
	struct sockaddr_in peer = {
		.sin_family = AF_INET, .sin_port = htons(445),
		.sin_addr.s_addr = htonl(0xc0000207),
	};
	struct timespec when = { .tv_sec = store_zero + 7, .tv_nsec = 9 };

	*(const volatile char *)literal;
	snprintf(made, sizeof(made), "made %ld", store_zero + 42);
	STORE2_TEXT((char *)literal, made, NULL);
	STORE2_MARSHALLED(&peer, "key\0x", 5, &when);
}

static void requests(void)
{
	static struct request second = {
		.mid = UINT64_MAX, .header = { [6] = 0xfffe }, .taken = 3,
		.status = -1, .path = "a/b.txt",
	};
	static struct request first = {
		.mid = 7, .header = { [6] = 5 }, .granted = 512,
		.user = "root", .next = &second,
	};
	struct request *each;

	for (each = &first; each != NULL; each = each->next)
		STORE2_REQUEST_DONE(each, each->status);
}

void store_fire(store_tell *tell)
{
	numbers(tell);
	texts();
	requests();
	STORE2_IDLE();
}
