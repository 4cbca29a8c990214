/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the program of argument forms share.
 *
 * Each probe of form.d is fired once, by a function that is not inlined. Unless
 * the form is that of a constant, the compiler must not know the values
 * beforehand. expect.py has the values; the program writes those that are
 * addresses, which change from run to run, to a file.
 *
 * The probes are those of probegen's header, or with FORM_SYS_SDT those of the
 * header that systemtap's dtrace makes, with a guard by hand as its manual
 * recommends.
 */
#ifndef FORM_H
#define FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum form_colour { FORM_DARK = -7, FORM_BRIGHT = 70000 };

#include "form_probes.h"

#ifdef FORM_SYS_SDT
#define FIRE(probe, ...)						\
	do {								\
		if (FORM_##probe##_ENABLED())				\
			FORM_##probe(__VA_ARGS__);			\
	} while (0)
#else
#define FIRE(probe, ...)	FORM_##probe(__VA_ARGS__)
#endif

#define NOINLINE	__attribute__((noinline))
#ifdef __cplusplus
#define THREAD		thread_local
#else
#define THREAD		_Thread_local
#endif

/* One value of each width; most forms of integers use these six. */
struct form_values {
	int8_t i8;
	int16_t i16;
	int32_t i32;
	uint8_t u8;
	uint16_t u16;
	uint64_t u64;
};

/* Always 0, but the compiler cannot know that. */
extern volatile long form_zero;
extern int8_t form_global;
extern THREAD struct form_values form_thread;
extern const int32_t form_const;

static inline int64_t any(int64_t value)
{
	return value + form_zero;
}

static inline double any_double(double value)
{
	return value + (double)form_zero;
}

/* Sets the six values to those of expect.SIX. */
void form_fill(struct form_values *values);

/*
 * Writes to the report which address argument number index of the probe will
 * be. The _text form also reads a byte there, because tracers cannot read pages
 * that were never touched.
 */
void form_told(const char *probe, int index, const volatile void *address);
void form_told_text(const char *probe, int index, const char *text);

void form_integers(void);
void form_pointers(void);
void form_functions(void);
void form_counts(void);
void form_classes(void);

#endif /* FORM_H */
