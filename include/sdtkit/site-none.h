/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/site-none.h - probes that nobody can trace.
 *
 * SMB2_REQUEST_START(mid, opcode) is `0 ? sdtkit_smb2_request_start(mid,
 * opcode) : (void)0`, with a function that is never called: the compiler checks
 * number and types of the arguments, and generates no code.
 *
 * Included by sdtkit/probe.h for -DSDTKIT_DISABLE, and where there is no ELF
 * or no GNU C.
 */
#ifndef SDTKIT_SITE_NONE_H
#define SDTKIT_SITE_NONE_H

#define SDTKIT_SEMAPHORE(provider, probe)
#define SDTKIT_ENABLED(provider, probe)			0

#define SDTKIT_FIRE(provider, probe, format, ...)
#define SDTKIT_FIRE_0(provider, probe)
#define SDTKIT_FIRE_ALIAS(provider, probe, alias, format, ...)
#define SDTKIT_FIRE_ALIAS_0(provider, probe, alias)

#endif /* SDTKIT_SITE_NONE_H */
