/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes in the places where macros are known to make compilers complain.
 * test_warnings.py compiles this, as C and as C++, with all warnings there
 * are.
 */
#include "site.h"

/* A comma that no parentheses protect. */
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

extern int places(int x, const char *text, float real);

/* no semicolon of its own, braces nowhere */
int places(int x, const char *text, float real)
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
