/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages and schemas of the documentation, as messages and help name them. */
#ifndef SDTKIT_TOOL_DOCS_H
#define SDTKIT_TOOL_DOCS_H

/*
 * The text with each "docs/NAME" in it replaced by the path at which NAME was
 * installed together with this program. From a build directory nothing was
 * installed, and the names stay: they are those of the source tree. Valid until
 * the next call.
 */
const char *docs_named(const char *text);

#endif /* SDTKIT_TOOL_DOCS_H */
