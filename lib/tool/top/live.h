/* SPDX-License-Identifier: BSD-2-Clause */
/* The view for a person at a terminal: a table that obeys keys. */
#ifndef SDTKIT_TOOL_TOP_LIVE_H
#define SDTKIT_TOOL_TOP_LIVE_H

#include "top/view.h"

/*
 * begin() returns false, without a complaint, if this is not a terminal, or
 * not one that can do it: the caller then takes another view.
 */
extern const struct view view_live;

#endif /* SDTKIT_TOOL_TOP_LIVE_H */
