/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-status.h - names of status codes.
 *
 * The table holds the names themselves, not their addresses, so nothing has to
 * be relocated, and reading the name loads its page, which a tracer could not
 * do. One row: { 0xc0000022, "ACCESS_DENIED" }.
 */
#ifndef SDTKIT_ARG_STATUS_H
#define SDTKIT_ARG_STATUS_H

#include <sdtkit/arg-declare.h>

SDTKIT_ARG_BEGIN

/*
 * The name of an NTSTATUS, "NT_STATUS_ACCESS_DENIED", as Samba spells the names
 * of [MS-ERREF 2.3.1]; "0xc0009999" for one that is not in arg-ntstatus.h.
 */
SDTKIT_ARG_TEXT(ntstatus, (uint32_t status), (status),
		SDTKIT_OUT_U(status), SDTKIT_OUT_U(0))
#define sdtkit_arg_ntstatus(status)					\
	(sdtkit_arg_ntstatus_here(status).text)

SDTKIT_ARG_END

#ifdef SDTKIT_ARG_DEFINES
SDTKIT_ARG_C
#include <sdtkit/arg-out.h>

struct sdtkit_ntstatus {
	uint32_t status;
	char name[40];
};

#define SDTKIT_NTSTATUS(status, name)	{ status, #name },
static const struct sdtkit_ntstatus sdtkit_ntstatus_names[] = {
#include <sdtkit/arg-ntstatus.h>
};
#undef SDTKIT_NTSTATUS

SDTKIT_ARG_LOCAL const char *sdtkit_ntstatus_name(uint32_t status)
{
	size_t low = 0, high = SDTKIT_ARG_COUNT(sdtkit_ntstatus_names), middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (sdtkit_ntstatus_names[middle].status < status)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == SDTKIT_ARG_COUNT(sdtkit_ntstatus_names) ||
	    sdtkit_ntstatus_names[low].status != status)
		return NULL;
	return sdtkit_ntstatus_names[low].name;
}

SDTKIT_ARG_LOCAL void sdtkit_write_ntstatus(struct sdtkit_out *out,
					    uint32_t status)
{
	const char *name = sdtkit_ntstatus_name(status);

	if (name == NULL) {
		sdtkit_out_put(out, "0x", 2);
		sdtkit_out_hex(out, status, 8);
		return;
	}
	sdtkit_out_string(out, "NT_STATUS_");
	sdtkit_out_string(out, name);
}

SDTKIT_ARG_DEFINE_TEXT(ntstatus, sdtkit_write_ntstatus,
		       (uint32_t status), (status),
		       ((uint32_t)in.first))

SDTKIT_ARG_C_END
#endif

#endif /* SDTKIT_ARG_STATUS_H */
