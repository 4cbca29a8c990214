/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * winbind_probes.h - arguments of winbindd's probes that no variable has there.
 *
 * Used as arguments of probes only: evaluated while somebody traces.
 */
#ifndef LIB_STATIC_PROBES_WINBIND_PROBES_H
#define LIB_STATIC_PROBES_WINBIND_PROBES_H

#include "lib/static_probes/samba_probes.h"

/* What is done for a client's request is in the client's memory. */
#define PROBES_CLIENT(_context) \
	talloc_find_parent_bytype(_context, struct winbindd_cli_state)
#define PROBES_CALL(_context) \
	talloc_find_parent_bytype(_context, struct wbint_bh_raw_call_state)

#define PROBES_CALL_NAME(_opnum)	ndr_table_winbind.calls[_opnum].name

/* A call is for any child of a domain, or for one child: domain is NULL. */
#define PROBES_CHILD_NAME(_domain, _child) \
	((_domain) != NULL ? (_domain)->name : \
	 (_child)->domain != NULL ? (_child)->domain->name : \
	 is_idmap_child(_child) ? "(idmap)" : "(locator)")
#define PROBES_CHILD_QUEUE(_domain, _child) \
	tevent_queue_length((_domain) != NULL ? (_domain)->queue : \
			    (_child)->queue)

/* The functions of children return an NTSTATUS, which NDR puts at the end. */
#define PROBES_REPLY_STATUS(_status, _response) \
	(!NT_STATUS_IS_OK(_status) ? NT_STATUS_V(_status) : \
	 (_response)->length < sizeof(*(_response)) + 4 ? \
	 NT_STATUS_V(NT_STATUS_UNSUCCESSFUL) : \
	 IVAL((_response)->extra_data.data, \
	      (_response)->length - sizeof(*(_response)) - 4))
#define PROBES_CALL_STATUS(_ret, _errno, _response) \
	PROBES_REPLY_STATUS((_ret) == -1 ? map_nt_error_from_unix(_errno) : \
			    NT_STATUS_OK, _response)

#define PROBES_SID(_sid) \
	dom_sid_str_buf(_sid, &(struct dom_sid_buf) { .buf = "" })
#define PROBES_XID(_xid) \
	talloc_asprintf(talloc_tos(), "%cID %u", \
			(_xid)->type == ID_TYPE_UID ? 'U' : 'G', \
			(unsigned int)(_xid)->id)

#endif /* LIB_STATIC_PROBES_WINBIND_PROBES_H */
