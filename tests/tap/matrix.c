/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program of tests/arch, which traces itself with a tap: it runs forms.c
 * and prints what was read of each event, a line for each as in tell.h.
 *
 * The exit status is 0 if forms.c computed the right results while the tap was
 * open, and the code has the same bytes afterwards as before.
 *
 * With an argument, taps are opened and closed while threads run one of the
 * sites.
 */
#define _GNU_SOURCE
#include <link.h>

#define main forms_main
#include "forms.c"
#undef main

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <sdtkit/tap.h>

#include "tell.h"

/* Adds the bytes of the program's executable segments to a sum. */
static int add_text(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *sum = data;
	size_t i, at;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const unsigned char *code = (const unsigned char *)
			(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);

		if (info->dlpi_phdr[i].p_type != PT_LOAD ||
		    !(info->dlpi_phdr[i].p_flags & PF_X))
			continue;
		for (at = 0; at < info->dlpi_phdr[i].p_memsz; at++)
			*sum = *sum * 31 + code[at];
	}
	return 1;
}

static uint64_t sum_of_text(void)
{
	uint64_t sum = 0;

	dl_iterate_phdr(add_text, &sum);
	return sum;
}

static atomic_int stop, wrong;

static void *run(void *unused)
{
	int word[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

	while (!stop) {
		if (words(word) != 13)
			wrong++;
	}
	return NULL;
}

/*
 * A thread may hit a trap that is taken away before its signal is handled. How
 * the kernel reports that differs between machines.
 */
static int switch_under_load(void)
{
	const struct sdtkit_tap_event *event;
	uint64_t before = sum_of_text();
	pthread_t threads[3];
	struct sdtkit_tap *tap;
	int i, events = 0;

	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (i = 0; i < 25; i++) {
		if (sdtkit_tap_open("forms:words", &tap) < 0) {
			printf("%s\n", sdtkit_tap_error());
			return 1;
		}
		while (sdtkit_tap_count(tap, NULL) == 0)
			sched_yield();
		while (sdtkit_tap_next(tap, &event) > 0) {
			wrong += event->values[11].bits != 12;
			events++;
		}
		sdtkit_tap_close(tap);
	}
	stop = 1;
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("wrong %d, some %d, restored %d\n", wrong, events > 0,
	       sum_of_text() == before);
	return 0;
}

int main(int argc, char **argv)
{
	const struct sdtkit_tap_event *event;
	uint64_t before = sum_of_text(), during;
	struct sdtkit_tap *tap;

	if (argc > 1)
		return switch_under_load();
	if (sdtkit_tap_open("forms:*", &tap) < 0) {
		printf("%s\n", sdtkit_tap_error());
		return 1;
	}
	during = sum_of_text();
	forms_main();
	while (sdtkit_tap_next(tap, &event) > 0)
		tell_event(event);
	sdtkit_tap_close(tap);
	evaluated = 0;
	if (sum_of_text() != before || during == before)
		printf("text differs\n");
	printf("after: ");
	return forms_main();
}
