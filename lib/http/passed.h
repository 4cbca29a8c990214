/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The socket that systemd has opened for the service, which then needs no right
 * to open one: sd_listen_fds(3), without its library.
 */
#ifndef HTTP_PASSED_H
#define HTTP_PASSED_H

/*
 * Returns its address, as --listen would have it, or NULL if there is none. The
 * first call reads the environment, and exits with a message if what was passed
 * is anything else than one listening stream socket.
 */
const char *passed_address(void);

/* Returns a new descriptor of it. Call passed_address() first. */
int passed_open(void);

/* For a process that does not serve. */
void passed_close(void);

#endif /* HTTP_PASSED_H */
