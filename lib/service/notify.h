/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells systemd how the service is: sd_notify(3), without its library. */
#ifndef SERVICE_NOTIFY_H
#define SERVICE_NOTIFY_H

/* Reads the environment: before the privileges are dropped. */
void notify_begin(void);

/* Sends "READY=1" and the like; does nothing if nobody wants to know. */
__attribute__((format(printf, 1, 2)))
void notify(const char *format, ...);

/* Says that the service is alive, if it is time. */
void notify_alive(unsigned long long now);

#endif /* SERVICE_NOTIFY_H */
