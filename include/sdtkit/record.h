/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/record.h - probes that show tracers a record.
 *
 * A record is a struct of fixed layout, filled from the program's own struct by
 * a translator of the description, on the stack, while the probe is traced:
 *
 *	probe request_done(struct request *req) : (info_t *req);
 *	translator info_t < struct request *R > { mid = R->mid; ... };
 *
 *	struct info {			offset, in every program and script
 *		SDTKIT_RECORD_8(unsigned long long, mid);		0
 *		unsigned short opcode;					8
 *		SDTKIT_RECORD_POINTER(const char *, user);		16
 *	};
 *
 * The macro of such a probe holds the translation, so that the program's
 * struct has to be known where the probe is called, and nowhere else.
 *
 * Included by the headers that probegen writes for such probes.
 */
#ifndef SDTKIT_RECORD_H
#define SDTKIT_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <sdtkit/probe.h>
#include <sdtkit/arg-value.h>

/*
 * Members of eight bytes lie at multiples of eight, which not every machine
 * does by itself, and a pointer fills them.
 */
#define SDTKIT_RECORD_8(type, name)	SDTKIT_ARG_WORD type name
#if !defined(__SIZEOF_POINTER__) || __SIZEOF_POINTER__ == 8
#define SDTKIT_RECORD_POINTER(type, name)	type name
#else
#define SDTKIT_RECORD_NARROW
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SDTKIT_RECORD_POINTER(type, name)				\
	SDTKIT_RECORD_8(type, name);					\
	unsigned int sdtkit_above_##name
#else
#define SDTKIT_RECORD_POINTER(type, name)				\
	SDTKIT_RECORD_8(unsigned int, sdtkit_above_##name);		\
	type name
#endif
#endif

/*
 * The call of a generated function whose arguments are made of the inputs;
 * `...` are the statements. native is the struct that holds the inputs, and
 * native_of the function that checks and puts them there. Without GNU C they
 * are checked only.
 */
#ifdef __GNUC__
#define SDTKIT_RECORD_CALL(native, inputs, ...)				\
	__extension__ ({						\
		const struct native sdtkit_native SDTKIT_ARG_UNUSED =	\
			native##_of inputs;				\
									\
		__VA_ARGS__;						\
	})
#else
#define SDTKIT_RECORD_CALL(native, inputs, ...)	((void)native##_of inputs)
#endif

/*
 * A member gets its value. Each is in memory before the next is looked at:
 * compilers would rather have all in registers first, and save those on the
 * path that runs while nobody traces. A string is one that tracers can read.
 */
#define SDTKIT_RECORD_SET(record, name, value)				\
	record.name = value;						\
	__asm__ __volatile__("" : : "m" (record.name) : "memory")
#define SDTKIT_RECORD_SET_STRING(record, name, value)			\
	SDTKIT_RECORD_SET_POINTER(record, name, sdtkit_arg_str(value))
#if defined(SDTKIT_RECORD_NARROW)
#define SDTKIT_RECORD_SET_POINTER(record, name, value)			\
	record.sdtkit_above_##name = 0;					\
	SDTKIT_RECORD_SET(record, name, value)
#else
#define SDTKIT_RECORD_SET_POINTER	SDTKIT_RECORD_SET
#endif

/* D's stringof() and copyinstr(): the program reads its memory as it is. */
SDTKIT_INLINE const char *sdtkit_record_text(const void *text)
{
	return SDTKIT_ARG_CAST(const char *, text);
}

SDTKIT_INLINE const char *sdtkit_record_text_at(uintptr_t address)
{
#ifdef __cplusplus
	return reinterpret_cast<const char *>(address);
#else
	return (const char *)address;
#endif
}

/* D's strlen(), 0 for NULL; a call of C's would have registers saved. */
SDTKIT_INLINE size_t sdtkit_record_length(const void *text)
{
	const volatile char *byte = SDTKIT_ARG_CAST(const volatile char *, text);
	size_t length = 0;

	while (byte != NULL && byte[length] != '\0') {
		length++;
	}
	return length;
}

#endif /* SDTKIT_RECORD_H */
