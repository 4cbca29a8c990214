/* SPDX-License-Identifier: BSD-2-Clause */
/* Where bpftrace attaches: usdt:/usr/sbin/smbd:smb2:request_start */
#ifndef SDTKIT_TOOL_BT_ATTACH_H
#define SDTKIT_TOOL_BT_ATTACH_H

#include <stdbool.h>
#include <stdio.h>

#include "bt/objects.h"

/*
 * Writes it. Returns false after a complaint if bpftrace cannot be told this
 * path or name.
 */
bool attach_write(FILE *out, const struct probe *probe);

#endif /* SDTKIT_TOOL_BT_ATTACH_H */
