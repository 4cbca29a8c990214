/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.c - the table of probes: see providers/NAME/NAME.d for each.
 *
 * What costs smbd time is how often the probes of TSMBD_BASE are hit; the
 * others are attached for the options that want them only.
 */
#include <string.h>

#include "probes.h"
#include "tsmbd.h"

#define BASE		TSMBD_BASE
#define DETAIL		TSMBD_DETAIL
#define SLOW		TSMBD_SLOW
#define EXITS		TSMBD_EXITS
#define OPLOCKS		TSMBD_OPLOCKS

const struct probe tsmbd_probes[TSMBD_NUM_PROBES] = {
	{ "smbd", "idle_begin", "idle_begin", BASE, true, false },
	{ "smbd", "idle_end", "idle_end", BASE, true, false },
	{ "smbd", "client_start", "client_start", BASE, false, false },
	{ "smbnet", "recv_start", "recv_start", BASE, true, false },
	{ "smbnet", "pdu_received", "pdu_received", BASE, true, false },
	{ "smbnet", "send_done", "send_done", BASE, true, false },
	{ "smbnet", "connection_end", "connection_end", BASE, false, false },
	{ "smb2", "request_start", "request_start", BASE, true, false },
	{ "smb2", "request_suspend", "request_suspend", BASE, false, false },
	{ "smb2", "request_resume", "request_resume", BASE, false, false },
	{ "smb2", "request_cancel", "request_cancel", BASE, false, false },
	{ "smb2", "request_end", "request_end", BASE, true, false },
	{ "ctdb", "request_start", "ctdb_request", BASE, false, false },
	{ "ctdb", "wait_start", "ctdb_wait_start", BASE, false, false },
	{ "ctdb", "wait_done", "ctdb_wait_done", BASE, false, false },
	{ "ctdb", "request_done", "ctdb_wait_done", BASE, false, false },

	{ "smb2", "request_exec", "request_exec", DETAIL, false, false },
	{ "smb2", "read_start", "request_range", SLOW, false, false },
	{ "smb2", "write_start", "request_range", SLOW, false, false },
	{ "smbnet", "pdu_sent", "pdu_sent", SLOW, false, false },
	{ "vfs", "op_start", "vfs_start", SLOW, false, true },
	{ "vfs", "op_done", "vfs_done", SLOW, false, true },
	{ "smblock", "g_lock_start", "lock_start", SLOW, false, false },
	{ "smblock", "g_lock_done", "lock_done", SLOW, false, false },
	{ "smblock", "record_lock_start", "lock_start", SLOW, false, false },
	{ "smblock", "record_lock_done", "lock_done", SLOW, false, false },

	{ "smbnet", "connection_terminate", "connection_terminate", EXITS,
	  false, false },
	{ "smbd", "disconnect_client", "disconnect_client", EXITS, false, false },
	{ "smbd", "exit", "process_end", EXITS, false, false },

	{ "smblock", "break_request", "break_request", OPLOCKS, false, false },
	{ "smblock", "break_received", "break_received", OPLOCKS, false, false },
	{ "smblock", "oplock_break", "oplock_break", OPLOCKS, false, false },
	{ "smblock", "lease_break", "lease_break", OPLOCKS, false, false },
	{ "smblock", "oplock_ack", "oplock_ack", OPLOCKS, false, false },
	{ "smblock", "lease_ack", "lease_ack", OPLOCKS, false, false },
	{ "smblock", "break_timeout", "break_timeout", OPLOCKS, false, false },
	{ "smblock", "open_defer", "open_defer", OPLOCKS, false, false },
	{ "smblock", "open_retry", "open_retry", OPLOCKS, false, false },
};

int probe_find(const char *provider, const char *name)
{
	int i;

	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		if (strcmp(tsmbd_probes[i].name, name) == 0 &&
		    strcmp(tsmbd_probes[i].provider, provider) == 0)
			return i;
	}
	return -1;
}
