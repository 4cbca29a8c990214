/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-value.h - numbers as arguments of a probe.
 *
 * Included by sdtkit/arg.h. These functions are inlined where they are used,
 * because they need neither a buffer nor a call; nothing is evaluated while
 * nobody traces. One input: struct timespec { 1, 500000000 } gives 1500000000.
 */
#ifndef SDTKIT_ARG_VALUE_H
#define SDTKIT_ARG_VALUE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

#include <sdtkit/arg-call.h>
#include <sdtkit/arg-str.h>
#include <sdtkit/probe.h>

/* The most buffers in a vector, as in the kernel (UIO_MAXIOV). */
#define SDTKIT_ARG_IOV_MAX 1024

/* The units of 100 ns from 1601-01-01, where NTTIME starts, to 1970-01-01. */
#define SDTKIT_ARG_NTTIME_EPOCH 116444736000000000

/* Returns the bytes in count buffers, at most UINT64_MAX; 0 for NULL. */
SDTKIT_INLINE uint64_t sdtkit_arg_iov(const struct iovec *iov, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	if (!iov)
		return 0;
	for (i = 0; i < count && i < SDTKIT_ARG_IOV_MAX; i++) {
		if (iov[i].iov_len > UINT64_MAX - sum)
			return UINT64_MAX;
		sum += iov[i].iov_len;
	}
	return sum;
}

/*
 * Returns seconds and nanoseconds in nanoseconds; a value that does not fit
 * becomes INT64_MAX or INT64_MIN.
 */
SDTKIT_INLINE int64_t sdtkit_arg_seconds(int64_t seconds, int64_t nanoseconds)
{
	const int64_t limit = INT64_MAX / 1000000000 - 1;

	if (nanoseconds < -1000000000 || nanoseconds > 1000000000) {
		nanoseconds = 0;	/* UTIME_OMIT and the like */
	}
	if (seconds > limit)
		return INT64_MAX;
	if (seconds < -limit)
		return INT64_MIN;
	return seconds * 1000000000 + nanoseconds;
}

/*
 * Return the nanoseconds of a time or a duration, 0 for NULL. A strict -std=c99
 * does not have struct timespec; add -D_POSIX_C_SOURCE=200809L to get it.
 */
#if !defined(__GLIBC__) || defined(__USE_POSIX199309) || defined(__USE_ISOC11)
SDTKIT_INLINE int64_t sdtkit_arg_timespec(const struct timespec *when)
{
	return when ? sdtkit_arg_seconds(when->tv_sec, when->tv_nsec) : 0;
}
#endif

SDTKIT_INLINE int64_t sdtkit_arg_timeval(const struct timeval *when)
{
	int64_t microseconds;

	if (!when)
		return 0;
	microseconds = when->tv_usec;
	if (microseconds < -1000000 || microseconds > 1000000)
		microseconds = 0;
	return sdtkit_arg_seconds(when->tv_sec, microseconds * 1000);
}

/*
 * Returns the nanoseconds since 1970 of an NTTIME, which counts units of 100 ns
 * since 1601 [MS-DTYP 2.3.3]. 0, which means "not set", stays 0. A value that
 * does not fit (times after the year 2262, and INT64_MAX, which means "never")
 * becomes INT64_MAX or INT64_MIN.
 */
SDTKIT_INLINE int64_t sdtkit_arg_nttime(uint64_t when)
{
	int64_t since;

	if (when == 0)
		return 0;
	if (when > INT64_MAX)
		return INT64_MAX;
	since = SDTKIT_ARG_CAST(int64_t, when) - SDTKIT_ARG_NTTIME_EPOCH;
	if (since > INT64_MAX / 100)
		return INT64_MAX;
	if (since < INT64_MIN / 100)
		return INT64_MIN;
	return since * 100;
}

/*
 * Returns a double in units of 1/scale, because no tracer reads floating point.
 * It is rounded, halves away from zero. A value that does not fit becomes
 * INT64_MAX or INT64_MIN; a NaN becomes INT64_MIN.
 */
SDTKIT_INLINE int64_t sdtkit_arg_fixed(double value, int scale)
{
	const double limit = 9223372036854775807.0;

	value *= scale;
	value += value < 0 ? -0.5 : 0.5;
	if (value >= limit)
		return INT64_MAX;
	return value > -limit ? SDTKIT_ARG_CAST(int64_t, value) : INT64_MIN;
}

SDTKIT_INLINE int64_t sdtkit_arg_milli(double value)
{
	return sdtkit_arg_fixed(value, 1000);
}

SDTKIT_INLINE int64_t sdtkit_arg_micro(double value)
{
	return sdtkit_arg_fixed(value, 1000000);
}

/*
 * What a site may pass for a socket address: the types of POSIX, in C also
 * void *. Anything else is an error at the call.
 */
struct sockaddr;
struct sockaddr_storage;
struct sockaddr_in;
struct sockaddr_in6;
struct sockaddr_un;

#if defined(__cplusplus)
struct sdtkit_any_sockaddr {
	const void *any;
	sdtkit_any_sockaddr(const sockaddr *a) : any(a) {}
	sdtkit_any_sockaddr(const sockaddr_storage *a) : any(a) {}
	sdtkit_any_sockaddr(const sockaddr_in *a) : any(a) {}
	sdtkit_any_sockaddr(const sockaddr_in6 *a) : any(a) {}
	sdtkit_any_sockaddr(const sockaddr_un *a) : any(a) {}
	operator const void *() const { return any; }
};
#define SDTKIT_ARG_ADDRESS(address)	((address).any)
#elif defined(__GNUC__)
typedef union {
	const struct sockaddr *any;
	const struct sockaddr_storage *storage;
	const struct sockaddr_in *in;
	const struct sockaddr_in6 *in6;
	const struct sockaddr_un *un;
} sdtkit_any_sockaddr __attribute__((__transparent_union__));
#define SDTKIT_ARG_ADDRESS(address)	((address).any)
#else
typedef const void *sdtkit_any_sockaddr;
#define SDTKIT_ARG_ADDRESS(address)	(address)
#endif

SDTKIT_INLINE const void *sdtkit_sockaddr_any(sdtkit_any_sockaddr address)
{
	return SDTKIT_ARG_ADDRESS(address);
}
#define sdtkit_sockaddr_of(address)					\
	(SDTKIT_ARG_EXTENSION sdtkit_sockaddr_any(address))

#endif /* SDTKIT_ARG_VALUE_H */
