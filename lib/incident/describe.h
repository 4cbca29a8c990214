/* SPDX-License-Identifier: BSD-2-Clause */
/* What incident.json says. */
#ifndef INCIDENT_DESCRIBE_H
#define INCIDENT_DESCRIBE_H

#include <jansson.h>

#include "record.h"

/* The caller releases it. */
json_t *incident_describe(const struct record *record);

#endif /* INCIDENT_DESCRIBE_H */
