/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request_probes.h - what smbd notes of a request while it is traced, so that
 * one hit at its end tells all, or a note of it that needs no hit.
 *
 *	dispatched	PROBES_REQUEST_BEGINS: when, and how large it is
 *	a CLOSE		PROBES_FILE_CLOSES: its file, which has no name later
 *	suspended	smb2:request_suspend, PROBES_REQUEST_WAITS
 *	done		smb2:request_summary, smb2:request_details,
 *			PROBES_REQUEST_ENDS
 *	either		PROBES_REQUEST_LEAVES: it does not run any more
 *	not sent	PROBES_PDU_DELAYED: smbnet:pdu_delayed
 *	sent		PROBES_PDU_DELAYED_SENT: smbnet:pdu_delayed_sent
 *
 * Included by globals.h, for the members of its structs, which a build without
 * probes does not have. The macros are for files that include samba_probes.h
 * too. While nobody traces, nothing is noted.
 */
#ifndef LIB_STATIC_PROBES_REQUEST_PROBES_H
#define LIB_STATIC_PROBES_REQUEST_PROBES_H

#ifdef WITH_STATIC_PROBES

#include <stdint.h>
#include <time.h>

#include "lib/static_probes/request_notes.h"

struct probes_request {
	uint64_t start;			/* probes_now(), or 0 */
	uint64_t in_bytes;
	uint64_t fnum;			/* of a file that is closed, */
	const char *file;		/* and its name */
};

#define PROBES_OF_REQUEST(_name)	struct probes_request _name;
#define PROBES_OF_PDU(_name)		bool _name;

/* Nanoseconds, never 0. */
static inline uint64_t probes_now(void)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec + 1;
}

/* All requests are run by one source file, which has the only copy in use. */
static inline struct probes_running *probes_running(void)
{
	static struct probes_running running;

	return &running;
}

#define PROBES_ARE_NOTED() \
	(SMB2_REQUEST_SUMMARY_ENABLED() || SMB2_REQUEST_DETAILS_ENABLED() || \
	 SMB2_REQUEST_NOTES_ENABLED())

/* A deferred CREATE, whose subreq is set, began before. */
#define PROBES_REQUEST_BEGINS(_req, _bytes) do { \
	if (PROBES_ARE_NOTED()) { \
		if ((_req)->subreq == NULL) { \
			(_req)->probes.in_bytes = (_bytes); \
			(_req)->probes.fnum = 0; \
			(_req)->probes.file = NULL; \
			(_req)->probes.start = probes_now(); \
		} \
		probes_running()->header = SMBD_SMB2_IN_HDR_PTR(_req); \
		probes_running()->since = (_req)->probes.start; \
	} \
} while (0)

#define PROBES_REQUEST_LEAVES(_req) do { \
	if (PROBES_ARE_NOTED() && \
	    probes_running()->header == SMBD_SMB2_IN_HDR_PTR(_req)) { \
		probes_running()->header = NULL; \
	} \
} while (0)

#define PROBES_FILE_CLOSES(_req, _fsp) do { \
	if (SMB2_REQUEST_DETAILS_ENABLED() || SMB2_REQUEST_NOTES_ENABLED()) { \
		(_req)->probes.fnum = (_fsp)->fnum; \
		(_req)->probes.file = talloc_strdup( \
			_req, (_fsp)->fsp_name->base_name); \
	} \
} while (0)

#define PROBES_ELAPSED(_req) \
	((_req)->probes.start ? probes_now() - (_req)->probes.start : 0)
#define PROBES_IN_BYTES(_req)		((_req)->probes.in_bytes)
#define PROBES_CLOSED_FILE(_req)	((_req)->probes.file)
#define PROBES_RUNNING()		probes_running()

#define PROBES_FNUM(_req) \
	((_req)->compat_chain_fsp ? (_req)->compat_chain_fsp->fnum : \
	 (_req)->probes.fnum)

/* A related element of a compound has the session of the one before. */
#define PROBES_SESSION_ID(_req) \
	((IVAL(SMBD_SMB2_IN_HDR_PTR(_req), SMB2_HDR_FLAGS) & \
	  SMB2_HDR_FLAG_CHAINED) ? (_req)->last_session_id : \
	 BVAL(SMBD_SMB2_IN_HDR_PTR(_req), SMB2_HDR_SESSION_ID))

#define PROBES_POINTER(_pointer)	((uint64_t)(uintptr_t)(_pointer))

/*
 * The probe fires for each element of a compound: the system calls of one must not
 * count for the next one, and its names may be freed before the reply is sent. It
 * fires as well if no reply will be sent, after which the names are freed.
 */
#define PROBES_NOTE(_what, _req, _elapsed, ...) do { \
	const uint64_t _argument[PROBES_ARGUMENTS] = { __VA_ARGS__ }; \
	uint64_t _time = (_req)->probes.start ? \
		(_req)->probes.start + (_elapsed) : probes_now(); \
	if (probes_note(probes_running(), _what, _time, _argument) || \
	    (_req)->in.vector_count > 1 + SMBD_SMB2_NUM_IOV_PER_REQ || \
	    !NT_STATUS_IS_OK((_req)->xconn->transport.status)) { \
		SMB2_REQUEST_NOTES(probes_running()); \
	} \
} while (0)

/* The arguments are those of request_suspend. */
#define PROBES_REQUEST_WAITS(_req, _subreq, _usec) do { \
	if (SMB2_REQUEST_NOTES_ENABLED()) { \
		uint64_t _elapsed = PROBES_ELAPSED(_req); \
		PROBES_NOTE(PROBES_WAITS, _req, _elapsed, \
			    BVAL(SMBD_SMB2_IN_HDR_PTR(_req), \
				 SMB2_HDR_MESSAGE_ID), \
			    SVAL(SMBD_SMB2_IN_HDR_PTR(_req), \
				 SMB2_HDR_OPCODE), \
			    PROBES_POINTER(_req), PROBES_POINTER(_subreq), \
			    _usec, _elapsed, PROBES_IN_BYTES(_req), \
			    PROBES_SESSION_ID(_req), PROBES_FNUM(_req), \
			    PROBES_POINTER(SMBD_SMB2_IN_HDR_PTR(_req))); \
	} \
} while (0)

/* The arguments are those of request_details. */
#define PROBES_REQUEST_ENDS(_req, _outhdr, _elapsed, _bytes, _share, _file, \
			    _user) do { \
	if (SMB2_REQUEST_NOTES_ENABLED()) { \
		PROBES_NOTE(PROBES_ENDED, _req, _elapsed, \
			    SVAL(_outhdr, SMB2_HDR_OPCODE), \
			    IVAL(_outhdr, SMB2_HDR_STATUS), \
			    PROBES_POINTER(_req), _elapsed, \
			    PROBES_IN_BYTES(_req), _bytes, \
			    PROBES_POINTER(_share), PROBES_POINTER(_file), \
			    PROBES_POINTER(_user), \
			    PROBES_POINTER(SMBD_SMB2_IN_HDR_PTR(_req)), \
			    PROBES_FNUM(_req), \
			    PROBES_POINTER(probes_running())); \
	} \
} while (0)

/*
 * The queue is written to after each PDU that is put in it, so what stays in it
 * has been the last one at such a time.
 */
#define PROBES_PDU_DELAYED(_xconn) do { \
	if (SMBNET_PDU_DELAYED_ENABLED()) { \
		struct smbd_smb2_send_queue *_last = \
			DLIST_TAIL((_xconn)->smb2.send_queue); \
		if (!_last->probes_delayed) { \
			_last->probes_delayed = true; \
			SMBNET_PDU_DELAYED(_xconn, _last->mem_ctx); \
		} \
	} \
} while (0)

#define PROBES_PDU_DELAYED_SENT(_xconn, _entry) do { \
	if (SMBNET_PDU_DELAYED_SENT_ENABLED() && (_entry)->probes_delayed) { \
		SMBNET_PDU_DELAYED_SENT(_xconn, (_entry)->mem_ctx); \
	} \
} while (0)

#else

#define PROBES_OF_REQUEST(_name)
#define PROBES_OF_PDU(_name)
#define PROBES_REQUEST_BEGINS(_req, _bytes)		do { } while (0)
#define PROBES_REQUEST_LEAVES(_req)			do { } while (0)
#define PROBES_FILE_CLOSES(_req, _fsp)			do { } while (0)
#define PROBES_REQUEST_WAITS(_req, _subreq, _usec)	do { } while (0)
#define PROBES_REQUEST_ENDS(_req, _outhdr, _elapsed, _bytes, _share, _file, \
			    _user)			do { } while (0)
#define PROBES_ELAPSED(_req)				0
#define PROBES_IN_BYTES(_req)				0
#define PROBES_CLOSED_FILE(_req)			NULL
#define PROBES_RUNNING()				NULL
#define PROBES_FNUM(_req)				0
#define PROBES_SESSION_ID(_req)				0
#define PROBES_PDU_DELAYED(_xconn)			do { } while (0)
#define PROBES_PDU_DELAYED_SENT(_xconn, _entry)		do { } while (0)

#endif

#endif /* LIB_STATIC_PROBES_REQUEST_PROBES_H */
