/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes at points in the code where macros are known to make compilers warn.
 * test_warnings.py compiles this as C and as C++ with all warnings enabled.
 */
#include "site.h"

/* An argument with a comma outside of parentheses. */
#ifdef __cplusplus
template<int a, int b> int sum(int x);
template<int a, int b> int sum(int x)
{
	return a + b + x;
}
#define WITH_COMMA(x)	sum<1, 2>(x)
#else
struct two {
	int a;
	int b;
};
#define WITH_COMMA(x)	(struct two){ x, 2 }.a
#endif

extern int at_points(int x, const char *text, float real);

/* without a semicolon or braces of its own */
int at_points(int x, const char *text, float real)
{
	uint64_t wide = 5;
	int i;

	if (x)
		T_COUNT(x);
	else
		T_NONE();
	if (T_PAIR_ENABLED())
		T_PAIR(wide, 0xfffe);
	for (i = 0; i < x; T_COUNT(i), i++)
		T_NONE();
	for (;;) {
		T_NONE();
		break;
	}
	while (T_COUNT_ENABLED() && i)
		T_COUNT(i--);
	do
		T_A_B(i);
	while (i++ < 0);
	switch (x) {
	case 1:
		T_TEXT(text, &wide, "literal");
		break;
	case 2:
		T_NONE();
		break;
	default:
		T_COUNT(WITH_COMMA(x));
	}
	x ? T_COUNT(x) : T_NONE();
	T_TEXT(x ? text : "", &x, text + 1);
	T_COUNT(real > 1 ? 1 : 0);
	T_INTS(-1, -2, -3, -4, 1, 2, 3, 4, 'x', x == 1, sizeof(x), -1L);
	return i;
}
