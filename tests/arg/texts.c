/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * texts.c - prints texts that must be the same on all machines but could depend
 * on the byte order, the word size or the sign of char. test_library.py
 * compares machines.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <sdtkit/arg.h>

int main(void)
{
	static const struct sdtkit_flag high[] = {
		{ 1ULL << 63, "HIGH" }, { 0, NULL },
	};
	static const char bytes[] = "\1\2\0\0\0\0\0\5\x20\0\0\0\xff\xff\xff\xfe";
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	memset(&in, 0, sizeof(in));
	in.sin_family = AF_INET;
	in.sin_port = htons(445);
	in.sin_addr.s_addr = htonl(0xc0000207);
	memset(&in6, 0, sizeof(in6));
	in6.sin6_family = AF_INET6;
	in6.sin6_port = htons(445);
	in6.sin6_addr.s6_addr[0] = 0xfe;
	in6.sin6_addr.s6_addr[15] = 1;
	in6.sin6_scope_id = 0x01020304;
	puts(sdtkit_arg_sockaddr(&in));
	puts(sdtkit_arg_sockaddr(&in6));
	puts(sdtkit_arg_guid(bytes));
	puts(sdtkit_arg_uuid(bytes));
	puts(sdtkit_arg_sid(bytes, 16));
	puts(sdtkit_arg_counted("\xc3\xbc\xff\x80z", 5));
	puts(sdtkit_arg_utf16("\xfc\0\x3d\xd8\0\xde\0\xd8", 8));
	puts(sdtkit_arg_hex(bytes, 16));
	puts(sdtkit_arg_ntstatus(0xc0000022));
	puts(sdtkit_arg_errno(2));
	puts(sdtkit_arg_flags((1ULL << 63) + (1ULL << 40), high));
	printf("%lld %lld %lld\n", (long long)sdtkit_arg_milli(-1e12),
	       (long long)sdtkit_arg_micro(1e300),
	       (long long)sdtkit_arg_nttime(133444736000000001));
	return EXIT_SUCCESS;
}
