/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of values.c once more, in a second file of the same program: a
 * constructor, so that it is linked and run without being called.
 */
#include "site.h"

__attribute__((__constructor__)) static void twice(void)
{
	T_NONE();
	T_PAIR(1, 2);
	T_COUNT(3);
}
