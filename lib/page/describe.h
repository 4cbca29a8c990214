/* SPDX-License-Identifier: BSD-2-Clause */
/* What a page is made of, for the browser. */
#ifndef PAGE_DESCRIBE_H
#define PAGE_DESCRIBE_H

#include <jansson.h>

#include "report/program.h"

/* Returns the description of the page of a program, to be released. */
json_t *page_describe(const struct report_program *program);

/* The member that has the name of a key: "name". */
const char *describe_label(const struct report_key *key);

#endif /* PAGE_DESCRIBE_H */
