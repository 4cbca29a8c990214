(111 lines of smb2's)
#define sdtkit_own_disk 1

#define sdtkit_own_disk2 1

/* DISK2_BEGIN_NOW (struct request *request, sector_t start, char *owner) */
#if defined STAP_SDT_V1
#define disk2_begin__now_semaphore begin__now_semaphore
#endif
__extension__ extern unsigned short disk2_begin__now_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short disk_begin__now_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define DISK2_BEGIN_NOW_ENABLED() \
__builtin_expect (sdtkit_semaphore (disk2_begin__now_semaphore) || sdtkit_semaphore (disk_begin__now_semaphore), 0)
#define DISK2_BEGIN_NOW(arg1, arg2, arg3) \
do { if (sdtkit_traced (disk2, begin__now) || sdtkit_traced (disk, begin__now)) \
{ __extension__ __typeof__ ((arg1) + 0) sdtkit_arg1 = (arg1); \
__extension__ __typeof__ ((arg2) + 0) sdtkit_arg2 = (arg2); \
__extension__ __typeof__ ((arg3) + 0) sdtkit_arg3 = (arg3); \
sdtkit_site (disk2, begin__now); \
DTRACE_PROBE3 (disk2, begin__now, sdtkit_arg1, sdtkit_arg2, sdtkit_arg3); \
sdtkit_site (disk, begin__now); \
DTRACE_PROBE3 (disk, begin__now, sdtkit_arg1, sdtkit_arg2, sdtkit_arg3); }; } while (0)

/* DISK2_END (struct request *request, int status, enum purpose purpose, float load, double seconds, int8_t string, bool next, pid_t self, char last) */
#if defined STAP_SDT_V1
#define disk2_end_semaphore end_semaphore
#endif
__extension__ extern unsigned short disk2_end_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short disk_end_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define DISK2_END_ENABLED() \
__builtin_expect (sdtkit_semaphore (disk2_end_semaphore) || sdtkit_semaphore (disk_end_semaphore), 0)
#define DISK2_END(arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9) \
do { if (sdtkit_traced (disk2, end) || sdtkit_traced (disk, end)) \
{ __extension__ __typeof__ ((arg1) + 0) sdtkit_arg1 = (arg1); \
__extension__ __typeof__ ((arg2) + 0) sdtkit_arg2 = (arg2); \
__extension__ __typeof__ ((arg3) + 0) sdtkit_arg3 = (arg3); \
__extension__ __typeof__ ((arg4) + 0) sdtkit_arg4 = (arg4); \
__extension__ __typeof__ ((arg5) + 0) sdtkit_arg5 = (arg5); \
__extension__ __typeof__ ((arg6) + 0) sdtkit_arg6 = (arg6); \
__extension__ __typeof__ ((arg7) + 0) sdtkit_arg7 = (arg7); \
__extension__ __typeof__ ((arg8) + 0) sdtkit_arg8 = (arg8); \
__extension__ __typeof__ ((arg9) + 0) sdtkit_arg9 = (arg9); \
sdtkit_site (disk2, end); \
DTRACE_PROBE9 (disk2, end, sdtkit_arg1, sdtkit_arg2, sdtkit_arg3, sdtkit_arg4, sdtkit_arg5, sdtkit_arg6, sdtkit_arg7, sdtkit_arg8, sdtkit_arg9); \
sdtkit_site (disk, end); \
DTRACE_PROBE9 (disk, end, sdtkit_arg1, sdtkit_arg2, sdtkit_arg3, sdtkit_arg4, sdtkit_arg5, sdtkit_arg6, sdtkit_arg7, sdtkit_arg8, sdtkit_arg9); }; } while (0)

/* DISK2_IDLE () */
#if defined STAP_SDT_V1
#define disk2_idle_semaphore idle_semaphore
#endif
__extension__ extern unsigned short disk2_idle_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short disk_idle_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define DISK2_IDLE_ENABLED() \
__builtin_expect (sdtkit_semaphore (disk2_idle_semaphore) || sdtkit_semaphore (disk_idle_semaphore), 0)
#define DISK2_IDLE() \
do { if (sdtkit_traced (disk2, idle) || sdtkit_traced (disk, idle)) \
{ sdtkit_site (disk2, idle); \
DTRACE_PROBE (disk2, idle); \
sdtkit_site (disk, idle); \
DTRACE_PROBE (disk, idle); }; } while (0)
