/* SPDX-License-Identifier: BSD-2-Clause */
/* tsmbd as a service. */
#ifndef TSMBD_SERVICE_H
#define TSMBD_SERVICE_H

#include "service/program.h"

extern const struct service_program smbd_service;

#endif /* TSMBD_SERVICE_H */
