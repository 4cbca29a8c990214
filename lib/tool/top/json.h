/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports as JSON. */
#ifndef SDTKIT_TOOL_TOP_JSON_H
#define SDTKIT_TOOL_TOP_JSON_H

#include "top/view.h"

extern const struct view view_json;

#endif /* SDTKIT_TOOL_TOP_JSON_H */
