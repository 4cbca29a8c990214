/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports as text. */
#ifndef SDTKIT_TOOL_TOP_TABLE_H
#define SDTKIT_TOOL_TOP_TABLE_H

#include "top/view.h"

extern const struct view view_table;

#endif /* SDTKIT_TOOL_TOP_TABLE_H */
