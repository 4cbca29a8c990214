/* SPDX-License-Identifier: BSD-2-Clause */
/* The code that the examples test. */
#ifndef EXAMPLES_TAP_SHOP_H
#define EXAMPLES_TAP_SHOP_H

#include <stdint.h>

/* 0, or -ENOENT for what is not sold here. */
int shop_order(uint32_t id, const char *item);

#endif /* EXAMPLES_TAP_SHOP_H */
