/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See fit.h.  Numbers are compared by value, whatever their width and sign: an
 * argument s1 with -3 fits sdtkit_tap_int(-3), and not sdtkit_tap_uint(253).
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "fit.h"

static bool fits_float(const struct sdtkit_tap_value *value, double wanted)
{
	if (value->kind != SDTKIT_TAP_FLOAT)
		return false;
	if (isnan(wanted))
		return isnan(value->number);
	if (value->size == sizeof(float))
		return (float)value->number == (float)wanted;
	return value->number == wanted;
}

static bool is_number(const struct sdtkit_tap_value *value)
{
	return value->kind == SDTKIT_TAP_SIGNED ||
	       value->kind == SDTKIT_TAP_UNSIGNED ||
	       value->kind == SDTKIT_TAP_POINTER;
}

static bool is_negative(const struct sdtkit_tap_value *value)
{
	return value->kind == SDTKIT_TAP_SIGNED && (int64_t)value->bits < 0;
}

static bool is_address(const struct sdtkit_tap_value *value)
{
	return value->kind == SDTKIT_TAP_POINTER ||
	       value->kind == SDTKIT_TAP_STRING ||
	       value->kind == SDTKIT_TAP_UNSIGNED;
}

bool sdtkit_tap_fits(const struct sdtkit_tap_value *value,
		     const struct sdtkit_tap_want *want)
{
	switch (want->what) {
	case SDTKIT_TAP_WANT_ANY:
		return value->kind != SDTKIT_TAP_UNREADABLE;
	case SDTKIT_TAP_WANT_INT:
		return is_number(value) && value->bits == want->bits &&
		       is_negative(value) == ((int64_t)want->bits < 0);
	case SDTKIT_TAP_WANT_UINT:
		return is_number(value) && value->bits == want->bits &&
		       !is_negative(value);
	case SDTKIT_TAP_WANT_NAME:
		return is_number(value) && value->bits == want->bits;
	case SDTKIT_TAP_WANT_FLOAT:
		return fits_float(value, want->number);
	case SDTKIT_TAP_WANT_POINTER:
		return is_address(value) && value->bits == want->bits;
	case SDTKIT_TAP_WANT_STRING:
		if (want->text == NULL)
			return is_address(value) && value->bits == 0;
		return value->text != NULL && !value->cut &&
		       strcmp(value->text, want->text) == 0;
	case SDTKIT_TAP_WANT_LIKE:
		return value->text != NULL &&
		       fnmatch(want->text, value->text, 0) == 0;
	default:
		return false;
	}
}
