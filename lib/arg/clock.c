/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of sdtkit/arg-clock.h, for those who link with libsdtkit. */
#define SDTKIT_ARG_LIBRARY
#include <sdtkit/arg-clock.h>
