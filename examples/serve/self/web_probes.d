/* SPDX-License-Identifier: BSD-2-Clause */

/* A request. */
#pragma sdtkit span request start=request end=replied key=id name=path \
	error=status ok=200
/* The probes of a server that serves its own metrics. */
provider web {
	/* A request has come. */
	probe request(
		unsigned id,	/* requests so far, from 1 */
		string path);	/* "/", "/metrics" or "other" */

	/* The reply is written. */
	probe replied(
		unsigned id,	/* as in request */
		int status);	/* of HTTP */
};
