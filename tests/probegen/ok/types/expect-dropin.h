(111 lines of smb2's)
#define sdtkit_own_integers 1

/* INTEGERS_BITS (int8_t a, int16_t b, int32_t c, int64_t d, uint8_t e, uint16_t f, uint32_t g, uint64_t h) */
#if defined STAP_SDT_V1
#define integers_bits_semaphore bits_semaphore
#endif
__extension__ extern unsigned short integers_bits_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define INTEGERS_BITS_ENABLED() \
__builtin_expect (sdtkit_semaphore (integers_bits_semaphore), 0)
#define INTEGERS_BITS(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8) \
do { if (sdtkit_traced (integers, bits)) \
{ sdtkit_site (integers, bits); \
DTRACE_PROBE8 (integers, bits, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8); }; } while (0)

/* INTEGERS_WORDS (char a, signed char b, unsigned char c, short d, unsigned short int e, int f, unsigned g, long h, long unsigned int i, long long j, unsigned long long k, signed l) */
#if defined STAP_SDT_V1
#define integers_words_semaphore words_semaphore
#endif
__extension__ extern unsigned short integers_words_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define INTEGERS_WORDS_ENABLED() \
__builtin_expect (sdtkit_semaphore (integers_words_semaphore), 0)
#define INTEGERS_WORDS(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12) \
do { if (sdtkit_traced (integers, words)) \
{ sdtkit_site (integers, words); \
DTRACE_PROBE12 (integers, words, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11, arg12); }; } while (0)

/* INTEGERS_NAMED (bool a, _Bool b, size_t c, ssize_t d, pid_t e, uid_t f, gid_t g, off_t h, mode_t i, time_t j, uintptr_t k) */
#if defined STAP_SDT_V1
#define integers_named_semaphore named_semaphore
#endif
__extension__ extern unsigned short integers_named_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define INTEGERS_NAMED_ENABLED() \
__builtin_expect (sdtkit_semaphore (integers_named_semaphore), 0)
#define INTEGERS_NAMED(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11) \
do { if (sdtkit_traced (integers, named)) \
{ sdtkit_site (integers, named); \
DTRACE_PROBE11 (integers, named, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10, arg11); }; } while (0)

/* INTEGERS_QUALIFIED (const int a, volatile uint16_t b, int const c) */
#if defined STAP_SDT_V1
#define integers_qualified_semaphore qualified_semaphore
#endif
__extension__ extern unsigned short integers_qualified_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define INTEGERS_QUALIFIED_ENABLED() \
__builtin_expect (sdtkit_semaphore (integers_qualified_semaphore), 0)
#define INTEGERS_QUALIFIED(arg1, arg2, arg3) \
do { if (sdtkit_traced (integers, qualified)) \
{ sdtkit_site (integers, qualified); \
DTRACE_PROBE3 (integers, qualified, arg1, arg2, arg3); }; } while (0)

#define sdtkit_own_pointers 1

/* POINTERS_PLAIN (void *a, char *b, const char *c, string d, char e[16], struct stat *f, uint8_t *g, union u *h, float *i) */
#if defined STAP_SDT_V1
#define pointers_plain_semaphore plain_semaphore
#endif
__extension__ extern unsigned short pointers_plain_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define POINTERS_PLAIN_ENABLED() \
__builtin_expect (sdtkit_semaphore (pointers_plain_semaphore), 0)
#define POINTERS_PLAIN(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9) \
do { if (sdtkit_traced (pointers, plain)) \
{ sdtkit_site (pointers, plain); \
DTRACE_PROBE9 (pointers, plain, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9); }; } while (0)

/* POINTERS_DEEP (char **a, const char **b, struct stat *const *c, void *const d, volatile int *e) */
#if defined STAP_SDT_V1
#define pointers_deep_semaphore deep_semaphore
#endif
__extension__ extern unsigned short pointers_deep_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define POINTERS_DEEP_ENABLED() \
__builtin_expect (sdtkit_semaphore (pointers_deep_semaphore), 0)
#define POINTERS_DEEP(arg1, arg2, arg3, arg4, arg5) \
do { if (sdtkit_traced (pointers, deep)) \
{ sdtkit_site (pointers, deep); \
DTRACE_PROBE5 (pointers, deep, arg1, arg2, arg3, arg4, arg5); }; } while (0)

#define sdtkit_own_names 1

/* NAMES_NOTHING () */
#if defined STAP_SDT_V1
#define names_nothing_semaphore nothing_semaphore
#endif
__extension__ extern unsigned short names_nothing_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define NAMES_NOTHING_ENABLED() \
__builtin_expect (sdtkit_semaphore (names_nothing_semaphore), 0)
#define NAMES_NOTHING() \
do { if (sdtkit_traced (names, nothing)) \
{ sdtkit_site (names, nothing); \
DTRACE_PROBE (names, nothing); }; } while (0)

/* NAMES_NOTHING_EITHER () */
#if defined STAP_SDT_V1
#define names_nothing_either_semaphore nothing_either_semaphore
#endif
__extension__ extern unsigned short names_nothing_either_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define NAMES_NOTHING_EITHER_ENABLED() \
__builtin_expect (sdtkit_semaphore (names_nothing_either_semaphore), 0)
#define NAMES_NOTHING_EITHER() \
do { if (sdtkit_traced (names, nothing_either)) \
{ sdtkit_site (names, nothing_either); \
DTRACE_PROBE (names, nothing_either); }; } while (0)

/* NAMES_UNNAMED (int arg0, char *arg1, uint64_t last) */
#if defined STAP_SDT_V1
#define names_unnamed_semaphore unnamed_semaphore
#endif
__extension__ extern unsigned short names_unnamed_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define NAMES_UNNAMED_ENABLED() \
__builtin_expect (sdtkit_semaphore (names_unnamed_semaphore), 0)
#define NAMES_UNNAMED(arg1, arg2, arg3) \
do { if (sdtkit_traced (names, unnamed)) \
{ sdtkit_site (names, unnamed); \
DTRACE_PROBE3 (names, unnamed, arg1, arg2, arg3); }; } while (0)

/* NAMES_KEYWORDS (int class, int default, char *errno, int new) */
#if defined STAP_SDT_V1
#define names_keywords_semaphore keywords_semaphore
#endif
__extension__ extern unsigned short names_keywords_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define NAMES_KEYWORDS_ENABLED() \
__builtin_expect (sdtkit_semaphore (names_keywords_semaphore), 0)
#define NAMES_KEYWORDS(arg1, arg2, arg3, arg4) \
do { if (sdtkit_traced (names, keywords)) \
{ sdtkit_site (names, keywords); \
DTRACE_PROBE4 (names, keywords, arg1, arg2, arg3, arg4); }; } while (0)

/* NAMES_A_B_C (int x) */
#if defined STAP_SDT_V1
#define names_a__b_c_semaphore a__b_c_semaphore
#endif
__extension__ extern unsigned short names_a__b_c_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define NAMES_A_B_C_ENABLED() \
__builtin_expect (sdtkit_semaphore (names_a__b_c_semaphore), 0)
#define NAMES_A_B_C(arg1) \
do { if (sdtkit_traced (names, a__b_c)) \
{ sdtkit_site (names, a__b_c); \
DTRACE_PROBE1 (names, a__b_c, arg1); }; } while (0)

/* NAMES__D (int x) */
#if defined STAP_SDT_V1
#define names__d_semaphore _d_semaphore
#endif
__extension__ extern unsigned short names__d_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define NAMES__D_ENABLED() \
__builtin_expect (sdtkit_semaphore (names__d_semaphore), 0)
#define NAMES__D(arg1) \
do { if (sdtkit_traced (names, _d)) \
{ sdtkit_site (names, _d); \
DTRACE_PROBE1 (names, _d, arg1); }; } while (0)
