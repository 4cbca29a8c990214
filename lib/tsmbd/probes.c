/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.c - the table of probes: see providers/NAME/NAME.d for each.
 *
 * Those of TSMBD_BASE are always attached; the others only for options that need
 * them. Where requests are read from notes, all of them are rare.
 *
 * Programs that read string literals are loaded as sleepable where the kernel
 * allows it: a page of the program file that was never used has to be read from
 * disk first. Such probes are rare.
 */
#include <string.h>

#include "probes.h"
#include "tsmbd.h"

#define BASE		TSMBD_BASE
#define SUMMARY		TSMBD_SUMMARY
#define DETAILS		TSMBD_DETAILS
#define STARTS		TSMBD_STARTS
#define SLOW		TSMBD_SLOW
#define EXITS		TSMBD_EXITS
#define OPLOCKS		TSMBD_OPLOCKS
#define NO_RECEIVES	TSMBD_NO_RECEIVES
#define NO_SENDS	TSMBD_NO_SENDS
#define NO_CALLS	TSMBD_NO_CALLS

#define REQUIRED	PROBE_REQUIRED
#define SLEEPS		PROBE_SLEEPS
#define NOTES		PROBE_NOTES
#define HITS		PROBE_HITS

const struct probe tsmbd_probes[] = {
	{ "smbd", "idle_begin", "idle_begin", NO_CALLS, REQUIRED },
	{ "smbd", "idle_end", "idle_end", NO_CALLS, REQUIRED },
	{ "smbd", "client_start", "client_start", BASE, 0 },
	{ "smbnet", "recv_start", "recv_start", NO_RECEIVES, REQUIRED },
	{ "smbnet", "pdu_received", "pdu_received", NO_RECEIVES, REQUIRED },
	{ "smbnet", "send_done", "send_done", NO_SENDS, REQUIRED },
	{ "smb2", "request_start", "request_start", STARTS, REQUIRED },
	{ "smb2", "request_notes", "request_notes", SUMMARY | DETAILS, NOTES },
	{ "smb2", "request_suspend", "request_suspend", BASE, HITS },
	{ "smb2", "request_resume", "request_resume", BASE, 0 },
	{ "smb2", "request_cancel", "request_cancel", BASE, 0 },
	{ "smb2", "request_summary", "request_done", SUMMARY,
	  REQUIRED | HITS },
	{ "smb2", "request_details", "request_done", DETAILS,
	  REQUIRED | HITS },
	{ "smb2", "session_start", "session_start", BASE, 0 },
	{ "smb2", "session_end", "session_end", BASE, 0 },
	{ "smblock", "open_defer", "open_defer", BASE, 0 },
	{ "smblock", "handle_kept", "handle_kept", BASE, 0 },
	{ "vfs", "limit_start", "limit_start", BASE, 0 },
	{ "vfs", "limit_done", "limit_done", BASE, 0 },
	{ "ctdb", "request_start", "ctdb_request", BASE, 0 },
	{ "ctdb", "wait_start", "ctdb_wait_start", BASE, 0 },
	{ "ctdb", "wait_done", "ctdb_wait_done", BASE, 0 },
	{ "ctdb", "request_done", "ctdb_wait_done", BASE, 0 },

	{ "smbnet", "pdu_delayed", "pdu_delayed", SLOW, 0 },
	{ "smbnet", "pdu_delayed_sent", "pdu_sent", SLOW, 0 },
	{ "smbnet", "connection_end", "connection_end", SLOW, 0 },

	{ "smbnet", "connection_terminate", "connection_terminate", EXITS,
	  SLEEPS },
	{ "smbd", "disconnect_client", "disconnect_client", EXITS, SLEEPS },
	{ "smbd", "exit", "process_end", EXITS, SLEEPS },

	{ "smblock", "break_request", "break_request", OPLOCKS, 0 },
	{ "smblock", "break_received", "break_received", OPLOCKS, 0 },
	{ "smblock", "oplock_break", "oplock_break", OPLOCKS, SLEEPS },
	{ "smblock", "lease_break", "lease_break", OPLOCKS, 0 },
	{ "smblock", "oplock_ack", "oplock_ack", OPLOCKS, SLEEPS },
	{ "smblock", "lease_ack", "lease_ack", OPLOCKS, 0 },
	{ "smblock", "break_timeout", "break_timeout", OPLOCKS, SLEEPS },
	{ "smblock", "open_retry", "open_retry", OPLOCKS, 0 },
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
