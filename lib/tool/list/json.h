/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit list --json: docs/list.schema.json. */
#ifndef SDTKIT_TOOL_LIST_JSON_H
#define SDTKIT_TOOL_LIST_JSON_H

struct list_origin;
struct sites;

/* Print the beginning, a file with its probes, and the end. */
void list_json_begin(void);
void list_json_file(const struct list_origin *origin,
		    const struct sites *sites);
void list_json_end(void);

#endif /* SDTKIT_TOOL_LIST_JSON_H */
