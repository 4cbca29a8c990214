/* SPDX-License-Identifier: BSD-2-Clause */
/* What conditions compare, and what a heat map shows. */
#ifndef SDTKIT_TOOL_SERVE_MEASURES_H
#define SDTKIT_TOOL_SERVE_MEASURES_H

#include "lib/incident/measures.h"
#include "lib/report/program.h"

extern const struct measures serve_measures;
extern const struct report_heat serve_heat;

#endif /* SDTKIT_TOOL_SERVE_MEASURES_H */
