/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that the program uses, and functions that --gc-sections removes,
 * each with a probe of its own. The first and the last one are not used.
 */
#include "site.h"

#ifdef __cplusplus
extern "C" {
#endif
int removed_first(int x);
int used(int x);
int removed_last(int x);
int second_file(int x);
#ifdef __cplusplus
}
#endif

#ifdef SECOND

int second_file(int x)
{
	T_COUNT(x);
	return x;
}

int removed_last(int x)
{
	T_A_B(x);
	return x;
}

#else

int removed_first(int x)
{
	T_A_B(x);
	return x;
}

int used(int x)
{
	T_PAIR((uint64_t)x, 2);
	return x;
}

int main(int argc, char **argv)
{
	(void)argv;
	T_NONE();
	return used(argc) + second_file(argc) - 2 * argc;
}

#endif
