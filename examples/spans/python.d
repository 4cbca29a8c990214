/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of CPython 3.6 to 3.11, built with --with-dtrace, as Debian's and
 * Fedora's python3 are. The names are those of Python's HOWTO "Instrumenting
 * CPython with DTrace and SystemTap".
 *
 * In 3.11 function__entry does not fire, and 3.12 to 3.14 have neither of the
 * two (CPython's issue 98894, repaired in 3.15): there, the span "function"
 * counts nothing but ends without a start. All the others are right.
 *
 *	sdtkit top --description python.d -p PID import gc
 */

/* A call of a function; the resumption of a generator is one, too. */
#pragma sdtkit span function start=function__entry end=function__return
#pragma sdtkit span function key=tid name=function,file

/* A collection of garbage; name is the generation. */
#pragma sdtkit span gc start=gc__start end=gc__done key=tid name=generation
#pragma sdtkit span gc sum=collected

/* An import that was not in sys.modules. */
#pragma sdtkit span import start=import__find__load__start
#pragma sdtkit span import end=import__find__load__done key=tid name=module
#pragma sdtkit span import error=found ok=1

provider python {
	probe function__entry(char *file, char *function, int line);
	/* A function returns, raises or yields. */
	probe function__return(char *file, char *function, int line);
	/* A new line is reached: is costly. */
	probe line(char *file, char *function, int line);
	probe gc__start(int generation);
	probe gc__done(long collected);
	probe import__find__load__start(char *module);
	probe import__find__load__done(char *module, int found);
	/* An auditing event: see sys.audit(). */
	probe audit(char *event, void *arguments);
};
