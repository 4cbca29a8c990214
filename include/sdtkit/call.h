/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/call.h - how a probe takes its arguments.
 *
 * For `probe request_start(uint64_t mid, char *who);` a generated header has
 *
 *	SDTKIT_PROBE(smb2, request_start,
 *		SDTKIT_NUMBER(uint64_t), sdtkit_string)
 *	#define SMB2_REQUEST_START(...)					\
 *		SDTKIT_BEGIN(SMB2_REQUEST_START_ENABLED(),		\
 *			sdtkit_smb2_request_start, (__VA_ARGS__),	\
 *			(uint64_t, const char *),			\
 *			uint64_t sdtkit_mid;				\
 *			const char *sdtkit_who;)			\
 *		SDTKIT_FIRE(... sdtkit_in.sdtkit_mid ...)		\
 *		SDTKIT_END
 *
 * and SMB2_REQUEST_START(mid, who) executes, while the probe is on,
 *
 *	({
 *		const struct { uint64_t sdtkit_mid; ... } sdtkit_in =
 *			{ mid, who };
 *
 *		SDTKIT_FIRE(...);
 *	})
 *
 * Invariants
 * 1. Everything is in the macro. A header of a thousand probes costs the
 *    compiler only the probes that the file uses, and the site is in the
 *    function that calls the probe, so that a debugger which stops there shows
 *    the variables of that function.
 * 2. Arguments are evaluated once and converted as those of a function are.
 *    What C converts with a warning only (a number to a pointer, a pointer to
 *    a number, pointers to different structs) is an error. The macro therefore
 *    contains the text of the arguments twice, so a label in an argument has
 *    to be local (__label__).
 * 3. In C++, temporary objects live until the site has fired. The macro may
 *    not be in the pattern of a pack expansion, because compilers have bugs
 *    there: put the probe into a function, and expand calls of that function.
 *
 * Included by sdtkit/probe.h.
 */
#ifndef SDTKIT_CALL_H
#define SDTKIT_CALL_H

#define SDTKIT_BARE(...)	__VA_ARGS__

#ifdef __cplusplus
/* ------------------------------------------------------------------- C++ */

/*
 * Each probe has a function that is never called: the arguments are checked as
 * if they were passed to it. It is defined, because clang -O0 keeps a call with
 * a label in its arguments. C++ itself rejects wrong conversions.
 */
#define SDTKIT_TAKES(provider, probe, ...)				\
	inline void sdtkit_##provider##_##probe(__VA_ARGS__) {}
#define SDTKIT_NUMBER(type)	type
typedef const char *sdtkit_string;
typedef const volatile void *sdtkit_pointer;
#define SDTKIT_POINTER_TO(kind, tag)					\
	typedef const kind tag *sdtkit_to_##tag;
#define SDTKIT_POINTER_AS(name, member, declaration)			\
	struct name##_struct { declaration; };				\
	typedef decltype(name##_struct::member) name;

/*
 * It only copies its arguments. Because it says so (const), gcc does not take
 * the address of something that is not filled yet for a use of it.
 */
extern "C++" {
template <typename type, typename... types>
#ifdef __GNUC__
__attribute__((__always_inline__, __artificial__, __const__,
	       __no_instrument_function__))
#endif
inline type sdtkit_made(types... values)
{
	type made = { values... };

	return made;
}
}

/* The comma keeps the temporary objects of the values until SDTKIT_END. */
#define SDTKIT_BEGIN_MADE(enabled, function, values, types, members)	\
	(SDTKIT_CALL_CHECKED(function, values),				\
	 (enabled) ? __extension__ ({					\
		SDTKIT_MAY_PAD						\
		struct sdtkit_values { members } sdtkit_in;		\
		SDTKIT_MAY_PAD_END					\
									\
		(void)(sdtkit_in = sdtkit_made<sdtkit_values,		\
				SDTKIT_BARE types>values,		\
		       __extension__ ({
#define SDTKIT_END_MADE		(void)sdtkit_in; 0; })); }) : (void)0)
#define SDTKIT_CALL_CHECKED(function, values)				\
	(0 ? function values : (void)0)

#else
/* --------------------------------------------------------------------- C */

/*
 * Each probe has a function that is declared and never called. C would only
 * warn of wrong arguments, so the parameter types of the function accept only
 * right arguments: a pointer does not become a floating-point number, and a
 * number does not become a member of a transparent union. A long double that
 * cannot hold every integer would cause warnings, and clang does not have one
 * without a floating-point unit (-mno-80387): there, compile with
 * -D'SDTKIT_NUMBER(type)=type'.
 */
#define SDTKIT_TAKES(provider, probe, ...)				\
	extern void sdtkit_##provider##_##probe(__VA_ARGS__);

#ifndef SDTKIT_NUMBER
#if defined(__LDBL_MANT_DIG__) && __LDBL_MANT_DIG__ >= 64
typedef long double sdtkit_any_number;
#define SDTKIT_NUMBER(type)	sdtkit_any_number
#else
#define SDTKIT_NUMBER(type)	type
#endif
#endif

#if defined(__GNUC__) && !defined(__TINYC__)
#define SDTKIT_EITHER		__attribute__((__transparent_union__))
typedef union {
	const char *sdtkit_plain;
	const signed char *sdtkit_signed;
	const unsigned char *sdtkit_unsigned;
} sdtkit_string SDTKIT_EITHER;
typedef union {
	const volatile void *sdtkit_any;
} sdtkit_pointer SDTKIT_EITHER;
/* Types of pointers: to a struct or a union; or given as a declarator. */
#define SDTKIT_POINTER_TO(kind, tag)					\
	typedef union { const kind tag *sdtkit_only; } sdtkit_to_##tag	\
		SDTKIT_EITHER;
#define SDTKIT_POINTER_AS(name, member, declaration)			\
	typedef union { declaration; } name SDTKIT_EITHER;
#else
typedef const char *sdtkit_string;
typedef const volatile void *sdtkit_pointer;
#define SDTKIT_POINTER_TO(kind, tag)					\
	typedef const kind tag *sdtkit_to_##tag;
#define SDTKIT_POINTER_AS(name, member, declaration)			\
	typedef const volatile void *name;
#endif

#if defined(__clang__)
/* clang keeps a call with a label in its arguments, even if it is never run. */
#define SDTKIT_CALL_CHECKED(function, values)				\
	__builtin_choose_expr(1, (void)0, __extension__ function values)
#elif defined(__GNUC__)
#define SDTKIT_CALL_CHECKED(function, values)				\
	(0 ? __extension__ function values : (void)0)
#else
#define SDTKIT_CALL_CHECKED(function, values)				\
	(0 ? function values : (void)0)
#endif

#define SDTKIT_BEGIN_MADE(enabled, function, values, types, members)	\
	(SDTKIT_CALL_CHECKED(function, values),				\
	 (enabled) ? __extension__ ({					\
		SDTKIT_MAY_PAD						\
		const struct { members } sdtkit_in = {			\
			SDTKIT_BARE values				\
		};							\
		SDTKIT_MAY_PAD_END
#define SDTKIT_END_MADE		(void)sdtkit_in; }) : (void)0)
#endif
/* ------------------------------------------------------------------ both */

/*
 * Silences -Wpadded of clang and -Wshadow: padding in this struct is intended,
 * and so is a second sdtkit_in within the first, which a probe in an argument
 * of another probe has.
 */
#ifdef __clang__
#define SDTKIT_MAY_PAD							\
	_Pragma("clang diagnostic push")				\
	_Pragma("clang diagnostic ignored \"-Wpadded\"")		\
	_Pragma("clang diagnostic ignored \"-Wshadow\"")
#define SDTKIT_MAY_PAD_END	_Pragma("clang diagnostic pop")
#elif defined(__GNUC__) && !defined(__TINYC__)
#define SDTKIT_MAY_PAD							\
	_Pragma("GCC diagnostic push")					\
	_Pragma("GCC diagnostic ignored \"-Wshadow\"")
#define SDTKIT_MAY_PAD_END	_Pragma("GCC diagnostic pop")
#else
#define SDTKIT_MAY_PAD
#define SDTKIT_MAY_PAD_END
#endif

/*
 * A probe is SDTKIT_BEGIN(), statements, SDTKIT_END. function is the one of
 * SDTKIT_TAKES(), values and types are in parentheses, members are those of
 * sdtkit_in. A probe without arguments has SDTKIT_BEGIN_0() and SDTKIT_END_0.
 * The statements are macros that bring their own semicolons: when probes are
 * disabled, the macros are empty, and the probe is an expression that compilers
 * without GNU C accept.
 */
#ifdef SDTKIT_DISABLE
#define SDTKIT_BEGIN(enabled, function, values, types, members)		\
	SDTKIT_CALL_CHECKED(function, values)
#define SDTKIT_END
#define SDTKIT_BEGIN_0(enabled)	((void)0)
#define SDTKIT_END_0
#else
#define SDTKIT_BEGIN		SDTKIT_BEGIN_MADE
#define SDTKIT_END		SDTKIT_END_MADE
#define SDTKIT_BEGIN_0(enabled)	((enabled) ? __extension__ ({
#define SDTKIT_END_0		}) : (void)0)
#endif

#endif /* SDTKIT_CALL_H */
