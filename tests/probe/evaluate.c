/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments are evaluated only while traced, once each, and the semaphore is
 * read anew at each pass of a loop. The program plays the tracer: it raises
 * the semaphore itself. Exit status 0 if all of it holds.
 */
/* What a program may call its own things; the header must not mind. */
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

static void in_every_place(int x)
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

/* A comma that no parentheses protect. */
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
	in_every_place(argc);
	CHECK(calls == (T_DISABLED ? 0 : 5));
	with_commas();
	CHECK(calls == (T_DISABLED ? 0 : 6));
	/* as many tracers as there may be: more than one bit counts */
	t_count_semaphore = 0x100;
	CHECK(T_COUNT_ENABLED() == !T_DISABLED);
	t_count_semaphore = 0;

	in_a_loop();
	return failed;
}
