/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * off.h - the functions that are measured, which imitate those of a file
 * server.
 */
#ifndef OFF_H
#define OFF_H

#include <stddef.h>
#include <stdint.h>

struct session {
	uint64_t id;
	char *user;
};

struct request {
	uint64_t mid;
	uint32_t credits;
	uint16_t opcode;
	uint16_t flags;
	const struct session *session;
	uint64_t body[4];
	char name[32];
};

uint64_t leaf(struct request *req);
uint64_t loop(struct request *req);
uint64_t dispatch(struct request *req);
uint64_t calls(struct request *req);
uint64_t members(struct request *req);
uint64_t argument_calls(struct request *req);
uint64_t three(struct request *req);
uint64_t pair(struct request *req);

/* Defined in another file, so that the compiler cannot inline them. */
int find(uint64_t id, uint16_t flags);
int act(int handle, const void *data, size_t len);
uint64_t checksum(const uint64_t *words);

#endif /* OFF_H */
