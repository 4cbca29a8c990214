/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of values.c in a second file of the same program. A constructor
 * fires them, so that the file is linked and run without a call.
 */
#include "site.h"

__attribute__((__constructor__)) static void twice(void)
{
	T_NONE();
	T_PAIR(1, 2);
	T_COUNT(3);
}
