/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nops - the nops that a site of a probe may have, as a kernel tracer finds
 * them, each in a leaf function that keeps values in its red zone, the 128 bytes
 * below the stack pointer.
 *
 *	nops where		offsets in this file: NAME OFFSET
 *	nops NAME HITS		HITS calls; prints the nanoseconds of one, how many
 *				red zones were damaged, and the site's bytes
 *	nops NAME HITS fork	in a child that is forked after the first hit
 *	nops NAME HITS threads	by 16 threads
 *	nops NAME spin		by 16 threads, until standard input ends
 */
#include "../../lib/base/clock.h"
#include "../offset.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16 };

typedef unsigned long leaf(unsigned long value);

/* Returns whether the red zone is not what was put there. */
#define LEAF(name, bytes)						\
	__asm__(".pushsection .text\n"					\
		".balign 64\n"						\
		#name ":\n"						\
		".set at, 8\n"						\
		".rept 16\n"						\
		"	movq %rdi, -at(%rsp)\n"				\
		"	.set at, at + 8\n"				\
		".endr\n"						\
		#name "_site:\n"					\
		bytes "\n"						\
		"	xorl %eax, %eax\n"				\
		".set at, 8\n"						\
		".rept 16\n"						\
		"	cmpq %rdi, -at(%rsp)\n"				\
		"	setne %cl\n"					\
		"	orb %cl, %al\n"					\
		"	.set at, at + 8\n"				\
		".endr\n"						\
		"	ret\n"						\
		".popsection\n");					\
	leaf name __attribute__((visibility("hidden")));		\
	extern const unsigned char name##_site[]			\
		__attribute__((visibility("hidden")))

#define NOP10 ".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0"
#define NOP5 ".byte 0x0f,0x1f,0x44,0,0"

LEAF(bare, "nop");
LEAF(pair, "nop\n" NOP10);		/* traced at the nop */
LEAF(fast, "nop\n" NOP10);		/* traced at the nop10 */
/* What Linux 6.18 makes a call of, between the two that keep the red zone. */
LEAF(five, "leaq -128(%rsp), %rsp\n" NOP5 "\nleaq 128(%rsp), %rsp");
LEAF(none, "");
LEAF(usdt, "nop\n" NOP10);		/* traced by libbpf, see below */

/*
 * The note of a probe nops:usdt at the nop, as sdtkit and <sys/sdt.h> write it:
 * what traces it by its name chooses the nop.
 */
__asm__(".pushsection .note.stapsdt, \"\", \"note\"\n"
	".balign 4\n"
	".4byte 992f - 991f, 994f - 993f, 3\n"
	"991:	.asciz \"stapsdt\"\n"
	"992:	.balign 4\n"
	"993:	.8byte usdt_site, 0, 0\n"
	".asciz \"nops\", \"usdt\", \"\"\n"
	"994:	.balign 4\n"
	".popsection\n");

static const struct site {
	const char *name;
	leaf *call;
	const unsigned char *at;
	int skip;
} sites[] = {
	{ "bare", bare, bare_site, 0 },
	{ "pair", pair, pair_site, 0 },
	{ "fast", fast, fast_site, 1 },
	{ "five", five, five_site, 5 },
	{ "none", none, none_site, 0 },
	{ "usdt", usdt, usdt_site, 0 },
};

static unsigned long hits;
static volatile bool is_over;

static unsigned long run(const struct site *site)
{
	unsigned long damaged = 0;
	unsigned long i;

	for (i = 0; i < hits && !is_over; i++)
		damaged += site->call(i) & 1;
	return damaged;
}

static void *thread(void *site)
{
	return (void *)run(site);
}

static unsigned long run_threads(const struct site *site, bool until_told)
{
	unsigned long damaged = 0;
	pthread_t threads[THREADS];
	void *result;
	int i;

	for (i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, thread, (void *)site))
			exit(3);
	}
	if (until_told) {
		puts("spinning");
		fflush(stdout);
		while (getchar() != EOF)
			;
		is_over = true;
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		damaged += (unsigned long)result;
	}
	return damaged;
}

static void show(const struct site *site, double ns, unsigned long damaged)
{
	int i;

	printf("%s: %.1f ns, %lu damaged,", site->name, ns, damaged);
	for (i = 0; i < 11; i++)
		printf(" %02x", site->at[i]);
	printf("\n");
	fflush(stdout);
}

static double now(void)
{
	return (double)sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

static int play(const struct site *site, const char *how)
{
	unsigned long damaged;
	double began;
	int status = 0;

	damaged = site->call(1) & 1;
	damaged += site->call(2) & 1;
	if (strcmp(how, "fork") == 0 && fork() != 0) {
		wait(&status);
		printf("child: status %d\n", status);
		return status != 0;
	}
	began = now();
	damaged += strcmp(how, "threads") == 0 || strcmp(how, "spin") == 0 ?
			   run_threads(site, strcmp(how, "spin") == 0) :
			   run(site);
	show(site, (now() - began) / (double)hits, damaged);
	return damaged != 0;
}

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(sites) / sizeof(sites[0]); i++) {
		if (argc == 2)
			printf("%s 0x%lx\n", sites[i].name,
			       offset_of(sites[i].at) +
				       (unsigned long)sites[i].skip);
		if (argc < 3 || strcmp(argv[1], sites[i].name) != 0)
			continue;
		hits = strtoul(argv[2], NULL, 10);
		if (hits == 0)
			hits = -1UL;
		return play(&sites[i], argc > 3 ? argv[3] : argv[2]);
	}
	return argc != 2;
}
