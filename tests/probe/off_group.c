/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What two probes of a group cost behind one guard while nobody traces:
 * test_group.py compares the code with and without -DSDTKIT_DISABLE.
 */
#include "group.h"

struct request {
	uint64_t mid;
	uint16_t opcode;
	struct request *next;
};

int off_group(struct request *req);
int off_group(struct request *req)
{
	if (T_CALL_TRACED()) {
		int length = 0;

		for (const struct request *r = req; r; r = r->next)
			length++;
		T_PAIR(req->mid, req->opcode);
		T_COUNT(length);
	}
	return req->opcode;
}
