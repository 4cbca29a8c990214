/* SPDX-License-Identifier: BSD-2-Clause */
/* --when and --save: incidents are noticed, and saved. */
#ifndef INCIDENT_INCIDENT_H
#define INCIDENT_INCIDENT_H

#include "sinks/sink.h"

extern const struct sink incident_sink;

#endif /* INCIDENT_INCIDENT_H */
