/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as JSON. */
#ifndef TSMBD_JSON_TEXT_H
#define TSMBD_JSON_TEXT_H

#include <jansson.h>

/* If it is not UTF-8, each byte that is not ASCII becomes a '?'. */
json_t *json_text(const char *name);

#endif /* TSMBD_JSON_TEXT_H */
