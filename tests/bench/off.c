/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * off.c - functions with probes that nobody traces. off.py compiles them in
 * each way of off_probes.h and measures what the probes cost.
 */
#include "off.h"
#include "off_probes.h"

/* Straight-line code, in which every additional instruction is visible. */
uint64_t leaf(struct request *req)
{
	PROBE2(leaf, LEAF, req->mid, req->opcode);
	return req->mid + req->opcode * 3U;
}

/* A loop of four rounds. */
uint64_t loop(struct request *req)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < 4; i++) {
		PROBE2(loop, LOOP, i, req->body[i]);
		sum = sum * 31 + req->body[i];
	}
	return sum;
}

uint64_t dispatch(struct request *req)
{
	PROBE2(command, COMMAND, req->opcode, req->credits);
	switch (req->opcode) {
	case 0:
		return req->mid;
	case 1:
		return req->credits + 1;
	case 2:
		return req->body[0] ^ req->mid;
	case 3:
		req->credits += 16;
		return req->credits;
	case 4:
		return req->body[1] * 3;
	case 5:
		req->flags |= 1;
		return req->flags;
	default:
		return 0;
	}
}

/* Values that live across calls, one of which is an argument of the probe. */
uint64_t calls(struct request *req)
{
	int handle = find(req->session->id, req->flags);

	PROBE2(found, FOUND, req->mid, handle);
	if (handle < 0)
		return req->mid;
	return req->mid + (uint64_t)act(handle, req->body, sizeof(req->body));
}

uint64_t members(struct request *req)
{
	PROBE3(text, TEXT, req->name, req->session->user, req->credits);
	req->credits--;
	return req->body[0];
}

/* The checksum is computed for tracers only. */
uint64_t argument_calls(struct request *req)
{
	PROBE1(computed, COMPUTED, checksum(req->body));
	return req->mid + req->body[0];
}

/* Work that only tracers need, and two probes that tell of it. */
uint64_t pair(struct request *req)
{
	if (PAIR_TRACED()) {
		uint64_t sum = req->body[0] ^ req->body[1];

		PROBE1(enter, ENTER, sum);
		PROBE2(leave, LEAVE, sum, req->credits);
	}
	return req->mid + req->opcode * 3U;
}

uint64_t three(struct request *req)
{
	int status;

	PROBE1(begin, BEGIN, req->mid);
	status = find(req->mid, req->flags);
	PROBE2(middle, MIDDLE, req->mid, req->credits);
	if (status >= 0)
		status = act(status, req->name, req->credits);
	PROBE2(end, END, req->mid, status);
	return (uint64_t)status;
}
