/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw taps: what they are given, and when their sites are given back. */
#include "machine.h"
#include "operand.h"
#include "place.h"
#include "raw.h"
#include "state.h"
#include "tap_all.h"

/* What the test keeps for a site. */
struct site {
	const struct sdtkit_tap_hook *hook;
	unsigned int hits;
	uint64_t first;
	bool detached;
};

static struct site sites[8];
static size_t site_count;
static const char *unwanted;
/* What a hit returns. */
static bool is_over;
static char mark;

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	struct site *site = &sites[site_count];

	assert_ptr_equal(context, &mark);
	if (unwanted != NULL && strcmp(hook->entry->shown.probe, unwanted) == 0)
		return NULL;
	site_count++;
	*site = (struct site) { .hook = hook };
	return site;
}

static void detach(void *site, void *context)
{
	struct site *s = site;

	assert_ptr_equal(context, &mark);
	assert_false(s->detached);
	s->detached = true;
}

static bool hit(void *site, const uint64_t *registers, void *context)
{
	struct site *s = site;
	const struct sdtkit_operand *operand = &s->hook->operands[0];

	s->hits++;
	if (s->hook->operand_count > 0 &&
	    operand->kind == SDTKIT_OPERAND_REGISTER)
		s->first = registers[operand->reg->number];
	return is_over;
}

static const struct sdtkit_tap_raw raw = {
	.attach = attach,
	.detach = detach,
	.hit = hit,
};
static const struct sdtkit_tap_options options = { .context = &mark };

static int set_up(void **state)
{
	site_count = 0;
	unwanted = NULL;
	is_over = false;
	return 0;
}

/* One site, so that one address is hit. */
static __attribute__((noinline)) void fire(uint64_t number)
{
	TAPS_PAIR(number, "raw");
}

TEST_WITH(test_hits, set_up, NULL)
{
	struct sdtkit_tap *tap;

	good(sdtkit_tap_open_raw("taps:pair", &options, &raw, &tap));
	assert_int_equal(site_count, 1);
	assert_string_equal(sites[0].hook->entry->shown.probe, "pair");
	assert_int_equal(sites[0].hook->operand_count, 2);
	assert_int_equal(sites[0].hook->entry->forms[1].kind,
			 SDTKIT_TAP_STRING);
	fire(7);
	fire(UINT64_C(0x8000000000000001));
	assert_int_equal(sites[0].hits, 2);
	if (sizeof(long) == 8)
		assert_int_equal(sites[0].first, UINT64_C(0x8000000000000001));
	assert_false(sites[0].detached);
	sdtkit_tap_close(tap);
	assert_true(sites[0].detached);
	fire(8);
	assert_int_equal(sites[0].hits, 2);
}

TEST_WITH(test_beside_others, set_up, NULL)
{
	struct sdtkit_tap *tap, *other;

	good(sdtkit_tap_open("taps:*", &other));
	good(sdtkit_tap_open_raw("taps:*", &options, &raw, &tap));
	fire(3);
	good(sdtkit_tap_expect(other, "taps:pair", sdtkit_tap_uint("number", 3),
			       sdtkit_tap_str("text", "raw")));
	sdtkit_tap_close(other);
	fire(4);
	sdtkit_tap_close(tap);
	assert_int_equal(sites[0].hits + sites[1].hits, 2);
	assert_true(sites[0].detached && sites[1].detached);
}

TEST_WITH(test_unwanted_sites, set_up, NULL)
{
	struct sdtkit_tap *tap;

	unwanted = "nothing";
	good(sdtkit_tap_open_raw("taps:pair,taps:nothing", &options, &raw,
				 &tap));
	TAPS_NOTHING();
	fire(1);
	assert_int_equal(site_count, 1);
	assert_int_equal(sdtkit_tap_left_out(tap), 1);
	assert_int_equal(sites[0].hits, 1);
	sdtkit_tap_close(tap);
	assert_true(sites[0].detached);
}

/* After a hit that says so, the site costs nothing. */
TEST_WITH(test_over, set_up, NULL)
{
	struct sdtkit_tap *tap;

	good(sdtkit_tap_open_raw("taps:pair", &options, &raw, &tap));
	fire(1);
	assert_true(TAPS_PAIR_ENABLED());
	is_over = true;
	fire(2);
	assert_false(TAPS_PAIR_ENABLED());
	fire(3);
	assert_int_equal(sites[0].hits, 2);
	good(sdtkit_tap_rescan(tap));
	assert_false(TAPS_PAIR_ENABLED());
	assert_false(sites[0].detached);
	sdtkit_tap_close(tap);
	assert_true(sites[0].detached);
}

/* Another tap there has its hits, before and after. */
TEST_WITH(test_over_beside_others, set_up, NULL)
{
	struct sdtkit_tap *tap, *other;

	good(sdtkit_tap_open("taps:pair", &other));
	good(sdtkit_tap_open_raw("taps:pair", &options, &raw, &tap));
	is_over = true;
	fire(1);
	fire(2);
	sdtkit_tap_close(tap);
	fire(3);
	assert_int_equal(sdtkit_tap_count(other, "taps:pair"), 3);
	sdtkit_tap_close(other);
	assert_false(TAPS_PAIR_ENABLED());
}
