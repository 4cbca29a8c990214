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

#define ALONE		TSMBD_HIT_ALONE

const struct probe tsmbd_probes[] = {
	{ "smbd", "idle_begin", "idle_begin", NO_CALLS, REQUIRED, ALONE },
	{ "smbd", "idle_end", "idle_end", NO_CALLS, REQUIRED, ALONE },
	{ "smbd", "client_start", "client_start", BASE, 0, ALONE },
	{ "smbnet", "recv_start", "recv_start", NO_RECEIVES, REQUIRED, ALONE },
	{ "smbnet", "pdu_received", "pdu_received", NO_RECEIVES, REQUIRED,
	  ALONE },
	{ "smbnet", "send_done", "send_done", NO_SENDS, REQUIRED, ALONE },
	{ "smb2", "request_start", "request_start", STARTS, REQUIRED, ALONE },
	{ "smb2", "request_notes", "noted_hit", SUMMARY | DETAILS, NOTES,
	  TSMBD_HIT_NOTES },
	{ "smb2", "request_suspend", "request_suspend", BASE, HITS, ALONE },
	{ "smb2", "request_resume", "noted_hit", BASE, 0, TSMBD_HIT_RESUME },
	{ "smb2", "request_cancel", "noted_hit", BASE, 0, TSMBD_HIT_CANCEL },
	{ "smb2", "request_summary", "request_done", SUMMARY, REQUIRED | HITS,
	  ALONE },
	{ "smb2", "request_details", "request_done", DETAILS, REQUIRED | HITS,
	  ALONE },
	{ "smb2", "session_start", "session_start", BASE, 0, ALONE },
	{ "smb2", "session_end", "session_end", BASE, 0, ALONE },
	{ "smblock", "open_defer", "noted_hit", BASE, 0, TSMBD_HIT_DEFER },
	{ "smblock", "handle_kept", "noted_hit", BASE, 0, TSMBD_HIT_KEPT },
	{ "vfs", "limit_start", "noted_hit", BASE, 0, TSMBD_HIT_LIMIT },
	{ "vfs", "limit_done", "noted_hit", BASE, 0, TSMBD_HIT_LIMITED },
	{ "ctdb", "request_start", "ctdb_request", BASE, 0, ALONE },
	{ "ctdb", "wait_start", "noted_hit", BASE, 0, TSMBD_HIT_CTDB },
	{ "ctdb", "wait_done", "noted_hit", BASE, 0, TSMBD_HIT_CTDB_DONE },
	{ "ctdb", "request_done", "noted_hit", BASE, 0, TSMBD_HIT_CTDB_DONE },

	{ "smbnet", "pdu_delayed", "noted_hit", SLOW, 0, TSMBD_HIT_DELAYED },
	{ "smbnet", "pdu_delayed_sent", "pdu_sent", SLOW, 0, ALONE },
	{ "smbnet", "connection_end", "noted_hit", SLOW, 0, TSMBD_HIT_END },

	{ "smbnet", "connection_terminate", "ending_hit", EXITS, SLEEPS,
	  TSMBD_HIT_TERMINATE },
	{ "smbd", "disconnect_client", "ending_hit", EXITS, SLEEPS,
	  TSMBD_HIT_DISCONNECT },
	{ "smbd", "exit", "ending_hit", EXITS, SLEEPS, TSMBD_HIT_EXIT },

	{ "smblock", "break_request", "break_request", OPLOCKS, 0, ALONE },
	{ "smblock", "break_received", "break_received", OPLOCKS, 0, ALONE },
	{ "smblock", "oplock_break", "oplock_break", OPLOCKS, SLEEPS, ALONE },
	{ "smblock", "lease_break", "lease_break", OPLOCKS, 0, ALONE },
	{ "smblock", "oplock_ack", "oplock_ack", OPLOCKS, SLEEPS, ALONE },
	{ "smblock", "lease_ack", "lease_ack", OPLOCKS, 0, ALONE },
	{ "smblock", "break_timeout", "break_timeout", OPLOCKS, SLEEPS, ALONE },
	{ "smblock", "open_retry", "open_retry", OPLOCKS, 0, ALONE },
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
