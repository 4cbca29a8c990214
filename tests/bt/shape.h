/* SPDX-License-Identifier: BSD-2-Clause */
/* The structs of the program, which differ from what tracers see of them. */
#ifndef SHAPE_H
#define SHAPE_H

#include <stdint.h>

struct partner {
	char unseen[5];
	uint16_t port;
	int32_t weight;
};

struct job {
	const char *user;
	char file[32];
	uint64_t mid;
	uint16_t opcode;
	int8_t small;
	struct partner *peer;
	uint8_t key[6];
	int16_t grid[2][3];
	int kind;
};

#endif /* SHAPE_H */
