/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg.h - makes values fit to be handed to a probe.
 *
 * A tracer reads integers, and C strings that are in memory. What a server
 * has is counted strings, socket addresses, GUIDs and status codes; and its C
 * strings may be NULL, or lie on a page that was never touched, which a tracer
 * reads as "", because it looks from inside the kernel with page faults off.
 * The functions here turn the one into the other.
 *
 * By declaration: an argument in the .d has a type of docs/arg.md's table, the
 * site passes what it has, and probegen's header does the rest:
 *
 *	probe connection_start(sdtkit_sockaddr_t remote, sdtkit_counted_t name);
 *
 *	SMBNET_CONNECTION_START(&ss, key.dptr, key.dsize);
 *
 * By hand, in the argument of any probe, whatever made its header:
 *
 *	SMBNET_CONNECTION_TERMINATE(conn, sdtkit_arg_sockaddr(&ss),
 *				    sdtkit_arg_ntstatus(status));
 *
 * Invariants
 * 1. A probe's arguments are evaluated only while somebody traces it. When
 *    nobody does, none of this costs anything but what 5. says.
 * 2. No allocation, no lock, no change of errno, no static state, no call of
 *    libc: fit for signal handlers. Work is bounded, whatever the input.
 * 3. Text is made in a struct sdtkit_text on the stack. The one that
 *    sdtkit_arg_NAME() returns lives until the expression around it ends,
 *    which is after the probe has fired.
 * 4. Text ends in a zero byte and never passes its buffer. What did not fit is
 *    shown by "..." at its end; no UTF-8 character and no \x00 is cut in two.
 * 5. On x86-64 the functions change no register and no vector state, so that the
 *    code around a probe is compiled as if there was no call. By hand, the
 *    text's place is in the frame of the calling function, and a function that
 *    had no frame gets one; by declaration it is not.
 *
 * Link with libsdtkit (pkg-config sdtkit-arg), a static library, or compile
 * with -DSDTKIT_ARG_INLINE and have the functions in each file that uses them.
 * What is in arg-value.h needs neither.
 */
#ifndef SDTKIT_ARG_H
#define SDTKIT_ARG_H

#include <stddef.h>
#include <stdint.h>

#include <sdtkit/probe.h>
#include <sdtkit/arg-call.h>
#include <sdtkit/arg-value.h>

/* Longer than bpftrace reads (200), as long as SystemTap is often told to. */
#define SDTKIT_ARG_TEXT_SIZE 256

struct sdtkit_text {
	char text[SDTKIT_ARG_TEXT_SIZE];
};

/* One bit or several, and what they are called; a table ends with name NULL. */
struct sdtkit_flag {
	uint64_t bits;
	const char *name;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Declares sdtkit_arg_NAME_to(to, size, inputs), which writes at most size
 * bytes with the final zero and returns to, and sdtkit_arg_NAME_text(inputs),
 * which returns the text. An input that is NULL makes the text "".
 *
 * sdtkit_arg_NAME_here() is the latter for calls by hand. On x86-64 it is no
 * call to the compiler, see arg-call.h: the text's place and the inputs, two
 * words, are pushed, and a function that calls nothing else saves no register.
 */
#define SDTKIT_ARG_TEXT(name, params, inputs, first, second)		\
	SDTKIT_ARG_DECLARE const char *sdtkit_arg_##name##_to(		\
		char *to, size_t size, SDTKIT_ARG_LIST params)		\
		SDTKIT_ARG_SYMBOL(sdtkit_arg_##name##_to);		\
	SDTKIT_ARG_DECLARE struct sdtkit_text sdtkit_arg_##name##_text	\
		params SDTKIT_ARG_SYMBOL(sdtkit_arg_##name##_text);	\
	SDTKIT_ARG_HERE(sdtkit_arg_##name##_here,			\
			sdtkit_arg_##name##_hand,			\
			sdtkit_arg_##name##_text, params, inputs, first, second)
#define SDTKIT_ARG_LIST(...)	__VA_ARGS__
#ifdef SDTKIT_OUT_HAND
struct sdtkit_hand {
	SDTKIT_ARG_WORD char *to;
	SDTKIT_ARG_WORD uintptr_t first;
	SDTKIT_ARG_WORD uintptr_t second;
	SDTKIT_OUT_PAD
};
#define SDTKIT_ARG_HERE(here, hand, made, params, inputs, first, second) \
	SDTKIT_ARG_DECLARE void hand(struct sdtkit_hand in)		\
		SDTKIT_ARG_SYMBOL(hand);				\
	SDTKIT_OUT_INLINE struct sdtkit_text here params		\
	{								\
		struct sdtkit_text sdtkit_text;				\
									\
		SDTKIT_OUT_CALL(3, hand, sdtkit_hand,			\
				SDTKIT_OUT_P(sdtkit_text.text),		\
				first, second);				\
		return sdtkit_text;					\
	}
#else
#define SDTKIT_ARG_HERE(here, hand, made, params, inputs, first, second) \
	SDTKIT_OUT_INLINE struct sdtkit_text here params		\
	{								\
		return made inputs;					\
	}
#endif

/*
 * A counted string of length bytes: UTF-8 stays, all else, and zero bytes and
 * other control characters, is shown as \x00.
 */
SDTKIT_ARG_TEXT(counted, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_counted(data, length)				\
	(sdtkit_arg_counted_here(data, length).text)

/* Bytes, one character for each: what is not printable ASCII is a '.'. */
SDTKIT_ARG_TEXT(printable, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_printable(data, length)				\
	(sdtkit_arg_printable_here(data, length).text)

/* Bytes as hexadecimal digits, two for each, nothing between: "00ff7a". */
SDTKIT_ARG_TEXT(hex, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_hex(data, length)					\
	(sdtkit_arg_hex_here(data, length).text)

/*
 * UTF-16 in little endian byte order, of length bytes, as UTF-8. Unpaired
 * surrogates and half a unit at the end become U+FFFD; control characters as
 * in a counted string.
 */
SDTKIT_ARG_TEXT(utf16, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_utf16(data, length)					\
	(sdtkit_arg_utf16_here(data, length).text)

/*
 * A socket address: "192.0.2.7:445", "[2001:db8::1]:445", "[fe80::1%2]:445"
 * with the number of its scope, "/run/a.sock", "@abstract", "(unnamed)" for a
 * UNIX socket without a name, "family 17" for what else there is.
 *
 * length as the system calls have it, so that an abstract name may hold zero
 * bytes. Without, the family tells it: a UNIX address must then be in a struct
 * sockaddr_un or sockaddr_storage, and zero bytes at the end of an abstract
 * name do not count.
 */
SDTKIT_ARG_TEXT(sockaddr, (const void *address), (address),
		SDTKIT_OUT_P(address), SDTKIT_OUT_U(0))
SDTKIT_ARG_TEXT(sockaddr_len, (const void *address, size_t length),
		(address, length),
		SDTKIT_OUT_P(address), SDTKIT_OUT_U(length))
#define sdtkit_arg_sockaddr(address)					\
	(sdtkit_arg_sockaddr_here(sdtkit_sockaddr_of(address)).text)
#define sdtkit_arg_sockaddr_len(address, length)			\
	(sdtkit_arg_sockaddr_len_here(sdtkit_sockaddr_of(address),	\
				      length).text)

/*
 * 16 bytes as "6ba7b810-9dad-11d1-80b4-00c04fd430c8". A GUID has its first
 * three fields in little endian byte order, as Windows, SMB2 and NDR do
 * [MS-DTYP 2.3.4]; a UUID has all in big endian order (RFC 9562).
 */
SDTKIT_ARG_TEXT(guid, (const void *bytes), (bytes),
		SDTKIT_OUT_P(bytes), SDTKIT_OUT_U(0))
#define sdtkit_arg_guid(bytes)	(sdtkit_arg_guid_here(bytes).text)
SDTKIT_ARG_TEXT(uuid, (const void *bytes), (bytes),
		SDTKIT_OUT_P(bytes), SDTKIT_OUT_U(0))
#define sdtkit_arg_uuid(bytes)	(sdtkit_arg_uuid_here(bytes).text)

/*
 * A security identifier as on the wire [MS-DTYP 2.4.2.2]: "S-1-5-32-544".
 * Bytes that are none are shown in hexadecimal.
 */
SDTKIT_ARG_TEXT(sid, (const void *data, size_t length), (data, length),
		SDTKIT_OUT_P(data), SDTKIT_OUT_U(length))
#define sdtkit_arg_sid(data, length)					\
	(sdtkit_arg_sid_here(data, length).text)

/*
 * An NTSTATUS by name, "NT_STATUS_ACCESS_DENIED", as Samba spells those of
 * [MS-ERREF 2.3.1]; "0xc0009999" for one that is not in arg-ntstatus.h.
 */
SDTKIT_ARG_TEXT(ntstatus, (uint32_t status), (status),
		SDTKIT_OUT_U(status), SDTKIT_OUT_U(0))
#define sdtkit_arg_ntstatus(status)					\
	(sdtkit_arg_ntstatus_here(status).text)

/*
 * An error number by name: "ENOENT", "-ENOENT" for the negative of it, the
 * number where it has no name; "0" for 0.
 */
SDTKIT_ARG_TEXT(errno, (int number), (number),
		SDTKIT_OUT_S(number), SDTKIT_OUT_U(0))
#define sdtkit_arg_errno(number)	(sdtkit_arg_errno_here(number).text)

/*
 * The names of the bits that are set, "READ|WRITE|0x40", in the order of the
 * table; what no row has comes last, as a number. A row counts when all its
 * bits are set and were not named yet. "0" if none is.
 */
SDTKIT_ARG_TEXT(flags, (uint64_t value, const struct sdtkit_flag *table),
		(value, table),
		SDTKIT_OUT_U(value), SDTKIT_OUT_P(table))
#define sdtkit_arg_flags(value, table)					\
	(sdtkit_arg_flags_here(value, table).text)

/*
 * Nanoseconds of CLOCK_MONOTONIC, which is bpftrace's nsecs and BPF's
 * bpf_ktime_get_ns(), and of CLOCK_BOOTTIME, bpftrace's nsecs(boot). In a time
 * namespace with offsets they differ from what the kernel tells tracers.
 */
SDTKIT_ARG_DECLARE uint64_t sdtkit_arg_monotonic(void)
	SDTKIT_ARG_SYMBOL(sdtkit_arg_monotonic);
SDTKIT_ARG_DECLARE uint64_t sdtkit_arg_boottime(void)
	SDTKIT_ARG_SYMBOL(sdtkit_arg_boottime);

#ifdef __cplusplus
}
#endif

#ifdef SDTKIT_ARG_INLINE
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"	/* they are C */
#endif
#include <sdtkit/arg-address.h>
#include <sdtkit/arg-bytes.h>
#include <sdtkit/arg-clock.h>
#include <sdtkit/arg-id.h>
#include <sdtkit/arg-name.h>
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif
#endif

#endif /* SDTKIT_ARG_H */
