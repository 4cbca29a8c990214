/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that marshalled arguments do not change the code around them while they
 * are traced: functions with many live values in registers, vector registers
 * and the red zone must print the same results with their probe on and off.
 * With argument 1, the program raises the semaphore itself, as a tracer would.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#include "every.h"

#define NOINLINE	__attribute__((__noinline__))

/* More values than there are registers, in a function without a frame. */
static NOINLINE uint64_t integers(const uint64_t *v, const char *name)
{
	uint64_t a = v[0], b = v[1] + a, c = v[2] ^ b, d = v[3] + c;
	uint64_t e = v[4] ^ d, f = v[5] + e, g = v[6] ^ f, h = v[7] + g;
	uint64_t i = a * b, j = c * d, k = e * f, l = g * h, m = i ^ l;
	uint64_t n = j * l, o = k + n, p = m * o, q = n ^ p, r = o * q;

	EVERY_BYTES(name, 4, name, 4, name, 4, name, 4, 7);
	return a ^ (b * 3) ^ (c * 5) ^ (d * 7) ^ (e * 11) ^ (f * 13) ^
	       (g * 17) ^ (h * 19) ^ (i * 23) ^ (j * 29) ^ (k * 31) ^
	       (l * 37) ^ (m * 41) ^ (n * 43) ^ (o * 47) ^ (p * 53) ^
	       (q * 59) ^ (r * 61);
}

static NOINLINE double numbers(const double *v, const char *name)
{
	double a = v[0] * 2, b = v[1] * 3, c = v[2] * 5, d = v[3] * 7;
	double e = v[4] - a, f = v[5] - b, g = v[6] - c, h = v[7] - d;
	double sum[8];
	int i;

	/* the last one without a marshaller */
	EVERY_NAMES(0xc0000022, 2, 3, NULL, name, -3,
		    sdtkit_arg_counted(name, 16));
	for (i = 0; i < 8; i++) {
		sum[i] = a * i + b + c * i + d;
		EVERY_SCALED(sum[i], e, f, 0.5f);
	}
	return sum[0] + sum[3] * e + sum[5] * f + sum[7] * g + h;
}

/*
 * The flags of the processor: set by a comparison before the probe, used by a
 * branch after it.
 */
static NOINLINE int compared(const uint64_t *v, const char *name)
{
	const struct sockaddr *nobody = NULL;
	int is_less = v[0] < v[1];

	EVERY_TICK();
	EVERY_PEER(nobody, nobody, 0, name, name, name, 4);
	return is_less ? 1 : v[0] == v[1] ? 2 : 3;
}

static void trace(uint16_t count)
{
	volatile unsigned short *const semaphores[] = {
		&every_bytes_semaphore, &every_names_semaphore,
		&every_scaled_semaphore, &every_tick_semaphore,
		&every_peer_semaphore,
	};
	size_t i;

	for (i = 0; i < sizeof(semaphores) / sizeof(semaphores[0]); i++)
		*semaphores[i] = count;
}

int main(int argc, char **argv)
{
	static const char name[16] = "name of a thing";
	uint64_t integer[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
	double number[8] = { 2.7, 1.8, 2.8, 1.8, 2.8, 4.5, 9.0, 4.5 };
	int i;

	trace(argc > 1 && strcmp(argv[1], "1") == 0);
	for (i = 0; i < 8; i++) {
		integer[i] = integers(integer, name) + integer[7 - i];
		number[i] = numbers(number, name) / 1e3;
		printf("%016llx %.17g %d\n", (unsigned long long)integer[i],
		       number[i], compared(integer, name));
	}
	return EXIT_SUCCESS;
}
