/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that need no frame and call nothing, so that all instructions that
 * a probe adds to them are visible. test_off.py counts these.
 */
#include <stddef.h>
#include <stdint.h>

#include "forms.h"

struct request {
	uint64_t mid;
	uint32_t id;
	uint16_t opcode;
};

int cost_words(const struct request *req);
int cost_words(const struct request *req)
{
	FORMS_PAIR(req->id, req->opcode);
	return req->opcode + 3;
}

int cost_wide(const struct request *req);
int cost_wide(const struct request *req)
{
	FORMS_WIDE(req->mid, 1, 2, 3);
	return req->opcode + 3;
}
