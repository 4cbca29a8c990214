/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probe on:hit of on.d as a tracepoint of LTTng-UST, for record.c. LTTng's
 * headers include this one again and again, with other meanings of the macros.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER on
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./on_lttng.h"

#if !defined(ON_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define ON_LTTNG_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	on, hit,
	LTTNG_UST_TP_ARGS(long, n, const char *, who),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(long, n, n)
		lttng_ust_field_string(who, who)
	)
)

#endif

#include <lttng/tracepoint-event.h>
