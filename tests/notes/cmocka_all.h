/* SPDX-License-Identifier: BSD-2-Clause */
/* cmocka.h with the headers that it needs in front of it. */
#ifndef SDTKIT_TESTS_NOTES_CMOCKA_ALL_H
#define SDTKIT_TESTS_NOTES_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

#endif /* SDTKIT_TESTS_NOTES_CMOCKA_ALL_H */
