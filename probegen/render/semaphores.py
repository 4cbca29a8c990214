# SPDX-License-Identifier: BSD-2-Clause
"""C that defines a semaphore, for the object of `dtrace -G` and for the
drop-in header.

    __asm__ (sdtkit_define (smb2_request_start_semaphore));

As in the native headers, each semaphore is in a COMDAT group that is named
after it, so that a linked object has it once; and it is weak, so that there
may be another definition, by another `dtrace`. The text is the same as
SDTKIT_ASM_SEMAPHORE of sdtkit/semaphore.h, which gives the reasons.
"""

DEFINE = """\
/* semaphores are hidden, except in versions of the notes that export them */
#if defined STAP_SDT_V1 || defined STAP_SDT_V2
#define sdtkit_hidden
#define sdtkit_hide(symbol)
#else
#define sdtkit_hidden __attribute__ ((visibility ("hidden")))
#define sdtkit_hide(symbol) ".hidden " symbol "\\n"
#endif
#if defined __clang__ ? __clang_major__ >= 13 : __GNUC__ >= 11
#define sdtkit_retain "R"
#else
#define sdtkit_retain ""
#endif

/* assembly that defines a semaphore, where it is used and once in each linked
   object. An empty section before the first semaphore begins a page: without
   it, a tracer that was there before a program which lld or mold has linked
   would raise a copy of the semaphore that the program does not read */
#define sdtkit_string(text) sdtkit_string_ (text)
#define sdtkit_string_(text) #text
#define sdtkit_define(semaphore) sdtkit_define_ (sdtkit_string (semaphore))
#define sdtkit_define_(symbol) \\
".ifndef " symbol "\\n" \\
".ifndef sdtkit.probes\\n" \\
".pushsection .probes,\\"awG" sdtkit_retain "\\",\\"progbits\\"," \\
"sdtkit.probes,comdat\\n" \\
".balign 4096\\n" \\
".weak sdtkit.probes\\n" \\
".hidden sdtkit.probes\\n" \\
"sdtkit.probes:\\n" \\
".popsection\\n" \\
".endif\\n" \\
".pushsection .probes,\\"awG\\",\\"progbits\\"," symbol ",comdat\\n" \\
".balign 2\\n" \\
".weak " symbol "\\n" \\
sdtkit_hide (symbol) \\
".type " symbol ", STT_OBJECT\\n" \\
".size " symbol ", 2\\n" \\
symbol ":\\n" \\
".2byte 0\\n" \\
".popsection\\n" \\
".endif\\n"
"""
