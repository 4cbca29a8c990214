/* SPDX-License-Identifier: BSD-2-Clause */
/* --when and --save: incidents are noticed, and saved. */
#ifndef TSMBD_INCIDENT_H
#define TSMBD_INCIDENT_H

#include "sinks/sink.h"

extern const struct sink incident_sink;

#endif /* TSMBD_INCIDENT_H */
