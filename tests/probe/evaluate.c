/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments are evaluated once at each hit and only while the probe is traced,
 * and a loop reads the semaphore again at each pass. The program raises the
 * semaphore itself, as a tracer would. The exit status is 0 if all is right.
 */
/*
 * Names that a program may use for its own things: the header must not depend
 * on them.
 */
extern int n, mid, opcode;
int n, mid, opcode;
#define who ((void)0, 1)
#include "site.h"

#include <stdio.h>
#ifdef __cplusplus
#include <utility>
#endif

#ifdef SDTKIT_DISABLE
#define T_DISABLED 1
static unsigned short t_count_semaphore;
#else
#define T_DISABLED 0
#endif

#define CHECK(condition)						\
	do {								\
		if (!(condition)) {					\
			printf("line %d: %s\n", __LINE__, #condition);	\
			failed = 1;					\
		}							\
	} while (0)

static int failed;
static int calls;

static int called(int value)
{
	calls++;
	return value;
}

static void in_a_loop(void)
{
	calls = 0;
	for (int i = 0; i < 10; i++) {
		t_count_semaphore = i >= 4 && i < 7;
		T_COUNT(called(i));
	}
	CHECK(calls == (T_DISABLED ? 0 : 3));
}

static void in_every_statement(int x)
{
	if (x)
		T_COUNT(called(1));
	else
		T_PAIR(called(2) ? 1 : 2, 0);
	for (int i = 0; i < 2; i++, T_COUNT(called(3)))
		T_NONE();
	switch (x) {
	case 0:
		T_NONE();
		break;
	default:
		T_COUNT(called(4));
	}
	x ? T_COUNT(called(5)) : T_NONE();
}

/* An argument with a comma outside of parentheses. */
static void with_commas(void)
{
#ifdef __cplusplus
	T_COUNT(std::pair<int, int>(called(8), 9).first);
#else
	T_COUNT(*(int []){ called(8), 9 });
#endif
}

int main(int argc, char **argv)
{
	(void)argv;
	int enabled = T_COUNT_ENABLED();

	(void)enabled;
	CHECK(!T_COUNT_ENABLED());
	T_COUNT(called(1));
	CHECK(calls == 0);

	t_count_semaphore = 1;
	CHECK(T_COUNT_ENABLED() == !T_DISABLED);
	T_COUNT(called(1));
	CHECK(calls == !T_DISABLED);
	calls = 0;
	in_every_statement(argc);
	CHECK(calls == (T_DISABLED ? 0 : 5));
	with_commas();
	CHECK(calls == (T_DISABLED ? 0 : 6));
	/* many tracers: each bit of the semaphore counts */
	t_count_semaphore = 0x100;
	CHECK(T_COUNT_ENABLED() == !T_DISABLED);
	t_count_semaphore = 0;

	in_a_loop();
	return failed;
}
