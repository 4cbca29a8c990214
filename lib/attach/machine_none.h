/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine that this library does not know: opening a tap says so. */

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.signals = { SIGTRAP },
};

#define PC(context)		((context)->uc_flags)
#define REGISTER(context, i)	0
