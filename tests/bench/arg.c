/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arg.c - nanoseconds per call of each marshaller, and of what libc has for
 * the same input, in turn. Prints "NAME NS [OTHER NS]" lines for arg.py.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <sdtkit/arg.h>

enum { CALLS = 5000, ROUNDS = 61 };

static char to[SDTKIT_ARG_TEXT_SIZE];
static struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
static struct sockaddr_in in = { .sin_family = AF_INET };
static char ascii[64], utf16[128], mixed[128];
static const char bytes[32] = "\1\4\0\0\0\0\0\5\x15\0\0\0abcdefghijklmnop";
static const struct sdtkit_flag table[] = {
	{ 1, "READ" }, { 2, "WRITE" }, { 4, "EXECUTE" }, { 0, NULL },
};
static iconv_t converter;

static void v4(void) { sdtkit_arg_sockaddr_to(to, sizeof(to), &in); }
static void v6(void) { sdtkit_arg_sockaddr_to(to, sizeof(to), &in6); }
static void counted(void) { sdtkit_arg_counted_to(to, sizeof(to), ascii, 64); }
static void hex(void) { sdtkit_arg_hex_to(to, sizeof(to), bytes, 32); }
static void guid(void) { sdtkit_arg_guid_to(to, sizeof(to), bytes); }
static void sid(void) { sdtkit_arg_sid_to(to, sizeof(to), bytes, 28); }
static void wide(void) { sdtkit_arg_utf16_to(to, sizeof(to), utf16, 128); }
static void wider(void) { sdtkit_arg_utf16_to(to, sizeof(to), mixed, 128); }
static void status(void) { sdtkit_arg_ntstatus_to(to, sizeof(to), 0xc0000022); }
static void error(void) { sdtkit_arg_errno_to(to, sizeof(to), 110); }
static void flags(void) { sdtkit_arg_flags_to(to, sizeof(to), 0x15, table); }
static void clock_read(void) { sdtkit_arg_monotonic(); }

static void ntop4(void) { inet_ntop(AF_INET, &in.sin_addr, to, sizeof(to)); }
static void ntop6(void)
{
	inet_ntop(AF_INET6, &in6.sin6_addr, to, sizeof(to));
}

static void convert(char *from)
{
	size_t left = 128, out_left = sizeof(to);
	char *out = to;

	if (iconv(converter, &from, &left, &out, &out_left) == (size_t)-1)
		abort();
}

static void iconv_ascii(void) { convert(utf16); }
static void iconv_mixed(void) { convert(mixed); }

static const struct {
	const char *name;
	void (*ours)(void);
	const char *other;
	void (*theirs)(void);
} cases[] = {
	{ "sockaddr-ipv4", v4, "inet_ntop", ntop4 },
	{ "sockaddr-ipv6", v6, "inet_ntop", ntop6 },
	{ "utf16-64-ascii", wide, "iconv", iconv_ascii },
	{ "utf16-64-mixed", wider, "iconv", iconv_mixed },
	{ "counted-64", counted, NULL, NULL },
	{ "hex-32", hex, NULL, NULL },
	{ "guid", guid, NULL, NULL },
	{ "sid-5", sid, NULL, NULL },
	{ "ntstatus", status, NULL, NULL },
	{ "errno", error, NULL, NULL },
	{ "flags", flags, NULL, NULL },
	{ "monotonic", clock_read, NULL, NULL },
};

static double once(void (*call)(void))
{
	uint64_t start = sdtkit_arg_monotonic();
	int i;

	for (i = 0; i < CALLS; i++) {
		call();
		__asm__ __volatile__("" : : "r" (to) : "memory");
	}
	return (double)(sdtkit_arg_monotonic() - start) / CALLS;
}

/*
 * Returns the time of the shortest round, because other load only makes a round
 * longer.
 */
static double least(const double *rounds)
{
	double found = rounds[0];
	int i;

	for (i = 1; i < ROUNDS; i++)
		found = rounds[i] < found ? rounds[i] : found;
	return found;
}

int main(void)
{
	double ours[ROUNDS], theirs[ROUNDS];
	size_t i;
	int j;

	converter = iconv_open("UTF-8", "UTF-16LE");
	inet_pton(AF_INET6, "2001:db8:12:3456::789a", &in6.sin6_addr);
	inet_pton(AF_INET, "192.168.100.217", &in.sin_addr);
	memset(ascii, 'a', sizeof(ascii));
	for (i = 0; i < 64; i++) {
		utf16[2 * i] = (char)('a' + i % 26);
		mixed[2 * i] = (char)('a' + i % 26);
		/* Cyrillic, Chinese and two Latin letters in turn */
		mixed[2 * i + 1] = "\x04\x4e\0"[i % 4];
	}
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (j = 0; j < ROUNDS; j++) {
			ours[j] = once(cases[i].ours);
			theirs[j] = cases[i].theirs ? once(cases[i].theirs) : 0;
		}
		printf("%s %.1f", cases[i].name, least(ours));
		if (cases[i].theirs)
			printf(" %s %.1f", cases[i].other, least(theirs));
		printf("\n");
	}
	return EXIT_SUCCESS;
}
