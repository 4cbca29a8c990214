/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of sdtkit/arg-clock.h, for those who link with libsdtkit. */
#define _GNU_SOURCE	/* clock_gettime(), which -std=c11 hides */
#define SDTKIT_ARG_LIBRARY
#include <sdtkit/arg-clock.h>
