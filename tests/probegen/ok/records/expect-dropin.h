(111 lines of smb2's)
#define sdtkit_own_smb 1

/* SMB_REQUEST_DONE (request_t req, int status) */
#if defined STAP_SDT_V1
#define smb_request_done_semaphore request_done_semaphore
#endif
__extension__ extern unsigned short smb_request_done_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB_REQUEST_DONE_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb_request_done_semaphore), 0)
#define SMB_REQUEST_DONE(arg1, arg2) \
do { if (sdtkit_traced (smb, request_done)) \
{ sdtkit_site (smb, request_done); \
DTRACE_PROBE2 (smb, request_done, arg1, arg2); }; } while (0)

/* SMB_SWAP (int first, int second, char *third) */
#if defined STAP_SDT_V1
#define smb_swap_semaphore swap_semaphore
#endif
__extension__ extern unsigned short smb_swap_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB_SWAP_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb_swap_semaphore), 0)
#define SMB_SWAP(arg1, arg2, arg3) \
do { if (sdtkit_traced (smb, swap)) \
{ sdtkit_site (smb, swap); \
DTRACE_PROBE3 (smb, swap, arg1, arg2, arg3); }; } while (0)

/* SMB_ACCEPT (int fd) */
#if defined STAP_SDT_V1
#define smb_accept_semaphore accept_semaphore
#endif
__extension__ extern unsigned short smb_accept_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB_ACCEPT_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb_accept_semaphore), 0)
#define SMB_ACCEPT(arg1) \
do { if (sdtkit_traced (smb, accept)) \
{ sdtkit_site (smb, accept); \
DTRACE_PROBE1 (smb, accept, arg1); }; } while (0)

/* SMB_NOTHING (int fd) */
#if defined STAP_SDT_V1
#define smb_nothing_semaphore nothing_semaphore
#endif
__extension__ extern unsigned short smb_nothing_semaphore __attribute__ ((unused)) __attribute__ ((section (".probes"))) sdtkit_hidden;
#define SMB_NOTHING_ENABLED() \
__builtin_expect (sdtkit_semaphore (smb_nothing_semaphore), 0)
#define SMB_NOTHING(arg1) \
do { if (sdtkit_traced (smb, nothing)) \
{ sdtkit_site (smb, nothing); \
DTRACE_PROBE1 (smb, nothing, arg1); }; } while (0)
