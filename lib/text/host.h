/* SPDX-License-Identifier: BSD-2-Clause */
/* The host of an address with a port. */
#ifndef SDTKIT_TEXT_HOST_H
#define SDTKIT_TEXT_HOST_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/*
 * Leaves the host of an address: of 192.0.2.7:445, [fe80::1]:445, or
 * ipv4:192.0.2.7:445. One of IPv4 that is mapped into IPv6 becomes that of IPv4.
 */
static inline void sdtkit_cut_to_host(char *text)
{
	bool has_kind = strncmp(text, "ipv4:", 5) == 0 ||
			strncmp(text, "ipv6:", 5) == 0;
	char *host = text + (has_kind ? 5 : 0);
	char *end = strchr(host, ']');
	char *port = strrchr(host, ':');

	if (host[0] == '[' && end != NULL)
		host++;
	else if (port != NULL && port[1 + strspn(port + 1, "0123456789")] ==
		 '\0' && (has_kind || strchr(host, ':') == port ||
			  strchr(host, '.') != NULL))
		end = port;
	else
		end = host + strlen(host);
	*end = '\0';
	if (strncasecmp(host, "::ffff:", 7) == 0 && strchr(host, '.') != NULL)
		host += 7;
	memmove(text, host, strlen(host) + 1);
}

#endif /* SDTKIT_TEXT_HOST_H */
