/* SPDX-License-Identifier: BSD-2-Clause */
/* Times, lengths, fixed point, clocks and plain strings. Tables of cases. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../../lib/base/clock.h"
#include "arg_check.h"

#define SECOND	INT64_C(1000000000)

static const struct {
	struct timespec when;
	int64_t ns;
} timespecs[] = {
	{ { 0, 0 }, 0 },
	{ { 1, 500000000 }, 1500000000 },
	{ { -1, 999999999 }, -1 },
	{ { 1700000000, 1 }, 1700000000 * SECOND + 1 },
	{ { 9223372035, 999999999 }, 9223372035999999999 },
	{ { 9223372036, 0 }, INT64_MAX },
	{ { -9223372036, 0 }, INT64_MIN },
	{ { INT64_MAX, 999999999 }, INT64_MAX },
	{ { INT64_MIN, 0 }, INT64_MIN },
	/* UTIME_OMIT and the like: no nanoseconds */
	{ { 1, 0x3ffffffe }, SECOND },
	{ { 1, INT64_MIN }, SECOND },
};

static const struct {
	struct timeval when;
	int64_t ns;
} timevals[] = {
	{ { 0, 0 }, 0 },
	{ { 1, 500000 }, 1500000000 },
	{ { -1, 999999 }, -1000 },
	{ { INT64_MAX, 0 }, INT64_MAX },
	{ { 1, INT64_MAX }, SECOND },
};

static const struct {
	uint64_t when;
	int64_t ns;
} nttimes[] = {
	{ 0, 0 },
	{ 116444736000000000, 0 },
	{ 116444736000000001, 100 },
	{ 116444735999999999, -100 },
	{ 133444736000000000, 1700000000 * SECOND },
	{ 1, INT64_MIN },			/* 1601 */
	{ 24211015631452242, INT64_MIN + 8 },	/* 1677 */
	{ 24211015631452241, INT64_MIN },
	{ 208678456368547758, INT64_MAX - 7 },	/* 2262 */
	{ 208678456368547759, INT64_MAX },
	{ INT64_MAX, INT64_MAX },
	{ UINT64_MAX, INT64_MAX },
};

static const struct {
	double value;
	int64_t milli, micro;
} numbers[] = {
	{ 0.0, 0, 0 },
	{ -0.0, 0, 0 },
	{ 1.5, 1500, 1500000 },
	{ -1.5, -1500, -1500000 },
	{ 0.0005, 1, 500 },
	{ -0.0005, -1, -500 },
	{ 0.00049, 0, 490 },
	{ 1e-9, 0, 0 },
	{ 1e12, 1000000000000000, 1000000000000000000 },
	{ 1e15, 1000000000000000000, INT64_MAX },
	{ -1e15, -1000000000000000000, INT64_MIN },
	{ 1e300, INT64_MAX, INT64_MAX },
	{ -1e300, INT64_MIN, INT64_MIN },
	{ HUGE_VAL, INT64_MAX, INT64_MAX },
	{ -HUGE_VAL, INT64_MIN, INT64_MIN },
};

TEST(test_value__times)
{
	size_t i;

	for (i = 0; i < ROWS(timespecs); i++)
		assert_true(sdtkit_arg_timespec(&timespecs[i].when) ==
			    timespecs[i].ns);
	for (i = 0; i < ROWS(timevals); i++)
		assert_true(sdtkit_arg_timeval(&timevals[i].when) ==
			    timevals[i].ns);
	for (i = 0; i < ROWS(nttimes); i++)
		assert_true(sdtkit_arg_nttime(nttimes[i].when) ==
			    nttimes[i].ns);
	assert_true(sdtkit_arg_timespec(NULL) == 0);
	assert_true(sdtkit_arg_timeval(NULL) == 0);
}

TEST(test_value__fixed_point)
{
	size_t i;

	for (i = 0; i < ROWS(numbers); i++) {
		assert_true(sdtkit_arg_milli(numbers[i].value) ==
			    numbers[i].milli);
		assert_true(sdtkit_arg_micro(numbers[i].value) ==
			    numbers[i].micro);
	}
	assert_true(sdtkit_arg_milli((double)NAN) == INT64_MIN);
}

TEST(test_value__iov)
{
	struct iovec iov[SDTKIT_ARG_IOV_MAX + 1] = { { NULL, 0 } };

	assert_true(sdtkit_arg_iov(NULL, 3) == 0);
	assert_true(sdtkit_arg_iov(iov, 0) == 0);
	iov[0].iov_len = 4;
	iov[1].iov_len = 64;
	assert_true(sdtkit_arg_iov(iov, 1) == 4);
	assert_true(sdtkit_arg_iov(iov, 2) == 68);
	iov[SDTKIT_ARG_IOV_MAX - 1].iov_len = 1;
	iov[SDTKIT_ARG_IOV_MAX].iov_len = 1;
	assert_true(sdtkit_arg_iov(iov, SIZE_MAX) == 69);
	iov[2].iov_len = SIZE_MAX - 68;
	assert_true(sdtkit_arg_iov(iov, 3) == UINT64_MAX);
	iov[3].iov_len = 1;
	assert_true(sdtkit_arg_iov(iov, 4) == UINT64_MAX);
}

static uint64_t now(clockid_t clock)
{
	return sdtkit_nanoseconds(clock);
}

TEST(test_value__clocks)
{
	uint64_t before, got;

	errno = 7;
	before = now(CLOCK_MONOTONIC);
	got = sdtkit_arg_monotonic();
	assert_in_range(got, before, now(CLOCK_MONOTONIC));
	before = now(CLOCK_BOOTTIME);
	got = sdtkit_arg_boottime();
	assert_in_range(got, before, now(CLOCK_BOOTTIME));
	assert_int_equal(errno, 7);
}

/* The page after the string is not mapped. */
TEST(test_value__string_is_read_to_its_end_only)
{
	enum { PAGE = 4096 };
	char *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *edge = p + PAGE;

	assert_ptr_not_equal(p, MAP_FAILED);
	assert_int_equal(munmap(edge, PAGE), 0);
	memset(p, 'x', PAGE);
	edge[-1] = 0;
	assert_ptr_equal(sdtkit_arg_str(edge - 1), edge - 1);
	assert_ptr_equal(sdtkit_arg_str(edge - 4), edge - 4);
	edge[-1] = 'x';		/* no end of the string before the bound */
	assert_ptr_equal(sdtkit_arg_str(edge - SDTKIT_ARG_STR_MAX),
			 edge - SDTKIT_ARG_STR_MAX);
	assert_string_equal(sdtkit_arg_str(NULL), "");
	assert_int_equal(munmap(p, PAGE), 0);
}
