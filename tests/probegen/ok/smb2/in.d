/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Two probes around each SMB2 request.
 *
 * Pair them by (pid, mid).
 */
provider smb2 {
	/* A request is dispatched. */
	probe request_start(
		uint64_t mid,		/* MessageId of the header */
		uint16_t opcode);	/* command: 5 is CREATE */
	/* A request is answered. */
	probe request_end(
		uint64_t mid,		/* MessageId of the header */
		uint16_t opcode,	/* command */
		uint32_t status);	/* NTSTATUS, 0 is success */
};
