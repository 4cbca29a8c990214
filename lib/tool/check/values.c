/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: compares the names of values, as the file describes them, with
 * their declaration.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "check/check.h"
#include "check/values.h"
#include "probes/names.h"

/*
 * A name in several ways in one program is not known.  A declaration without
 * names may be a manifest of a probegen that did not know them.
 */
static bool are_comparable(struct check *check, const struct subject *subject,
			   const char *name,
			   const struct sdtkit_enum *declared,
			   const struct sdtkit_enum *described)
{
	if (declared == NULL)
		return false;
	if (described != NULL)
		return true;
	findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS, subject,
		     "the values of '%s' are declared with the names of 'enum "
		     "%s', which are described in several ways or not at all",
		     name, declared->name);
	return false;
}

/* Only the first difference is reported: an enum may have many. */
void check_values(struct check *check, const struct subject *subject,
		  const char *name, const struct sdtkit_enum *declared,
		  const struct sdtkit_enum *described)
{
	const struct sdtkit_enumerator *is, *was;
	size_t i;

	if (!are_comparable(check, subject, name, declared, described))
		return;
	for (i = 0; i < declared->enumerator_count; i++) {
		was = &declared->enumerators[i];
		is = names_find(described, was->name);
		if (is != NULL && is->value == was->value)
			continue;
		if (is != NULL)
			findings_add(&check->findings,
				     RULE_DESCRIPTION_DIFFERS, subject,
				     "'%s' of 'enum %s' is described as %"
				     PRId64 ", declared as %" PRId64,
				     was->name, declared->name, is->value,
				     was->value);
		else
			findings_add(&check->findings,
				     RULE_DESCRIPTION_DIFFERS, subject,
				     "'%s' of 'enum %s' is declared, but not "
				     "described", was->name, declared->name);
		return;
	}
	for (i = 0; i < described->enumerator_count; i++) {
		is = &described->enumerators[i];
		if (names_find(declared, is->name) != NULL)
			continue;
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     subject, "'%s' of 'enum %s' is described, but "
			     "not declared", is->name, described->name);
		return;
	}
}
