/* SPDX-License-Identifier: BSD-2-Clause */
/* options.h - what the command lines of server and client have in common. */
#ifndef DEMO_OPTIONS_H
#define DEMO_OPTIONS_H

#include <stdint.h>

/*
 * Reads a decimal number from 0 to max. Returns 0, or -EINVAL for anything
 * else, with value left alone.
 */
int option_number(const char *text, uint64_t max, uint64_t *value);

#endif /* DEMO_OPTIONS_H */
