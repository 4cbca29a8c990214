/* SPDX-License-Identifier: BSD-2-Clause */

/* One greeting. */
#pragma sdtkit span greeting start=greet end=greeted key=count name=who \
	error=written<0 sum=written
/* The probes of hello, the smallest program that has a span. */
provider hello {
	/* Somebody is greeted. */
	probe greet(
		char *who,	/* a name from the command line */
		int count);	/* greetings so far, from 1 */

	/* The greeting is written. */
	probe greeted(
		int count,	/* as in greet */
		int written);	/* bytes, or less than 0 */
};
