/* SPDX-License-Identifier: BSD-2-Clause */
/* The command in a build that lacks what it needs. */
#ifndef SDTKIT_TOOL_TOP_ABSENT_H
#define SDTKIT_TOOL_TOP_ABSENT_H

#include "top/command.h"

#endif /* SDTKIT_TOOL_TOP_ABSENT_H */
