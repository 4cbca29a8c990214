/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules for a probe of a file and its sites, whether or not the
 * probe is declared anywhere.
 */
#ifndef SDTKIT_TOOL_CHECK_SITE_H
#define SDTKIT_TOOL_CHECK_SITE_H

struct check;
struct group;

void check_names(struct check *check, const struct group *group);
void check_semaphores(struct check *check, const struct group *group);
void check_sites(struct check *check, const struct group *group);
void check_operands(struct check *check, const struct group *group);

#endif /* SDTKIT_TOOL_CHECK_SITE_H */
