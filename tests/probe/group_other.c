/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file of group.c's program that uses other probes of the group. The result
 * says which guards are open: 1 pair's, 2 the group's, 4 a__b's; and 8 if the
 * argument of the pair was evaluated.
 */
#include "group.h"

int other(int value)
{
	int open = 0;

	T_PAIR((unsigned)(open |= 8), (uint16_t)value);
	open |= T_PAIR_ENABLED() ? 1 : 0;
	open |= T_CALL_TRACED() ? 2 : 0;
	open |= T_A_B_ENABLED() ? 4 : 0;
	T_A_B(value);
	return open;
}
