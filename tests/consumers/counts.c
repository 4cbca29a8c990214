/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes without arguments, and with more than six; the other files have the
 * rest.
 */
#include "form.h"

static NOINLINE void counts(int a, int b, int c, int d, int e, int f, int g,
			    int h, int i, int j, int k)
{
#ifdef FORM_SYS_SDT
	if (FORM_ARGS0_ENABLED())
		FORM_ARGS0();
#else
	FORM_ARGS0();
#endif
	FIRE(ARGS7, a, b, c, d, e, f, g);
	FIRE(ARGS8, a, b, c, d, e, f, g, h);
	FIRE(ARGS9, a, b, c, d, e, f, g, h, i);
	FIRE(ARGS10, a, b, c, d, e, f, g, h, i, j);
	FIRE(ARGS11, a, b, c, d, e, f, g, h, i, j, k);
}

static NOINLINE void twelve(const struct form_values *values, char *text)
{
	form_told_text("args12", 11, text);
	FIRE(ARGS12, values->i8, values->i16, values->i32, -4, values->u8,
	     values->u16, (uint32_t)values->i32, values->u64, 'A', true,
	     sizeof(values->u64), text);
}

/* Arguments that do not fit into registers are passed on the stack. */
static NOINLINE void one_site(const struct form_values *values, char *text)
{
	form_told_text("one_site", 4, text);
	for (int i = 0; i < 2; i++) {
		FIRE(ONE_SITE, values->i8, values->u16, values->i32,
		     values->u64, text, true, -7, UINT32_MAX);
		FIRE(ONE_SITE, values->i8, values->u16, values->i32,
		     values->u64, text, true, (int8_t)any(-7),
		     (uint32_t)any(UINT32_MAX));
	}
}

void form_counts(void)
{
	static char text[] = "twelfth";
	struct form_values values;

	form_fill(&values);
	counts((int)any(-1), -2, (int)any(-3), -4, 5, 6, (int)any(-7), 8,
	       (int)any(-9), 10, (int)any(-11));
	twelve(&values, text);
	one_site(&values, text);
}
