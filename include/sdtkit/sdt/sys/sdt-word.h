/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/sdt-word.h - how an argument of any type becomes a word, for sys/sdt.h.
 *
 * The argument is an expression of any type that C or C++ has. For it there are
 *
 *	SDTKIT_SDT_TAKE(i, x)	a declaration: it evaluates the argument once
 *	SDTKIT_SDT_WORD(i)	the word that is handed over
 *	SDTKIT_SDT_IN_REGISTER(x), SDTKIT_SDT_IN_FRAME(x)
 *				the number before the "@": bytes, below 0 if the
 *				type is signed
 *	SDTKIT_SDT_VALUE(x)	the word as one expression, without a declaration
 *
 *	the argument is		the word		in a register, in memory
 *	char, short, int	by its sign		-4, -4
 *	unsigned char, bool	with zeros		1, 4
 *	unsigned short		with zeros		2, 2
 *	unsigned int		with zeros		4, 4
 *	64 bits			itself			-8 or 8
 *	array, function		its address		a word's
 *	float, double		the bits (IEEE 754)	4 or 8
 *	long double		the bits as a double	8
 *	struct, union		its first bytes		8
 *	__int128		the lower half		-8 or 8
 *
 * Invariants
 * 1. A signed number has at least four bytes, because perf reads -2@ as if it
 *    were unsigned, and SystemTap -1@. An unsigned byte in memory has four too:
 *    SystemTap takes 1@ there for a signed one.
 * 2. In big endian order a slot of the frame is always read as 8 bytes: its
 *    first ones are not the value's.
 * 3. C has no function here: an always_inline function cannot be inlined where
 *    attributes differ (no_sanitize, target). In C++ the functions are
 *    templates, and may be called as well as inlined.
 */
#ifndef SDTKIT_SDT_WORD_H
#define SDTKIT_SDT_WORD_H

#if __SIZEOF_LONG__ == 4
__extension__ typedef unsigned long long sdtkit_sdt_word;
#else
typedef unsigned long sdtkit_sdt_word;
#endif

/* The shift that makes a number of the first bytes of a word. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SDTKIT_SDT_SHIFT(bytes)	0
#else
#define SDTKIT_SDT_SHIFT(bytes)	(8 * (sizeof(sdtkit_sdt_word) - (bytes)))
#endif
#define SDTKIT_SDT_LEAST(bytes)						\
	((bytes) < sizeof(sdtkit_sdt_word) ? (bytes) : sizeof(sdtkit_sdt_word))

/* bytes and sign of the type -> what is written before the "@". */
#define SDTKIT_SDT_SIZE(bytes, is_signed, least)			\
	((is_signed) ? -SDTKIT_SDT_BETWEEN(4, bytes)			\
		     : SDTKIT_SDT_BETWEEN(least, bytes))
#define SDTKIT_SDT_BETWEEN(least, bytes)				\
	((int)(bytes) == 1 && (least) > 1 ? 4				\
	 : (int)(bytes) < (least) ? (least)				\
	 : (int)(bytes) > 8 ? 8 : (int)(bytes))

#ifdef __cplusplus
/* -------------------------------------------------------------------- C++ */

/*
 * For programs that include this within extern "C". Other names than ours end
 * in _, because programs have macros such as T and bytes.
 */
extern "C++" {

enum sdtkit_sdt_kind {
	sdtkit_sdt_number, sdtkit_sdt_pointer, sdtkit_sdt_real,
	sdtkit_sdt_bytes
};

template <sdtkit_sdt_kind k_, unsigned b_, bool s_> struct sdtkit_sdt_is {
	static const sdtkit_sdt_kind kind_ = k_;
	static const unsigned bytes_ = b_;
	static const bool is_signed_ = s_;
};

/* A type that does not become const is a function. */
template <typename T_> struct sdtkit_sdt_const {
	static const bool value_ = false;
};
template <typename T_> struct sdtkit_sdt_const<const T_> {
	static const bool value_ = true;
};

/* Those that are not listed below: enums, functions, classes, vectors. */
template <typename T_, bool is_enum_, bool is_function_>
struct sdtkit_sdt_other : sdtkit_sdt_is<sdtkit_sdt_bytes, 8, false> {};
template <typename T_> struct sdtkit_sdt_other<T_, false, true>
	: sdtkit_sdt_is<sdtkit_sdt_pointer, sizeof(void *), false> {};
template <typename T_> struct sdtkit_sdt_other<T_, true, false>
	: sdtkit_sdt_is<sdtkit_sdt_number, sizeof(T_),
			static_cast<__underlying_type(T_)>(-1) <
			static_cast<__underlying_type(T_)>(1)> {};

template <typename T_> struct sdtkit_sdt_type
	: sdtkit_sdt_other<T_, __is_enum(T_), !sdtkit_sdt_const<const T_>::value_>
{};
template <typename T_> struct sdtkit_sdt_type<const T_>
	: sdtkit_sdt_type<T_> {};
template <typename T_> struct sdtkit_sdt_type<volatile T_>
	: sdtkit_sdt_type<T_> {};
template <typename T_> struct sdtkit_sdt_type<const volatile T_>
	: sdtkit_sdt_type<T_> {};
template <typename T_> struct sdtkit_sdt_type<T_ &>
	: sdtkit_sdt_type<T_> {};
template <typename T_> struct sdtkit_sdt_type<T_ *>
	: sdtkit_sdt_is<sdtkit_sdt_pointer, sizeof(void *), false> {};
#if __cplusplus >= 201103L
template <> struct sdtkit_sdt_type<decltype(nullptr)>
	: sdtkit_sdt_type<void *> {};
#endif
/* An array is const if its elements are, so it would match twice. */
#define SDTKIT_SDT_ARRAY(qualifier)					\
	template <typename T_> struct sdtkit_sdt_type<qualifier T_[]>	\
		: sdtkit_sdt_type<T_ *> {};				\
	template <typename T_, __SIZE_TYPE__ n_>				\
	struct sdtkit_sdt_type<qualifier T_[n_]> : sdtkit_sdt_type<T_ *> {};
SDTKIT_SDT_ARRAY()
SDTKIT_SDT_ARRAY(const)
SDTKIT_SDT_ARRAY(volatile)
SDTKIT_SDT_ARRAY(const volatile)
#undef SDTKIT_SDT_ARRAY

#define SDTKIT_SDT_NUMBER(type)						\
	template <> struct sdtkit_sdt_type<type>			\
		: sdtkit_sdt_is<sdtkit_sdt_number, sizeof(type),	\
				static_cast<type>(-1) < static_cast<type>(1)> \
	{};
#define SDTKIT_SDT_REAL(type)						\
	template <> struct sdtkit_sdt_type<type>			\
		: sdtkit_sdt_is<sdtkit_sdt_real, sizeof(type), false> {};
SDTKIT_SDT_NUMBER(bool)
SDTKIT_SDT_NUMBER(char)
SDTKIT_SDT_NUMBER(signed char)
SDTKIT_SDT_NUMBER(unsigned char)
SDTKIT_SDT_NUMBER(wchar_t)
SDTKIT_SDT_NUMBER(short)
SDTKIT_SDT_NUMBER(unsigned short)
SDTKIT_SDT_NUMBER(int)
SDTKIT_SDT_NUMBER(unsigned int)
SDTKIT_SDT_NUMBER(long)
SDTKIT_SDT_NUMBER(unsigned long)
__extension__ typedef long long sdtkit_sdt_long_long;
__extension__ typedef unsigned long long sdtkit_sdt_unsigned_long_long;
SDTKIT_SDT_NUMBER(sdtkit_sdt_long_long)
SDTKIT_SDT_NUMBER(sdtkit_sdt_unsigned_long_long)
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 sdtkit_sdt_int128;
__extension__ typedef unsigned __int128 sdtkit_sdt_unsigned_int128;
SDTKIT_SDT_NUMBER(sdtkit_sdt_int128)
SDTKIT_SDT_NUMBER(sdtkit_sdt_unsigned_int128)
#endif
#ifdef __CHAR16_TYPE__
#if __cplusplus >= 201103L
SDTKIT_SDT_NUMBER(char16_t)
SDTKIT_SDT_NUMBER(char32_t)
#endif
#endif
#ifdef __cpp_char8_t
SDTKIT_SDT_NUMBER(char8_t)
#endif
SDTKIT_SDT_REAL(float)
SDTKIT_SDT_REAL(double)
SDTKIT_SDT_REAL(long double)
#if defined(__SIZEOF_FLOAT128__) && \
    (!defined(__STRICT_ANSI__) || defined(__clang__))
SDTKIT_SDT_REAL(__float128)
#endif
#undef SDTKIT_SDT_NUMBER
#undef SDTKIT_SDT_REAL

#define SDTKIT_SDT_FUNCTION						\
	static inline __attribute__((__no_instrument_function__,	\
				     __visibility__("hidden")))

/* By value: an array decays, and a static const member needs no definition. */
template <sdtkit_sdt_kind kind_, unsigned bytes_> struct sdtkit_sdt_pass {
	template <typename T_> SDTKIT_SDT_FUNCTION
	sdtkit_sdt_word word_(T_ value_)
	{
		return static_cast<sdtkit_sdt_word>(value_);
	}
};

template <unsigned bytes_> struct sdtkit_sdt_pass<sdtkit_sdt_pointer, bytes_> {
	template <typename T_> SDTKIT_SDT_FUNCTION
	sdtkit_sdt_word word_(T_ value_)
	{
		return (unsigned long)value_;
	}
};

/* A class may be one that cannot be copied. */
template <unsigned bytes_> struct sdtkit_sdt_pass<sdtkit_sdt_bytes, bytes_> {
	template <typename T_> SDTKIT_SDT_FUNCTION
	sdtkit_sdt_word word_(const volatile T_ &value_)
	{
		sdtkit_sdt_word word_ = 0;

		__builtin_memcpy(&word_, const_cast<const char *>(
			&reinterpret_cast<const volatile char &>(value_)),
			SDTKIT_SDT_LEAST(sizeof(T_)));
		return word_ >> SDTKIT_SDT_SHIFT(SDTKIT_SDT_LEAST(sizeof(T_)));
	}
	template <typename T_> SDTKIT_SDT_FUNCTION
	sdtkit_sdt_word word_(const T_ &value_)
	{
		return word_(static_cast<const volatile T_ &>(value_));
	}
};

template <unsigned bytes_> struct sdtkit_sdt_pass<sdtkit_sdt_real, bytes_> {
	SDTKIT_SDT_FUNCTION sdtkit_sdt_word word_(double value_)
	{
		sdtkit_sdt_word word_;

		__builtin_memcpy(&word_, &value_, sizeof(word_));
		return word_;
	}
};

template <> struct sdtkit_sdt_pass<sdtkit_sdt_real, 4> {
	SDTKIT_SDT_FUNCTION sdtkit_sdt_word word_(float value_)
	{
		unsigned int word_;

		__builtin_memcpy(&word_, &value_, sizeof(word_));
		return word_;
	}
};

#undef SDTKIT_SDT_FUNCTION
}

#define SDTKIT_SDT_TYPE(x)	sdtkit_sdt_type<__typeof__(x)>
#define SDTKIT_SDT_VALUE(x)						\
	(sdtkit_sdt_pass<SDTKIT_SDT_TYPE(x)::kind_,			\
			 SDTKIT_SDT_TYPE(x)::bytes_>::word_(x))
#define SDTKIT_SDT_TAKE(i, x)						\
	sdtkit_sdt_word sdtkit_sdt_##i = SDTKIT_SDT_VALUE(x);
#define SDTKIT_SDT_WORD(i)	sdtkit_sdt_##i
#define SDTKIT_SDT_SIZE_OF(x, least)					\
	SDTKIT_SDT_SIZE(SDTKIT_SDT_TYPE(x)::bytes_,			\
			SDTKIT_SDT_TYPE(x)::is_signed_, least)

#else
/* ---------------------------------------------------------------------- C */

/* The classes of types that the compiler counts: 1 to 4 are numbers. */
#define SDTKIT_SDT_IS_NUMBER(x)						\
	(__builtin_classify_type(x) >= 1 && __builtin_classify_type(x) <= 4)
#define SDTKIT_SDT_IS_POINTER(x)	(__builtin_classify_type(x) == 5)
#define SDTKIT_SDT_IS_REAL(x)		(__builtin_classify_type(x) == 8)
#define SDTKIT_SDT_IS_LONG_REAL(x)					\
	(SDTKIT_SDT_IS_REAL(x) && sizeof(x) > sizeof(double))

/*
 * A qualifier is lost here, a narrow number becomes an int, and a pointer or an
 * array a number: its own type might have an array of variable length, and then
 * typeof would evaluate the argument, too.
 */
#define SDTKIT_SDT_COPY(copy, x)					\
	__typeof__(SDTKIT_SDT_IF(SDTKIT_SDT_IS_POINTER(x), 0UL,		\
				 0 ? (x) : (x))) copy =			\
		SDTKIT_SDT_IF(SDTKIT_SDT_IS_POINTER(x),			\
			      (unsigned long)SDTKIT_SDT_IF(		\
				SDTKIT_SDT_IS_POINTER(x), (x), 0), (x));
#define SDTKIT_SDT_IF(condition, x, other)				\
	__builtin_choose_expr(condition, x, other)
#define SDTKIT_SDT_WORD_OF(copy)					\
	SDTKIT_SDT_IF(SDTKIT_SDT_IS_NUMBER(copy),			\
		      (sdtkit_sdt_word)SDTKIT_SDT_IF(			\
			SDTKIT_SDT_IS_NUMBER(copy), copy, 0),		\
		      SDTKIT_SDT_BYTES_OF(copy))
#define SDTKIT_SDT_BYTES_OF(copy)					\
	__extension__ ({						\
		__typeof__(SDTKIT_SDT_IF(SDTKIT_SDT_IS_LONG_REAL(copy),	\
					 0.0, copy)) sdtkit_sdt_value =	\
			SDTKIT_SDT_IF(SDTKIT_SDT_IS_LONG_REAL(copy),	\
				      (double)SDTKIT_SDT_IF(		\
					SDTKIT_SDT_IS_LONG_REAL(copy),	\
					copy, 0), copy);		\
		sdtkit_sdt_word sdtkit_sdt_bits = 0;			\
									\
		__builtin_memcpy(&sdtkit_sdt_bits, &sdtkit_sdt_value,	\
				 SDTKIT_SDT_LEAST(			\
					sizeof(sdtkit_sdt_value)));	\
		sdtkit_sdt_bits >> SDTKIT_SDT_SHIFT(SDTKIT_SDT_LEAST(	\
			sizeof(sdtkit_sdt_value)));			\
	})

#define SDTKIT_SDT_TAKE(i, x)	SDTKIT_SDT_COPY(sdtkit_sdt_##i, x)
#define SDTKIT_SDT_WORD(i)	SDTKIT_SDT_WORD_OF(sdtkit_sdt_##i)
#define SDTKIT_SDT_VALUE(x)						\
	__extension__ ({						\
		SDTKIT_SDT_COPY(sdtkit_sdt_copy, x)			\
		SDTKIT_SDT_WORD_OF(sdtkit_sdt_copy);			\
	})

/*
 * Behind a comma, an argument has its type without qualifiers, _Atomic and the
 * width of a bit-field, but is not yet promoted.
 */
#define SDTKIT_SDT_RVALUE(x)	((void)0, (x))
#define SDTKIT_SDT_NUMBER_OF(x)						\
	__typeof__(SDTKIT_SDT_IF(SDTKIT_SDT_IS_NUMBER(x),		\
				 SDTKIT_SDT_RVALUE(x), 0U))
#define SDTKIT_SDT_SIZE_OF(x, least)					\
	SDTKIT_SDT_SIZE(SDTKIT_SDT_BYTES(x),				\
			(SDTKIT_SDT_NUMBER_OF(x))-1 <			\
			(SDTKIT_SDT_NUMBER_OF(x))1, least)
#define SDTKIT_SDT_BYTES(x)						\
	(SDTKIT_SDT_IS_POINTER(x) ? sizeof(void *)			\
	 : SDTKIT_SDT_IS_REAL(x)					\
	 ? sizeof(SDTKIT_SDT_IF(SDTKIT_SDT_IS_REAL(x), (x), 0))		\
	 : SDTKIT_SDT_IS_NUMBER(x) ? sizeof(SDTKIT_SDT_NUMBER_OF(x))	\
	 : sizeof(sdtkit_sdt_word))

#endif
/* --------------------------------------------------------- what both have */

#define SDTKIT_SDT_IN_REGISTER(x)	SDTKIT_SDT_SIZE_OF(x, 1)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SDTKIT_SDT_IN_FRAME(x)	SDTKIT_SDT_SIZE_OF(x, 2)
#else
#define SDTKIT_SDT_IN_FRAME(x)					\
	(SDTKIT_SDT_SIZE_OF(x, 1) < 0 ? -8 : 8)
#endif

#endif /* SDTKIT_SDT_WORD_H */
