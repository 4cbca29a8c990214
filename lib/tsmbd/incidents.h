/* SPDX-License-Identifier: BSD-2-Clause */
/* What conditions compare, and what is saved of incidents. */
#ifndef TSMBD_INCIDENTS_H
#define TSMBD_INCIDENTS_H

#include "report/program.h"

extern const struct measures smbd_measures;
extern const struct report_heat smbd_heat;
extern const struct report_file smbd_files[];

#endif /* TSMBD_INCIDENTS_H */
