/* SPDX-License-Identifier: BSD-2-Clause */

/* Requests. */
provider server {
	/* A request begins. */
	probe request_start(
		int id,			/* from 1 */
		char *text);		/* what is asked for */

	/* A request has been answered. */
	probe request_end(
		int id);		/* as at its start */
};
