/* SPDX-License-Identifier: BSD-2-Clause */
/* cmocka.h, and the headers that it needs before it. */
#ifndef SDTKIT_TESTS_NOTES_CMOCKA_ALL_H
#define SDTKIT_TESTS_NOTES_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/*
 * Skips a test that this machine cannot run, or fails it if
 * SDTKIT_REQUIRE_TRACERS says that none may be skipped. cmocka's skip() prints
 * "not ok", which readers of TAP take for a failure.
 */
#define unavailable(reason)						\
	do {								\
		const char *all = getenv("SDTKIT_REQUIRE_TRACERS");	\
									\
		if (all != NULL && strcmp(all, "1") == 0)		\
			fail_msg("%s", reason);				\
		print_message("# left out: %s\n", reason);		\
		return;							\
	} while (0)

#endif /* SDTKIT_TESTS_NOTES_CMOCKA_ALL_H */
