/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Socket addresses: how inet_pton() reads them, and the text that they become.
 * To add a case, add a row.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "arg_check.h"

enum { PATH = offsetof(struct sockaddr_un, sun_path) };

static const struct {
	const char *address;
	uint16_t port;
	uint32_t scope;
	const char *text;
} ip[] = {
	{ "0.0.0.0", 0, 0, "0.0.0.0:0" },
	{ "192.0.2.7", 445, 0, "192.0.2.7:445" },
	{ "255.255.255.255", 65535, 0, "255.255.255.255:65535" },
	{ "::", 0, 0, "[::]:0" },
	{ "::1", 139, 0, "[::1]:139" },
	{ "1::", 1, 0, "[1::]:1" },
	{ "2001:db8::1", 445, 0, "[2001:db8::1]:445" },
	{ "fe80::1", 445, 2, "[fe80::1%2]:445" },
	{ "fe80::1", 445, UINT32_MAX, "[fe80::1%4294967295]:445" },
	/* RFC 5952: the first longest run of zeros, but not of one word */
	{ "2001:db8:0:1:1:1:1:1", 1, 0, "[2001:db8:0:1:1:1:1:1]:1" },
	{ "2001:0:0:1:0:0:0:1", 1, 0, "[2001:0:0:1::1]:1" },
	{ "2001:db8:0:0:1:0:0:1", 1, 0, "[2001:db8::1:0:0:1]:1" },
	{ "1:2:3:4:5:6:0:0", 1, 0, "[1:2:3:4:5:6::]:1" },
	{ "0:0:3:4:5:6:7:8", 1, 0, "[::3:4:5:6:7:8]:1" },
	{ "1111:2222:3333:4444:5555:6666:7777:8888", 65535, UINT32_MAX,
	  "[1111:2222:3333:4444:5555:6666:7777:8888%4294967295]:65535" },
	/* with an IPv4 address in it */
	{ "::ffff:192.0.2.7", 445, 0, "[::ffff:192.0.2.7]:445" },
	{ "::192.0.2.7", 445, 0, "[::192.0.2.7]:445" },
	{ "::fffe:192.0.2.7", 445, 0, "[::fffe:c000:207]:445" },
};

static const struct arg_row paths[] = {
	{ BYTES(""), "(unnamed)" },
	{ BYTES("/run/a.sock"), "/run/a.sock" },
	{ BYTES("/run/a.sock\0junk"), "/run/a.sock" },
	{ BYTES("a"), "a" },
	{ BYTES("\0"), "@" },
	{ BYTES("\0name"), "@name" },
	{ BYTES("\0a\0b\0"), "@a\\x00b\\x00" },
	{ BYTES("\xc3\xbc\xff"), "\xc3\xbc\\xff" },
};

/*
 * Addresses that are shorter than the struct of their family, or of no known
 * family.
 */
static const struct {
	sa_family_t family;
	size_t length;
	const char *text;
} others[] = {
	{ AF_INET, 0, "" },
	{ AF_INET, PATH - 1, "" },
	{ AF_INET, PATH, "family 2" },
	{ AF_INET, sizeof(struct sockaddr_in) - 1, "family 2" },
	{ AF_INET6, sizeof(struct sockaddr_in6) - 1, "family 10" },
	{ AF_PACKET, 20, "family 17" },
	{ AF_UNSPEC, 16, "family 0" },
	{ 65535, 2, "family 65535" },
};

static const char *without_length(char *to, size_t size, const void *input,
				  size_t length)
{
	return sdtkit_arg_sockaddr_to(to, size, input);
}

/* Fills *to and returns the length of the address. */
static size_t make_ip(struct sockaddr_storage *to, const char *address,
		      uint16_t port, uint32_t scope)
{
	struct sockaddr_in6 in6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(port),
		.sin6_scope_id = scope,
	};
	struct sockaddr_in in = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
	};

	if (inet_pton(AF_INET, address, &in.sin_addr) == 1) {
		memcpy(to, &in, sizeof(in));
		return sizeof(in);
	}
	assert_int_equal(inet_pton(AF_INET6, address, &in6.sin6_addr), 1);
	memcpy(to, &in6, sizeof(in6));
	return sizeof(in6);
}

TEST(test_address__ip)
{
	struct sockaddr_storage address;
	struct arg_row row = { (char *)&address, 0, NULL };
	size_t i;

	for (i = 0; i < ROWS(ip); i++) {
		row.length = make_ip(&address, ip[i].address, ip[i].port,
				     ip[i].scope);
		row.text = ip[i].text;
		arg_check_data(sdtkit_arg_sockaddr_len_to, &row);
		arg_check_data(without_length, &row);
	}
	arg_check(sdtkit_arg_sockaddr_len_to, NULL, 28, "");
	arg_check(without_length, NULL, 0, "");
}

TEST(test_address__unix)
{
	char bytes[sizeof(struct sockaddr_un)];
	const sa_family_t family = AF_UNIX;
	struct arg_row row = { bytes, 0, NULL };
	size_t i;

	memcpy(bytes, &family, sizeof(family));
	for (i = 0; i < ROWS(paths); i++) {
		memcpy(bytes + PATH, paths[i].data, paths[i].length);
		row.length = PATH + paths[i].length;
		row.text = paths[i].text;
		arg_check_data(sdtkit_arg_sockaddr_len_to, &row);
	}
}

/* Without a length, the whole struct is read, less the zeros at its end. */
TEST(test_address__unix_without_length)
{
	struct sockaddr_un *un = malloc(sizeof(*un));
	char path[sizeof(un->sun_path) + 1] = "";

	memset(un, 0, sizeof(*un));
	un->sun_family = AF_UNIX;
	arg_check(without_length, un, 0, "(unnamed)");
	memcpy(un->sun_path, "\0a\0b", 4);
	arg_check(without_length, un, 0, "@a\\x00b");
	strcpy(un->sun_path, "/run/a.sock");
	arg_check(without_length, un, 0, "/run/a.sock");
	/* the kernel accepts a path that fills it, without a zero */
	memset(path, 'p', sizeof(un->sun_path));
	memset(un->sun_path, 'p', sizeof(un->sun_path));
	arg_check(without_length, un, 0, path);
	free(un);
}

TEST(test_address__other_families)
{
	char bytes[64] = "";
	struct arg_row row = { bytes, 0, NULL };
	size_t i;

	for (i = 0; i < ROWS(others); i++) {
		memcpy(bytes, &others[i].family, sizeof(sa_family_t));
		row.length = others[i].length;
		row.text = others[i].text;
		arg_check_data(sdtkit_arg_sockaddr_len_to, &row);
	}
}

/*
 * IPv6 addresses whose words are 0, 1 or ffff at random, so that there are all
 * kinds of runs of zeros.
 */
TEST(test_address__as_inet_ntop)
{
	static const uint16_t words[] = { 0, 0, 0, 1, 0xffff, 0xab };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	char text[INET6_ADDRSTRLEN], expected[INET6_ADDRSTRLEN + 8];
	uint32_t random = 1;
	int i, j;

	for (i = 0; i < 20000; i++) {
		for (j = 0; j < 8; j++) {
			uint16_t word;

			random = random * 1103515245 + 12345;
			word = htons(words[(random >> 16) % ROWS(words)]);
			memcpy(in6.sin6_addr.s6_addr + 2 * j, &word, 2);
		}
		inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof(text));
		snprintf(expected, sizeof(expected), "[%s]:0", text);
		assert_string_equal(sdtkit_arg_sockaddr(&in6), expected);
	}
}

TEST(test_address__types)
{
	struct sockaddr_storage storage;
	struct sockaddr_in in = { .sin_family = AF_INET };
	const struct sockaddr_un un = { .sun_family = AF_UNIX };

	make_ip(&storage, "::1", 445, 0);
	assert_string_equal(sdtkit_arg_sockaddr(&storage), "[::1]:445");
	assert_string_equal(sdtkit_arg_sockaddr((struct sockaddr *)&storage),
			    "[::1]:445");
	assert_string_equal(sdtkit_arg_sockaddr(&in), "0.0.0.0:0");
	assert_string_equal(sdtkit_arg_sockaddr_len(&un, PATH), "(unnamed)");
	assert_string_equal(sdtkit_arg_sockaddr(NULL), "");
}
