/* SPDX-License-Identifier: BSD-2-Clause */

/* The probes of hello, the smallest program that has one. */
provider hello {
	/* Somebody is greeted. */
	probe greet(
		char *who,	/* a name from the command line */
		int count);	/* greetings so far, from 1 */
};
