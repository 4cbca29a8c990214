/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of sdtkit/arg-address.h, for those who link with libsdtkit. */
#include <sdtkit/arg-address.h>
