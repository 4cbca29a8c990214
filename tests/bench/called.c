/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * called OBJECT HITS ROUNDS - attaches the program of called.bpf.c to three
 * nops of its own: two of one byte, where the kernel puts its trap, and one that
 * it replaces by a call. Each round prints a line with the nanoseconds of a hit
 * at each of them, HITS times one after the other. It measures processor time,
 * so that other load does not count.
 *
 * Exit status 2 if this kernel replaces no nop.
 */
#include "../../lib/base/clock.h"
#include "../offset.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

typedef void leaf(void);

/* A function with nothing but its site, called NAME_site. */
#define LEAF(name, before, bytes, after)		\
	__asm__(".pushsection .text\n"			\
		".balign 64\n"				\
		#name ":\n"				\
		before "\n"				\
		#name "_site:\n"			\
		bytes "\n"				\
		after "\n"				\
		"	ret\n"				\
		".popsection\n");			\
	leaf name __attribute__((visibility("hidden")));\
	extern const unsigned char name##_site[]	\
		__attribute__((visibility("hidden")))

#define NOP10 ".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0"
#define NOP5 ".byte 0x0f,0x1f,0x44,0,0"

LEAF(trap, "", "nop", NOP10);
LEAF(twin, "", "nop", NOP10);
LEAF(ten, "", NOP10, "");
/* What Linux 7.2 makes of the nop of ten bytes keeps the red zone like this. */
LEAF(five, "lea -128(%rsp), %rsp", NOP5, "lea 128(%rsp), %rsp");

struct site {
	leaf *call;
	const unsigned char *at;
};

static const struct site trapped[2] = {
	{ trap, trap_site }, { twin, twin_site }
};
static const struct site replaced[2] = {
	{ ten, ten_site }, { five, five_site }
};

static struct bpf_program *load(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_program *program;

	if (object == NULL || bpf_object__load(object) != 0)
		err(1, "%s", path);
	program = bpf_object__find_program_by_name(object, "empty");
	if (program == NULL)
		errx(1, "%s: no program is called empty", path);
	return program;
}

/* After two hits it has the bytes that it will have. */
static bool attach(struct bpf_program *program, const struct site *site)
{
	if (bpf_program__attach_uprobe(program, false, -1, "/proc/self/exe",
				       offset_of(site->at)) == NULL)
		return false;
	site->call();
	site->call();
	return true;
}

static bool is_call(const struct site *site)
{
	/* with or without the lea of five bytes in front of it */
	return site->at[0] == 0xe8 ||
	       (site->at[0] == 0x48 && site->at[5] == 0xe8);
}

static double now(void)
{
	return (double)sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

static double time_of(const struct site *site, unsigned long hits)
{
	double began = now();
	unsigned long n;

	for (n = 0; n < hits; n++)
		site->call();
	return (now() - began) / (double)hits;
}

int main(int argc, char **argv)
{
	const struct site *called = NULL;
	struct bpf_program *program;
	unsigned long hits, rounds;
	int i;

	if (argc != 4)
		errx(1, "usage: called OBJECT HITS ROUNDS");
	libbpf_set_print(NULL);
	program = load(argv[1]);
	hits = strtoul(argv[2], NULL, 10);
	for (i = 0; i < 2; i++) {
		if (!attach(program, &trapped[i]))
			err(1, "the program could not be attached");
		/* Linux 6.18 takes no probe at the nop of ten bytes */
		if (called == NULL && attach(program, &replaced[i]) &&
		    is_call(&replaced[i]))
			called = &replaced[i];
	}
	if (called == NULL)
		return 2;
	puts(called->call == ten ? "ten" : "five");
	for (rounds = strtoul(argv[3], NULL, 10); rounds > 0; rounds--)
		printf("%.1f %.1f %.1f\n", time_of(&trapped[0], hits),
		       time_of(&trapped[1], hits), time_of(called, hits));
	return 0;
}
