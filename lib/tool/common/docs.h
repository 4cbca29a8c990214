/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of pages and schemas of the documentation, in messages and help texts.
 */
#ifndef SDTKIT_TOOL_DOCS_H
#define SDTKIT_TOOL_DOCS_H

/*
 * Returns the text with each "docs/NAME" replaced by the path at which NAME was
 * installed together with this program. In a build directory, the names stay,
 * since they are those of the source tree. Valid until the next call.
 */
const char *docs_named(const char *text);

#endif /* SDTKIT_TOOL_DOCS_H */
