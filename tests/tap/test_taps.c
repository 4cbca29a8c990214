/* SPDX-License-Identifier: BSD-2-Clause */
/* Taps: patterns, several taps, callbacks, capacity, what is left behind. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jump.h"
#include "patch.h"
#include "place.h"
#include "tap_all.h"

/* Returns the sum of the semaphores of all probes of this program. */
static unsigned int semaphores(void)
{
	return (unsigned int)(taps_pair_semaphore + taps_number_semaphore +
			      taps_nothing_semaphore);
}

TEST(test_nothing_is_left)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *a, *b;

	assert_int_equal(semaphores(), 0);
	a = open_tap("taps:*");
	assert_int_not_equal(sum_of_text(), before);
	assert_int_not_equal(semaphores(), 0);
	b = open_tap("taps:number");
	/* Taps may be closed in another order than they were opened. */
	sdtkit_tap_close(a);
	assert_int_not_equal(sum_of_text(), before);
	TAPS_NUMBER(1);
	TAPS_NOTHING();
	assert_int_equal(sdtkit_tap_count(b, NULL), 1);
	sdtkit_tap_close(b);
	assert_int_equal(sum_of_text(), before);
	assert_int_equal(semaphores(), 0);
	sdtkit_tap_close(NULL);
}

static const struct {
	const char *pattern;
	/*
	 * There are three sites: of number, of nothing, and of number under its
	 * alias.
	 */
	unsigned int number;
	unsigned int nothing;
	unsigned int alias;
} patterns[] = {
	{ "taps:number", 1, 0, 0 },
	{ "taps:n*", 1, 1, 0 },
	{ "taps:*", 1, 1, 0 },
	{ "*:number", 1, 0, 1 },
	{ "taps:n[ou]*", 1, 1, 0 },
	{ "taps:?umber", 1, 0, 0 },
	{ "taps:*,!taps:no*", 1, 0, 0 },
	{ "!taps:number,taps:*", 1, 1, 0 },
	{ " taps:nothing, aka:number ", 0, 1, 1 },
	{ "taps:*,!taps:*,aka:n*", 0, 0, 1 },
	{ "!taps:no*,!aka:*", 1, 0, 0 },
};

TEST(test_patterns)
{
	size_t i;

	for (i = 0; i < ROWS(patterns); i++) {
		struct sdtkit_tap *tap = open_tap(patterns[i].pattern);

		TAPS_NUMBER(1);
		TAPS_NOTHING();
		assert_int_equal(sdtkit_tap_count(tap, "taps:number"),
				 patterns[i].number);
		assert_int_equal(sdtkit_tap_count(tap, "taps:nothing"),
				 patterns[i].nothing);
		assert_int_equal(sdtkit_tap_count(tap, "aka:number"),
				 patterns[i].alias);
		sdtkit_tap_close(tap);
	}
}

TEST(test_no_match)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *tap = NULL;

	bad(ENOENT, "no probe matches \"taps:nmuber\"; similar ones: "
	    "taps:number", sdtkit_tap_open("taps:nmuber", &tap));
	bad(ENOENT, "similar ones: taps:number",
	    sdtkit_tap_open("taps:mumb*", &tap));
	bad(ENOENT, "sites of other probes",
	    sdtkit_tap_open("elsewhere:*", &tap));
	bad(EINVAL, "\"*:*\"", sdtkit_tap_open("", &tap));
	bad(EINVAL, "\"*:*\"", sdtkit_tap_open(" , ", &tap));
	bad(EINVAL, "\"*:*\"", sdtkit_tap_open(NULL, &tap));
	assert_null(tap);
	assert_int_equal(sum_of_text(), before);
}

TEST(test_lenient)
{
	struct sdtkit_tap *tap;

	tap = open_with("elsewhere:*", .flags = SDTKIT_TAP_LENIENT);
	assert_null(sdtkit_tap_probe_at(tap, 0));
	assert_int_equal(sdtkit_tap_left_out(tap), 0);
	assert_non_null(strstr(sdtkit_tap_error(), "no probe matches"));
	sdtkit_tap_close(tap);
}

TEST(test_description)
{
	struct sdtkit_tap *tap = open_tap("taps:pair");
	const struct sdtkit_tap_probe *probe = sdtkit_tap_probe_at(tap, 0);

	TAPS_PAIR(1, NULL);
	TAPS_PAIR(1, NULL);
	assert_string_equal(probe->provider, "taps");
	assert_string_equal(probe->probe, "pair");
	assert_string_equal(probe->summary, "A number, and a string");
	assert_non_null(strstr(probe->object, "test-tap-taps"));
	assert_true(probe->described);
	assert_int_equal(probe->field_count, 2);
	assert_string_equal(probe->fields[0].wire, "u8");
	assert_string_equal(probe->fields[0].type, "uint64_t");
	assert_string_equal(probe->fields[0].name, "number");
	assert_non_null(strstr(probe->fields[0].operand, "8@"));
	assert_string_equal(probe->fields[1].type, "char *");
	assert_true(probe->site_count >= 2);
	assert_null(sdtkit_tap_probe_at(tap, 1));
	sdtkit_tap_close(tap);
}

TEST(test_event)
{
	struct sdtkit_tap *outer = open_tap("taps:*"), *inner;
	const struct sdtkit_tap_event *event;
	uint64_t before;
	char line[16];

	TAPS_NUMBER(1);
	assert_int_equal(sdtkit_tap_next(outer, &event), 1);
	before = event->time;
	inner = open_tap("taps:number");
	TAPS_NUMBER(-2);
	sdtkit_tap_close(inner);
	assert_int_equal(sdtkit_tap_next(outer, &event), 1);
	assert_true(event->time > before);
	assert_int_equal(event->pid, getpid());
	assert_int_equal(event->value_count, 1);
	assert_int_equal((int64_t)event->values[0].bits, -2);
	assert_int_equal(sdtkit_tap_format(event, line, sizeof(line)),
			 strlen("taps:number(n=-2)"));
	assert_string_equal(line, "taps:number(n=-");
	assert_int_equal(sdtkit_tap_format(event, NULL, 0),
			 strlen("taps:number(n=-2)"));
	assert_int_equal(sdtkit_tap_next(outer, &event), 0);
	sdtkit_tap_close(outer);
}

TEST(test_capacity)
{
	const struct sdtkit_tap_event *event;
	struct sdtkit_tap *tap = open_with("taps:*", .capacity = 4);
	int i;

	for (i = 0; i < 10; i++)
		TAPS_NUMBER(i);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 10);
	assert_int_equal(sdtkit_tap_lost(tap), 6);
	good(sdtkit_tap_expect(tap, "taps:number", sdtkit_tap_int("n", 0)));
	bad(EOVERFLOW, "6 were lost: give options.capacity more than 4",
	    sdtkit_tap_expect(tap, "taps:pair"));
	for (i = 1; sdtkit_tap_next(tap, &event) > 0; i++)
		assert_int_equal(event->values[0].bits, i);
	assert_int_equal(i, 4);
	bad(EOVERFLOW, "lost", sdtkit_tap_expect_none(tap, NULL));
	/*
	 * Each event that is taken frees its slot, also after the ring has
	 * wrapped.
	 */
	sdtkit_tap_clear(tap);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 0);
	for (i = 0; i < 100; i++) {
		TAPS_NUMBER(i);
		TAPS_PAIR(7, NULL);
		good(sdtkit_tap_expect(tap, "taps:pair"));
		good(sdtkit_tap_expect(tap, "taps:number",
				       sdtkit_tap_int("n", i)));
	}
	assert_int_equal(sdtkit_tap_lost(tap), 0);
	good(sdtkit_tap_expect_none(tap, NULL));
	sdtkit_tap_close(tap);
}

TEST(test_bad_addresses)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sdtkit_tap *tap = open_tap("taps:pair");
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(pages, MAP_FAILED);
	memset(pages, 'x', 2 * page);
	pages[page + 3] = '\0';
	TAPS_PAIR(1, pages + page - 4);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	TAPS_PAIR(2, pages + page - 4);
	TAPS_PAIR(3, pages + page);
	TAPS_PAIR(4, (char *)8);
	TAPS_PAIR(5, (char *)UINTPTR_MAX);
	pages[page - 1] = '\0';
	TAPS_PAIR(6, pages + page - 4);
	good(sdtkit_tap_expect(tap, "taps:pair",
			       sdtkit_tap_str("text", "xxxxxxx")));
	bad(EILSEQ, "no memory at that address",
	    sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_str("text", "x")));
	good(sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_int(NULL, 2)));
	good(sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_int(NULL, 3)));
	good(sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_int(NULL, 4),
			       sdtkit_tap_pointer(NULL, (char *)8)));
	good(sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_int(NULL, 5)));
	good(sdtkit_tap_expect(tap, "taps:pair",
			       sdtkit_tap_str("text", "xxx")));
	munmap(pages, 2 * page);
	sdtkit_tap_close(tap);
}

TEST(test_long_string)
{
	struct sdtkit_tap *tap = open_tap("taps:pair");
	const struct sdtkit_tap_event *event;
	char *text = malloc(100000);

	assert_non_null(text);
	memset(text, 'y', 99999);
	text[99999] = '\0';
	TAPS_PAIR(1, text);
	bad(EILSEQ, "y ... (the copy has 1023 bytes of it",
	    sdtkit_tap_expect(tap, "taps:pair", sdtkit_tap_str("text", text)));
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	assert_true(event->values[1].cut);
	assert_int_equal(event->values[1].length, 1023);
	assert_int_equal(strlen(event->values[1].text), 1023);
	/* The event has a copy of the string: the original may change. */
	text[0] = 'n';
	assert_int_equal(event->values[1].text[0], 'y');
	free(text);
	sdtkit_tap_close(tap);
}

struct called {
	int count;
	int64_t sum;
	char line[64];
	int lost;
};

static void callback(const struct sdtkit_tap_event *event, void *context)
{
	struct called *called = context;

	called->count++;
	called->sum += (int64_t)event->values[0].bits;
	sdtkit_tap_format(event, called->line, sizeof(called->line));
	/* A hit in a callback does not call it again, or this would not end. */
	TAPS_NUMBER(1000);
	errno = EXDEV;
}

static void lost(void *context)
{
	((struct called *)context)->lost++;
}

TEST(test_callback)
{
	struct called called = { 0 };
	struct sdtkit_tap *other = open_tap("taps:number"), *tap;
	const struct sdtkit_tap_event *event;

	tap = open_with("taps:number", .callback = callback, .lost = lost,
			.context = &called);
	errno = EDOM;
	TAPS_NUMBER(-5);
	TAPS_NUMBER(7);
	assert_int_equal(errno, EDOM);
	assert_int_equal(called.count, 2);
	assert_int_equal(called.sum, 2);
	assert_string_equal(called.line, "taps:number(n=7)");
	assert_int_equal(sdtkit_tap_lost(tap), 2);
	assert_int_equal(called.lost, 2);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 4);
	assert_int_equal(sdtkit_tap_next(tap, &event), 0);
	bad(EINVAL, "go to its callback",
	    sdtkit_tap_expect(tap, "taps:number"));
	sdtkit_tap_clear(tap);
	assert_int_equal(sdtkit_tap_lost(tap), 0);
	sdtkit_tap_close(tap);
	good(sdtkit_tap_expect(other, "taps:number", sdtkit_tap_int("n", -5)));
	good(sdtkit_tap_expect(other, "taps:number", sdtkit_tap_int("n", 7)));
	assert_int_equal(sdtkit_tap_lost(other), 2);
	sdtkit_tap_close(other);
}

/* As a tracer that comes and goes does, which puts the nop back. */
static void restore_nop(uintptr_t site)
{
	const struct sdtkit_tap_place *place = sdtkit_tap_place_find(site);

	if (place->way == SDTKIT_TAP_JUMP)
		assert_true(sdtkit_tap_jump_clear(place));
	else
		assert_true(sdtkit_tap_clear_trap(site, place->trap,
						  PROT_READ | PROT_EXEC));
}

static void fire_number(int n)
{
	TAPS_NUMBER(n);
}

/*
 * The pointer is volatile, so that the compiler cannot inline the call and
 * there is one site for all calls.
 */
static void (*volatile fire)(int) = fire_number;

/*
 * Another tracer that attaches and detaches restores the nop, and perhaps
 * lowers the semaphore to 0. A rescan must repair both.
 */
TEST(test_site_restored)
{
	struct sdtkit_tap *tap = open_tap("taps:*");
	const struct sdtkit_tap_event *event;
	uintptr_t site;

	fire(1);
	assert_int_equal(sdtkit_tap_next(tap, &event), 1);
	site = event->site;
	restore_nop(site);
	fire(2);
	assert_int_equal(sdtkit_tap_count(tap, NULL), 1);
	assert_int_equal(sdtkit_tap_rescan(tap), 0);
	fire(3);
	good(sdtkit_tap_expect_next(tap, "taps:number",
				    sdtkit_tap_int("n", 3)));
	restore_nop(site);
	sdtkit_tap_close(tap);
	assert_int_equal(semaphores(), 0);
}

TEST(test_many_taps)
{
	uint64_t before = sum_of_text();
	struct sdtkit_tap *taps[100];
	size_t i;

	for (i = 0; i < ROWS(taps); i++)
		taps[i] = open_tap(i % 2 ? "taps:*" : "taps:number,aka:number");
	TAPS_NUMBER(1);
	for (i = 0; i < ROWS(taps); i++)
		assert_int_equal(sdtkit_tap_count(taps[i], NULL), 2 - i % 2);
	for (i = 0; i < ROWS(taps); i++)
		sdtkit_tap_close(taps[(i * 37) % ROWS(taps)]);
	assert_int_equal(sum_of_text(), before);
	assert_int_equal(semaphores(), 0);
}
