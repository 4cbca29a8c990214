/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of GCC's C++ library: every program in C++ has them, whoever
 * wrote it.
 *
 *	sdtkit top --description libstdcxx.d -p PID
 */

/* From throw until the handler begins: what unwinding takes. */
#pragma sdtkit span exception start=throw,rethrow end=catch key=tid

provider libstdcxx {
	probe throw(void *object, void *type);
	probe rethrow(void *object, void *type);
	probe catch(void *object, void *type);
};
