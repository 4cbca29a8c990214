/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-declare.h - how the functions of sdtkit/arg.h are declared.
 *
 * Each of the files arg-address.h, arg-bytes.h, arg-clock.h, arg-id.h,
 * arg-name.h and arg-status.h declares some of them, and then defines them for
 * libsdtkit (SDTKIT_ARG_LIBRARY) or for a file that has SDTKIT_ARG_INLINE. A
 * standalone header contains those of these files that it needs.
 */
#ifndef SDTKIT_ARG_DECLARE_H
#define SDTKIT_ARG_DECLARE_H

#include <stddef.h>
#include <stdint.h>

#include <sdtkit/probe.h>
#include <sdtkit/arg-call.h>
#include <sdtkit/arg-value.h>

#if defined(SDTKIT_ARG_INLINE) || defined(SDTKIT_ARG_LIBRARY)
#define SDTKIT_ARG_DEFINES
#endif

/*
 * SDTKIT_ARG_BEGIN makes declarations C in C++, too; SDTKIT_ARG_C silences
 * warnings for the definitions, whose casts and null pointers are those of C.
 */
#ifdef __cplusplus
#define SDTKIT_ARG_BEGIN	extern "C" {
#define SDTKIT_ARG_END		}
#define SDTKIT_ARG_C							\
	_Pragma("GCC diagnostic push")					\
	_Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")		\
	_Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"")
#define SDTKIT_ARG_C_END	_Pragma("GCC diagnostic pop")
#else
#define SDTKIT_ARG_BEGIN
#define SDTKIT_ARG_END
#define SDTKIT_ARG_C
#define SDTKIT_ARG_C_END
#endif

/* bpftrace reads 200 bytes; SystemTap is often told to read 256. */
#define SDTKIT_ARG_TEXT_SIZE 256

struct sdtkit_text {
	char text[SDTKIT_ARG_TEXT_SIZE];
};

/*
 * Declares sdtkit_arg_NAME_to(to, size, inputs), which writes at most size
 * bytes with the final zero and returns to. An input that is NULL makes the
 * text "". It does not return a struct, whose address would be in rax on
 * x86-64: clang expects rax to be preserved, gcc does not.
 *
 * sdtkit_arg_NAME_here() returns the text; it is for arguments that a program
 * marshals itself. On x86-64 the compiler sees no call (arg-call.h): the
 * address of the text and the inputs, two words, are pushed for
 * sdtkit_arg_NAME_pushed(), so that a function which calls nothing else saves
 * no register.
 */
#define SDTKIT_ARG_TEXT(name, params, inputs, first, second)		\
	SDTKIT_ARG_DECLARE const char *sdtkit_arg_##name##_to(		\
		char *to, size_t size, SDTKIT_ARG_LIST params)		\
		SDTKIT_ARG_SYMBOL(sdtkit_arg_##name##_to);		\
	SDTKIT_ARG_HERE(sdtkit_arg_##name##_here,			\
			sdtkit_arg_##name##_pushed,			\
			sdtkit_arg_##name##_to, params, inputs, first, second)
#define SDTKIT_ARG_LIST(...)	__VA_ARGS__
#ifdef SDTKIT_OUT_PUSHED
struct sdtkit_pushed {
	SDTKIT_ARG_WORD char *to;
	SDTKIT_ARG_WORD uintptr_t first;
	SDTKIT_ARG_WORD uintptr_t second;
	SDTKIT_OUT_PAD
};
#define SDTKIT_ARG_HERE(here, pushed, write_to, params, inputs, first,	\
			second)						\
	SDTKIT_ARG_DECLARE void pushed(struct sdtkit_pushed in)		\
		SDTKIT_ARG_SYMBOL(pushed);				\
	SDTKIT_OUT_INLINE struct sdtkit_text here params		\
	{								\
		struct sdtkit_text sdtkit_text;				\
									\
		SDTKIT_OUT_CALL(3, pushed, sdtkit_pushed,		\
				SDTKIT_OUT_P(sdtkit_text.text),		\
				first, second)				\
		return sdtkit_text;					\
	}
#else
#define SDTKIT_ARG_HERE(here, pushed, write_to, params, inputs, first,	\
			second)						\
	SDTKIT_OUT_INLINE struct sdtkit_text here params		\
	{								\
		struct sdtkit_text sdtkit_text;				\
									\
		write_to(sdtkit_text.text, sizeof(sdtkit_text.text),	\
			 SDTKIT_ARG_LIST inputs);			\
		return sdtkit_text;					\
	}
#endif

#endif /* SDTKIT_ARG_DECLARE_H */
