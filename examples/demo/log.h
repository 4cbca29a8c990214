/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * log.h - one line per event on standard error.
 *
 *	demo-server[4711]: ipv4:127.0.0.1:51934: dropped: no SMB2 header
 *
 * Each line is one write, so lines of several processes do not mix.
 */
#ifndef DEMO_LOG_H
#define DEMO_LOG_H

__attribute__((format(printf, 1, 2))) void log_line(const char *format, ...);

#endif /* DEMO_LOG_H */
