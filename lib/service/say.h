/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages of the service. In the journal each line has a priority, <4> for a
 * warning; elsewhere it is a line on the standard error as always. What warn(3)
 * prints is a warning.
 */
#ifndef SERVICE_SAY_H
#define SERVICE_SAY_H

/* From now on; also opens /dev/null for standard streams that are closed. */
void say_begin(void);

/* Prints what is not a warning. */
__attribute__((format(printf, 1, 2)))
void say(const char *format, ...);

#endif /* SERVICE_SAY_H */
