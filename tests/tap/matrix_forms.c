/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program of tests/consumers, whose main() is named form_main() here,
 * traces itself with a tap: it fires a probe for each form that an argument can
 * have, and prints what was read of each event, a line for each as in tell.h.
 *
 *	matrix_forms REPORT		for REPORT see tests/consumers/main.c
 */
#include "tell.h"

int form_main(int argc, char **argv);

int main(int argc, char **argv)
{
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap *tap;
	int status;

	if (sdtkit_tap_open("form:*", &tap) < 0) {
		printf("%s\n", sdtkit_tap_error());
		return 1;
	}
	status = form_main(argc, argv);
	while (sdtkit_tap_next(tap, &event) > 0)
		tell_event(event);
	sdtkit_tap_close(tap);
	return status;
}
