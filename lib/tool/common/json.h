/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON, made by libjansson, to the standard output. */
#ifndef SDTKIT_TOOL_JSON_OUT_H
#define SDTKIT_TOOL_JSON_OUT_H

#include <jansson.h>
#include <stdint.h>

/*
 * A string from a file, null for NULL.  Text that is not UTF-8 cannot be said
 * in JSON: all its bytes beyond ASCII become U+FFFD.
 */
json_t *json_out_text(const char *text);
json_t *json_out_text_n(const char *text, size_t length);

/*
 * "0x1a": a string, as many readers of JSON keep no more than 53 bits of a
 * number.
 */
json_t *json_out_hex(uint64_t value);

/* Writes it to the output on one line, and frees it. */
void json_out_print(json_t *value);

#endif /* SDTKIT_TOOL_JSON_OUT_H */
