/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON, made by libjansson, on standard output. */
#ifndef SDTKIT_TOOL_JSON_OUT_H
#define SDTKIT_TOOL_JSON_OUT_H

#include <jansson.h>
#include <stdint.h>

/*
 * Makes a string of text from a file, null for NULL. JSON has only UTF-8: in
 * other text, all bytes beyond ASCII become U+FFFD.
 */
json_t *json_out_text(const char *text);
json_t *json_out_text_n(const char *text, size_t length);

/*
 * Makes a string, "0x1a": many readers of JSON keep only 53 bits of a number.
 */
json_t *json_out_hex(uint64_t value);

/*
 * Makes a number, or a string of its digits if it needs more than 53 bits.
 */
json_t *json_out_signed(int64_t number);

/* Writes it to the output on one line, and frees it. */
void json_out_print(json_t *value);

#endif /* SDTKIT_TOOL_JSON_OUT_H */
