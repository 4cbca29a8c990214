(111 lines of smb2's)
#define sdtkit_own_smb 1

#define sdtkit_own_smb2 1

/* SMB2_REQUEST_TRACED (): request__start, request__end, cancel */
#if defined STAP_SDT_V1
#define SMB2_REQUEST_TRACED() \
(SMB2_REQUEST_START_ENABLED () \
|| SMB2_REQUEST_END_ENABLED () \
|| SMB2_CANCEL_ENABLED ())
#else
__extension__ extern unsigned short smb2_request_traced_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_request_traced_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB2_REQUEST_TRACED() \
__builtin_expect (sdtkit_semaphore (smb2_request_traced_semaphore) || sdtkit_semaphore (smb_request_traced_semaphore), 0)
#endif

/* SMB2_FLOW_TRACED (): credits */
#if defined STAP_SDT_V1
#define SMB2_FLOW_TRACED() \
(SMB2_CREDITS_ENABLED ())
#else
__extension__ extern unsigned short smb2_flow__traced_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_flow__traced_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB2_FLOW_TRACED() \
__builtin_expect (sdtkit_semaphore (smb2_flow__traced_semaphore) || sdtkit_semaphore (smb_flow__traced_semaphore), 0)
#endif

/* SMB2_REQUEST_START (uint64_t mid, char *name) */
#if defined STAP_SDT_V1
#define smb2_request__start_semaphore request__start_semaphore
__extension__ extern unsigned short smb2_request__start_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_request__start_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#else
#define smb2_request__start_semaphore smb2_request_traced_semaphore
#define smb_request__start_semaphore smb_request_traced_semaphore
#endif
#define SMB2_REQUEST_START_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb2_request__start_semaphore) || sdtkit_semaphore (smb_request__start_semaphore), 0)
#define SMB2_REQUEST_START(arg1, arg2) \
do { if (sdtkit_traced (smb2, request__start) || sdtkit_traced (smb, request__start)) \
{ __extension__ __typeof__ ((arg1) + 0) sdtkit_arg1 = (arg1); \
__extension__ __typeof__ ((arg2) + 0) sdtkit_arg2 = (arg2); \
sdtkit_site (smb2, request__start); \
DTRACE_PROBE2 (smb2, request__start, sdtkit_arg1, sdtkit_arg2); \
sdtkit_site (smb, request__start); \
DTRACE_PROBE2 (smb, request__start, sdtkit_arg1, sdtkit_arg2); }; } while (0)

/* SMB2_REQUEST_END (uint64_t mid, int status) */
#if defined STAP_SDT_V1
#define smb2_request__end_semaphore request__end_semaphore
__extension__ extern unsigned short smb2_request__end_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_request__end_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#else
#define smb2_request__end_semaphore smb2_request_traced_semaphore
#define smb_request__end_semaphore smb_request_traced_semaphore
#endif
#define SMB2_REQUEST_END_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb2_request__end_semaphore) || sdtkit_semaphore (smb_request__end_semaphore), 0)
#define SMB2_REQUEST_END(arg1, arg2) \
do { if (sdtkit_traced (smb2, request__end) || sdtkit_traced (smb, request__end)) \
{ __extension__ __typeof__ ((arg1) + 0) sdtkit_arg1 = (arg1); \
__extension__ __typeof__ ((arg2) + 0) sdtkit_arg2 = (arg2); \
sdtkit_site (smb2, request__end); \
DTRACE_PROBE2 (smb2, request__end, sdtkit_arg1, sdtkit_arg2); \
sdtkit_site (smb, request__end); \
DTRACE_PROBE2 (smb, request__end, sdtkit_arg1, sdtkit_arg2); }; } while (0)

/* SMB2_CANCEL () */
#if defined STAP_SDT_V1
#define smb2_cancel_semaphore cancel_semaphore
__extension__ extern unsigned short smb2_cancel_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_cancel_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#else
#define smb2_cancel_semaphore smb2_request_traced_semaphore
#define smb_cancel_semaphore smb_request_traced_semaphore
#endif
#define SMB2_CANCEL_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb2_cancel_semaphore) || sdtkit_semaphore (smb_cancel_semaphore), 0)
#define SMB2_CANCEL() \
do { if (sdtkit_traced (smb2, cancel) || sdtkit_traced (smb, cancel)) \
{ sdtkit_site (smb2, cancel); \
DTRACE_PROBE (smb2, cancel); \
sdtkit_site (smb, cancel); \
DTRACE_PROBE (smb, cancel); }; } while (0)

/* SMB2_IDLE () */
#if defined STAP_SDT_V1
#define smb2_idle_semaphore idle_semaphore
#endif
__extension__ extern unsigned short smb2_idle_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_idle_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB2_IDLE_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb2_idle_semaphore) || sdtkit_semaphore (smb_idle_semaphore), 0)
#define SMB2_IDLE() \
do { if (sdtkit_traced (smb2, idle) || sdtkit_traced (smb, idle)) \
{ sdtkit_site (smb2, idle); \
DTRACE_PROBE (smb2, idle); \
sdtkit_site (smb, idle); \
DTRACE_PROBE (smb, idle); }; } while (0)

/* SMB2_CREDITS (int16_t left) */
#if defined STAP_SDT_V1
#define smb2_credits_semaphore credits_semaphore
__extension__ extern unsigned short smb2_credits_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
__extension__ extern unsigned short smb_credits_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#else
#define smb2_credits_semaphore smb2_flow__traced_semaphore
#define smb_credits_semaphore smb_flow__traced_semaphore
#endif
#define SMB2_CREDITS_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb2_credits_semaphore) || sdtkit_semaphore (smb_credits_semaphore), 0)
#define SMB2_CREDITS(arg1) \
do { if (sdtkit_traced (smb2, credits) || sdtkit_traced (smb, credits)) \
{ __extension__ __typeof__ ((arg1) + 0) sdtkit_arg1 = (arg1); \
sdtkit_site (smb2, credits); \
DTRACE_PROBE1 (smb2, credits, sdtkit_arg1); \
sdtkit_site (smb, credits); \
DTRACE_PROBE1 (smb, credits, sdtkit_arg1); }; } while (0)
