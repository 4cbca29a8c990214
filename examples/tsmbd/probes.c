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
#define FILES		TSMBD_FILE_NAMES
#define SLOW		TSMBD_SLOW
#define EXITS		TSMBD_EXITS
#define OPLOCKS		TSMBD_OPLOCKS
#define NO_RECEIVES	TSMBD_NO_RECEIVES
#define NO_SENDS	TSMBD_NO_SENDS
#define NO_CALLS	TSMBD_NO_CALLS

const struct probe tsmbd_probes[] = {
	{ "smbd", "idle_begin", "idle_begin", NO_CALLS, true },
	{ "smbd", "idle_end", "idle_end", NO_CALLS, true },
	{ "smbd", "client_start", "client_start", BASE, false },
	{ "smbnet", "recv_start", "recv_start", NO_RECEIVES, true },
	{ "smbnet", "pdu_received", "pdu_received", NO_RECEIVES, true },
	{ "smbnet", "send_done", "send_done", NO_SENDS, true },
	{ "smb2", "request_start", "request_start", BASE, true },
	{ "smb2", "request_resume", "request_resume", BASE, false },
	{ "smb2", "request_cancel", "request_cancel", BASE, false },
	{ "smb2", "request_end", "request_end", BASE, true },
	{ "smblock", "open_defer", "open_defer", BASE, false },
	{ "ctdb", "request_start", "ctdb_request", BASE, false },
	{ "ctdb", "wait_start", "ctdb_wait_start", BASE, false },
	{ "ctdb", "wait_done", "ctdb_wait_done", BASE, false },
	{ "ctdb", "request_done", "ctdb_wait_done", BASE, false },

	{ "smb2", "close_start", "close_start", FILES, false },
	{ "smbnet", "pdu_sent", "pdu_sent", SLOW, false },
	{ "smbnet", "connection_end", "connection_end", SLOW, false },

	{ "smbnet", "connection_terminate", "connection_terminate", EXITS,
	  false },
	{ "smbd", "disconnect_client", "disconnect_client", EXITS, false },
	{ "smbd", "exit", "process_end", EXITS, false },

	{ "smblock", "break_request", "break_request", OPLOCKS, false },
	{ "smblock", "break_received", "break_received", OPLOCKS, false },
	{ "smblock", "oplock_break", "oplock_break", OPLOCKS, false },
	{ "smblock", "lease_break", "lease_break", OPLOCKS, false },
	{ "smblock", "oplock_ack", "oplock_ack", OPLOCKS, false },
	{ "smblock", "lease_ack", "lease_ack", OPLOCKS, false },
	{ "smblock", "break_timeout", "break_timeout", OPLOCKS, false },
	{ "smblock", "open_retry", "open_retry", OPLOCKS, false },
};

_Static_assert(sizeof(tsmbd_probes) / sizeof(tsmbd_probes[0]) ==
	       TSMBD_NUM_PROBES, "see probes.h");

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
