/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes JSON as text at once: a tree of it would need many times the memory.
 * All is ASCII, and may be put into an element of HTML as it is.
 */
#ifndef PAGE_WRITE_H
#define PAGE_WRITE_H

#include <stdio.h>

#include <jansson.h>

void write_number(FILE *file, unsigned long long value);

/* Writes values as they are, or escaped where HTML would not be safe. */
void write_json(FILE *file, const json_t *value);
void write_string(FILE *file, const char *text);

/*
 * Writes numbers by slot: [first, number, number...] from the first slot on
 * that is not 0 up to the last one; [] if all are.
 */
void write_slots(FILE *file, const unsigned int *slots);

/* Returns the most bytes that write_string() needs. */
size_t write_most(const char *text);

#endif /* PAGE_WRITE_H */
