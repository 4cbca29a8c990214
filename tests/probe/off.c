/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a probe costs while nobody traces: test_off.py compares the code of
 * these functions with and without -DSDTKIT_DISABLE.
 */
#include "site.h"

#include <stddef.h>

struct request {
	uint64_t mid;
	uint16_t opcode;
	struct request *next;
	char who[32];
};

int off_args(struct request *req);
int off_args(struct request *req)
{
	T_PAIR(req->mid, req->opcode);
	return req->opcode + 3;
}

unsigned long off_load(const unsigned long *table, unsigned int i);
unsigned long off_load(const unsigned long *table, unsigned int i)
{
	T_PAIR(table[i], (uint16_t)i);
	return table[i + 1] ^ i;
}

void off_string(struct request *req);
void off_string(struct request *req)
{
	T_TEXT(req->who, req->next, "literal");
	req->next = NULL;
}

/* The idiom for work that only a tracer needs: PROVIDER_PROBE_ENABLED(). */
int off_guarded(struct request *req);
int off_guarded(struct request *req)
{
	if (T_COUNT_ENABLED()) {
		int length = 0;

		for (const struct request *r = req; r; r = r->next)
			length++;
		T_COUNT(length);
	}
	return req->opcode;
}

int off_none(struct request *req);
int off_none(struct request *req)
{
	T_NONE();
	return req->opcode;
}
