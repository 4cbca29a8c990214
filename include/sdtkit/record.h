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
 *		char share[20];						24
 *	};
 *
 * The macro of such a probe contains the translation, so the program's struct
 * has to be declared where the probe is called, and nowhere else.
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
 * A member of eight bytes lies at a multiple of eight, which not every machine
 * does by itself. A pointer always takes eight bytes.
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

#ifdef SDTKIT_DISABLE
#define SDTKIT_RECORD(tag, name)
#define SDTKIT_RECORD_SET(record, name, value)
#define SDTKIT_RECORD_SET_STRING(record, name, value)
#define SDTKIT_RECORD_SET_POINTER(record, name, value)
#define SDTKIT_RECORD_SET_TEXT(record, name, value)
#define SDTKIT_RECORD_SET_ARRAY(record, name, value, first)
#else

/* Declares a record on the stack, in the macro of a probe. */
#define SDTKIT_RECORD(tag, name)	struct tag name;

/*
 * Assigns a member, and stores it before the next one is computed: otherwise
 * compilers keep all in registers first, and save these registers on the hot
 * path, too. SDTKIT_RECORD_SET_STRING() makes the pages of the string present,
 * so that tracers can read it.
 */
#define SDTKIT_RECORD_SET(record, name, value)				\
	record.name = value;						\
	__asm__ __volatile__("" : : "m" (record.name) : "memory");
#define SDTKIT_RECORD_SET_STRING(record, name, value)			\
	SDTKIT_RECORD_SET_POINTER(record, name, sdtkit_arg_str(value))
#if defined(SDTKIT_RECORD_NARROW)
#define SDTKIT_RECORD_SET_POINTER(record, name, value)			\
	record.sdtkit_above_##name = 0;					\
	SDTKIT_RECORD_SET(record, name, value)
#else
#define SDTKIT_RECORD_SET_POINTER	SDTKIT_RECORD_SET
#endif

/*
 * Checks that a value is an array and not an address of its first element,
 * which does not say how many elements follow. If a check of
 * SDTKIT_RECORD_NEEDS() fails, a typedef has a negative size, and its name says
 * why.
 */
#ifdef __cplusplus
extern "C++" {
template <typename type> struct sdtkit_is_array { enum { yes = 0 }; };
template <typename type, size_t size> struct sdtkit_is_array<type[size]> {
	enum { yes = 1 };
};
}
#define SDTKIT_RECORD_IS_ARRAY(value)					\
	(sdtkit_is_array<__typeof__(value)>::yes)
#else
#define SDTKIT_RECORD_IS_ARRAY(value)					\
	(!__builtin_types_compatible_p(__typeof__(value),		\
				       __typeof__(&(value)[0])))
#endif
#define SDTKIT_RECORD_BOUND(value)					\
	(SDTKIT_RECORD_IS_ARRAY(value) ? sizeof(value) : SIZE_MAX)
#define SDTKIT_RECORD_NEEDS(what, condition)				\
	typedef char sdtkit_needs_##what[(condition) ? 1 : -1]		\
		SDTKIT_ARG_UNUSED

/*
 * Copies text into a member that is an array of char, from a string or from an
 * array that need not end in a zero byte; and copies an array of numbers into a
 * member that is at least as long. first is [0], or [0][0] if there are two
 * dimensions.
 */
#define SDTKIT_RECORD_SET_TEXT(record, name, value)			\
	do {								\
		SDTKIT_RECORD_NEEDS(characters,				\
				    sizeof((value)[0]) == 1);		\
									\
		sdtkit_record_put_text(record.name, sizeof(record.name), \
				       value, SDTKIT_RECORD_BOUND(value)); \
		__asm__ __volatile__("" : : "m" (record.name) : "memory"); \
	} while (0);
#define SDTKIT_RECORD_SET_ARRAY(record, name, value, first)		\
	do {								\
		SDTKIT_RECORD_NEEDS(an_array,				\
				    SDTKIT_RECORD_IS_ARRAY(value));	\
		SDTKIT_RECORD_NEEDS(elements_of_that_size,		\
			sizeof((value) first) == sizeof(record.name first)); \
		SDTKIT_RECORD_NEEDS(rows_of_that_size,			\
			SDTKIT_RECORD_ROW(value, first)			\
			== SDTKIT_RECORD_ROW(record.name, first));	\
		SDTKIT_RECORD_NEEDS(an_array_that_fits,			\
				    sizeof(value) <= sizeof(record.name)); \
									\
		sdtkit_record_put(record.name, sizeof(record.name),	\
				  value, sizeof(value));		\
		__asm__ __volatile__("" : : "m" (record.name) : "memory"); \
	} while (0);
#define SDTKIT_RECORD_ROW(value, first)					\
	(sizeof((value)[0]) / sizeof((value) first))

/*
 * Copies byte by byte, and hides that from the compiler, which would call
 * memcpy(): for a call, registers are saved on the hot path, too. The bytes
 * behind those of from are zero.
 */
SDTKIT_INLINE void sdtkit_record_put(void *to, size_t size,
				     const volatile void *from, size_t length)
{
	volatile char *out = SDTKIT_ARG_CAST(volatile char *, to);
	const volatile char *in = SDTKIT_ARG_CAST(const volatile char *, from);
	size_t i;

	for (i = 0; i < size; i++)
		out[i] = i < length ? in[i] : '\0';
}

/*
 * Copies text of at most bound bytes, and always ends it with a zero byte. Text
 * that does not fit ends in "...", and no character of UTF-8 is cut in two.
 */
SDTKIT_INLINE void sdtkit_record_put_text(char *to, size_t size,
					  const volatile void *from,
					  size_t bound)
{
	const volatile char *in = SDTKIT_ARG_CAST(const volatile char *, from);
	volatile char *out = to;
	size_t length = 0, dots = size < 4 ? size - 1 : 3, i;

	while (in != NULL && length < bound && length < size && in[length])
		length++;
	if (length == size) {
		length = size - 1 - dots;
		for (i = 0; i < 3 && length && (in[length] & 0xc0) == 0x80;
		     i++)
			length--;
	} else {
		dots = 0;
	}
	for (i = 0; i < size; i++)
		out[i] = i < length ? in[i] : i < length + dots ? '.' : '\0';
}

/* D's stringof() and copyinstr(): the program reads its own memory directly. */
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

/* D's strlen(), 0 for NULL; a call of C's strlen() would save registers. */
#define SDTKIT_RECORD_LENGTH(text)					\
	sdtkit_record_length(text, SDTKIT_RECORD_BOUND(text))
SDTKIT_INLINE size_t sdtkit_record_length(const volatile void *text,
					  size_t bound)
{
	const volatile char *byte = SDTKIT_ARG_CAST(const volatile char *, text);
	size_t length = 0;

	while (byte != NULL && length < bound && byte[length] != '\0')
		length++;
	return length;
}

/* D's comparison of strings: less than, equal to or more than 0; NULL is "". */
#define SDTKIT_RECORD_COMPARE(one, other)				\
	sdtkit_record_compare(one, SDTKIT_RECORD_BOUND(one), other,	\
			      SDTKIT_RECORD_BOUND(other))
SDTKIT_INLINE int sdtkit_record_compare(const volatile void *one,
					size_t one_bound,
					const volatile void *other,
					size_t other_bound)
{
	const volatile unsigned char *a = SDTKIT_ARG_CAST(
		const volatile unsigned char *, one);
	const volatile unsigned char *b = SDTKIT_ARG_CAST(
		const volatile unsigned char *, other);
	size_t i;
	int left, right;

	for (i = 0;; i++) {
		left = a != NULL && i < one_bound ? a[i] : 0;
		right = b != NULL && i < other_bound ? b[i] : 0;
		if (left == 0 || left != right)
			return left - right;
	}
}

/* D's htons(), ntohs() and so on: swap the bytes on little endian machines. */
SDTKIT_INLINE uint16_t sdtkit_record_net16(uint16_t value)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	       ? __builtin_bswap16(value) : value;
}

SDTKIT_INLINE uint32_t sdtkit_record_net32(uint32_t value)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	       ? __builtin_bswap32(value) : value;
}

SDTKIT_INLINE uint64_t sdtkit_record_net64(uint64_t value)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	       ? __builtin_bswap64(value) : value;
}

#endif /* SDTKIT_DISABLE */
#endif /* SDTKIT_RECORD_H */
