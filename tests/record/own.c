/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * own DIRECTORY PATTERNS [DUMP]: a program that has a recorder of its own. It
 * prints the path of the file or the error.
 */
#include <stdio.h>

#include <sdtkit/recorder.h>

#include "recorded_probes.h"

int main(int argc, char **argv)
{
	struct sdtkit_recorder_options options = { 0 };
	struct sdtkit_recorder *recorder;
	int i;

	if (argc < 3)
		return 2;
	options.directory = argv[1];
	if (sdtkit_recorder_open(argv[2], &options, &recorder) < 0) {
		printf("%s\n", sdtkit_recorder_error());
		return 1;
	}
	for (i = 0; i < 10; i++)
		REC_STEP((uint64_t)i, i % 2 ? "odd" : "even");
	printf("%s\n", sdtkit_recorder_path(recorder));
	if (argc > 3 && sdtkit_recorder_dump(recorder, argv[3]) < 0) {
		printf("%s\n", sdtkit_recorder_error());
		return 1;
	}
	sdtkit_recorder_close(recorder);
	REC_STEP(11, "behind");
	return 0;
}
