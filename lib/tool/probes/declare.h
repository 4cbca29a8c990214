/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and names of arguments and members, written as C declares them. */
#ifndef SDTKIT_TOOL_DECLARE_H
#define SDTKIT_TOOL_DECLARE_H

/*
 * Returns the declaration, to be freed: "uint64_t mid", "char *user", "int
 * id[4]", "void (*then)(int)". Without a name, it is the type alone.
 */
char *declare(const char *type, const char *name);

#endif /* SDTKIT_TOOL_DECLARE_H */
