/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine DIRECTORY DUMP: what test_machines.py runs in an emulator.  A program
 * that has a recorder; it hits probes with strings that can be read and one that
 * cannot, looks whether it has lost a number in a floating-point register, and
 * writes a dump.  Not in a child: qemu 7.2 forgets MADV_WIPEONFORK.
 */
#include <stdio.h>

#include <sdtkit/recorder.h>

#include "recorded_probes.h"

struct thing {
	unsigned long long id;
	char *owner;
	int sizes[3];
};

static struct thing thing = { 77, "bob", { 1, -2, 3 } };

static __attribute__((noinline)) double step(uint64_t i, double f)
{
	double g = f * 3;

	REC_STEP(i << 40, i % 2 ? "odd" : "even");
	return g + f;
}

int main(int argc, char **argv)
{
	struct sdtkit_recorder_options options = { 0 };
	struct sdtkit_recorder *recorder;
	uint64_t i;

	if (argc != 3)
		return 2;
	options.directory = argv[1];
	options.flags = SDTKIT_RECORDER_TRAPS;
	if (sdtkit_recorder_open("rec:*", &options, &recorder) < 0) {
		printf("%s\n", sdtkit_recorder_error());
		return 1;
	}
	for (i = 0; i < 1000; i++) {
		if (step(i, (double)i) != (double)i * 4)
			return 3;
	}
	REC_STEP(1000, (const char *)16);
	REC_STEP(1001, "end");
	REC_THING_DONE(&thing);
	if (sdtkit_recorder_dump(recorder, argv[2]) < 0) {
		printf("%s\n", sdtkit_recorder_error());
		return 1;
	}
	sdtkit_recorder_close(recorder);
	return 0;
}
