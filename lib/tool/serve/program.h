/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit serve as rooms of lib know it. */
#ifndef SDTKIT_TOOL_SERVE_PROGRAM_H
#define SDTKIT_TOOL_SERVE_PROGRAM_H

#include "lib/service/program.h"

extern const struct report_program serve_program;
extern const struct service_program serve_service;

#endif /* SDTKIT_TOOL_SERVE_PROGRAM_H */
