/* SPDX-License-Identifier: BSD-2-Clause */

/* What requests do. */
provider store {
	/* A line was written. */
	probe written(
		int bytes,		/* less than 0 if it failed */
		sdtkit_errno_t error);	/* why it failed */
};
