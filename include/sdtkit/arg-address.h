/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-address.h - socket addresses as text.
 *
 * Part of libsdtkit, or of a file that has SDTKIT_ARG_INLINE; sdtkit/arg.h
 * describes the texts. IPv6 is written as RFC 5952 says and inet_ntop() does.
 * The address may be unaligned. No byte beyond its length is read; if no length
 * is given, no byte beyond the struct of its family. One input:
 *
 *	0a 00 01 bd 00000000 20010db8 00000000 00000000 00000001 00000000
 *
 * is a struct sockaddr_in6 on x86, and becomes "[2001:db8::1]:445".
 */
#ifndef SDTKIT_ARG_ADDRESS_H
#define SDTKIT_ARG_ADDRESS_H

#include <sdtkit/arg-declare.h>

SDTKIT_ARG_BEGIN

/*
 * A socket address: "192.0.2.7:445", "[2001:db8::1]:445", "[fe80::1%2]:445"
 * with the number of its scope, "/run/a.sock", "@abstract", "(unnamed)" for a
 * UNIX socket without a name, "family 17" for an address of another family.
 *
 * length is what accept() and getpeername() return, so that an abstract name
 * may hold zero bytes. If no length is given, the family decides: a UNIX
 * address must then be in a struct sockaddr_un or sockaddr_storage, and zero
 * bytes at the end of an abstract name do not count.
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

SDTKIT_ARG_END

#ifdef SDTKIT_ARG_DEFINES
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

SDTKIT_ARG_C
#include <sdtkit/arg-text.h>

SDTKIT_ARG_LOCAL uint32_t sdtkit_big16(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* The family and the scope are stored in the byte order of the machine. */
SDTKIT_ARG_LOCAL unsigned int sdtkit_family(const unsigned char *p)
{
	sa_family_t family;

	__builtin_memcpy(&family, p + offsetof(struct sockaddr, sa_family),
			 sizeof(family));
	return family;
}

SDTKIT_ARG_LOCAL uint32_t sdtkit_scope(const unsigned char *p)
{
	uint32_t scope;

	__builtin_memcpy(&scope, p + offsetof(struct sockaddr_in6,
					      sin6_scope_id), sizeof(scope));
	return scope;
}

SDTKIT_ARG_LOCAL void sdtkit_out_ipv4(struct sdtkit_out *out,
				      const unsigned char *ip)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			sdtkit_out_char(out, '.');
		sdtkit_out_decimal(out, ip[i]);
	}
}

/*
 * Finds the longest run of zero words (the first one of equal length); returns
 * its length.
 */
SDTKIT_ARG_LOCAL int sdtkit_ipv6_zeros(const unsigned char *ip, int *start)
{
	int i, run = 0, longest = 0;

	for (i = 0; i < 8; i++) {
		run = sdtkit_big16(ip + 2 * i) ? 0 : run + 1;
		if (run > longest) {
			longest = run;
			*start = i + 1 - run;
		}
	}
	return longest;
}

SDTKIT_ARG_LOCAL void sdtkit_out_word(struct sdtkit_out *out, uint32_t word)
{
	int digits = 1;

	while (word >> (4 * digits))
		digits++;
	sdtkit_out_hex(out, word, digits);
}

SDTKIT_ARG_LOCAL void sdtkit_out_ipv6(struct sdtkit_out *out,
				      const unsigned char *ip)
{
	int start = 0, i, zeros = sdtkit_ipv6_zeros(ip, &start), words = 8;

	/* ::ffff:1.2.3.4, and ::1.2.3.4, which is deprecated */
	if (start == 0 && (zeros == 6 || (zeros == 5 &&
					  sdtkit_big16(ip + 10) == 0xffff)))
		words = 6;
	for (i = 0; i < words; i++) {
		if (zeros > 1 && i == start) {
			sdtkit_out_put(out, "::", 2);
			i += zeros - 1;
			continue;
		}
		if (i && !(zeros > 1 && i == start + zeros))
			sdtkit_out_char(out, ':');
		sdtkit_out_word(out, sdtkit_big16(ip + 2 * i));
	}
	if (words == 6) {
		if (zeros == 5)
			sdtkit_out_char(out, ':');
		sdtkit_out_ipv4(out, ip + 12);
	}
}

SDTKIT_ARG_LOCAL void sdtkit_out_port(struct sdtkit_out *out,
				      const unsigned char *port)
{
	sdtkit_out_char(out, ':');
	sdtkit_out_decimal(out, sdtkit_big16(port));
}

SDTKIT_ARG_LOCAL void sdtkit_write_in6(struct sdtkit_out *out,
				       const unsigned char *p)
{
	uint32_t scope = sdtkit_scope(p);

	sdtkit_out_char(out, '[');
	sdtkit_out_ipv6(out, p + offsetof(struct sockaddr_in6, sin6_addr));
	if (scope) {
		sdtkit_out_char(out, '%');
		sdtkit_out_decimal(out, scope);
	}
	sdtkit_out_char(out, ']');
	sdtkit_out_port(out, p + offsetof(struct sockaddr_in6, sin6_port));
}

/* path is the part of the address behind the family; it has length bytes. */
SDTKIT_ARG_LOCAL void sdtkit_write_un(struct sdtkit_out *out,
				      const unsigned char *path, size_t length)
{
	size_t i;

	if (length == 0) {
		sdtkit_out_string(out, "(unnamed)");
	} else if (*path == '\0') {
		sdtkit_out_char(out, '@');
		sdtkit_write_counted(out, path + 1, length - 1);
	} else {
		for (i = 0; i < length && path[i]; i++)
			SDTKIT_ARG_OPAQUE(i);
		sdtkit_write_counted(out, path, i);
	}
}

SDTKIT_ARG_LOCAL void sdtkit_write_sockaddr_len(struct sdtkit_out *out,
						const void *address,
						size_t length)
{
	const size_t path = offsetof(struct sockaddr_un, sun_path);
	const unsigned char *p = (const unsigned char *)address;
	unsigned int family;

	if (p == NULL || length < path)
		return;
	family = sdtkit_family(p);
	if (family == AF_INET && length >= sizeof(struct sockaddr_in)) {
		sdtkit_out_ipv4(out, p + offsetof(struct sockaddr_in,
						  sin_addr));
		sdtkit_out_port(out, p + offsetof(struct sockaddr_in,
						  sin_port));
	} else if (family == AF_INET6 &&
		   length >= sizeof(struct sockaddr_in6)) {
		sdtkit_write_in6(out, p);
	} else if (family == AF_UNIX) {
		sdtkit_write_un(out, p + path, length - path);
	} else {
		sdtkit_out_string(out, "family ");
		sdtkit_out_decimal(out, family);
	}
}

/* Returns the length of an address, which its family decides. */
SDTKIT_ARG_LOCAL size_t sdtkit_sockaddr_length(const unsigned char *p)
{
	size_t length = sizeof(struct sockaddr_un);

	switch (sdtkit_family(p)) {
	case AF_INET:
		return sizeof(struct sockaddr_in);
	case AF_INET6:
		return sizeof(struct sockaddr_in6);
	case AF_UNIX:
		while (length > offsetof(struct sockaddr_un, sun_path) &&
		       p[length - 1] == 0) {
			length--;
		}
		return length;
	default:
		return offsetof(struct sockaddr_un, sun_path);
	}
}

SDTKIT_ARG_LOCAL void sdtkit_write_sockaddr(struct sdtkit_out *out,
					    const void *address)
{
	const unsigned char *p = (const unsigned char *)address;

	if (p)
		sdtkit_write_sockaddr_len(out, p, sdtkit_sockaddr_length(p));
}

SDTKIT_ARG_DEFINE_TEXT(sockaddr, sdtkit_write_sockaddr,
		       (const void *address), (address),
		       (SDTKIT_ARG_POINTER(in.first)))
SDTKIT_ARG_DEFINE_TEXT(sockaddr_len, sdtkit_write_sockaddr_len,
		       (const void *address, size_t length), (address, length),
		       (SDTKIT_ARG_POINTER(in.first), in.second))

SDTKIT_ARG_C_END
#endif

#endif /* SDTKIT_ARG_ADDRESS_H */
