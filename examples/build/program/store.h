/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a line; returns 0 or an error number. */
int store_write(const char *text);
