/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of an option. */
#ifndef TSMBD_INCIDENT_CHECK_H
#define TSMBD_INCIDENT_CHECK_H

/* Returns NULL for a condition, or what is wrong with it, until the next call. */
const char *check_when(const void *context, const char *value);

#endif /* TSMBD_INCIDENT_CHECK_H */
