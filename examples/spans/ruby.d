/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of Ruby 3.1, which are in its library. The names are those of
 * doc/dtrace_probes.rdoc in Ruby's source.
 *
 *	sdtkit top --description ruby.d -p PID cmethod
 */

/*
 * A call of a method that is written in Ruby. From Ruby 2.5 on, these probes
 * fire only while the program has a TracePoint of calls and returns, such as
 * that of a profiler.
 */
#pragma sdtkit span method start=method__entry end=method__return
#pragma sdtkit span method key=tid name=class,method

/* A call of a method that is written in C. */
#pragma sdtkit span cmethod start=cmethod__entry end=cmethod__return
#pragma sdtkit span cmethod key=tid name=class,method

/* A file that is asked for with "require". */
#pragma sdtkit span require start=require__entry end=require__return
#pragma sdtkit span require key=tid name=required

/* A file that is read with "load". */
#pragma sdtkit span load start=load__entry end=load__return
#pragma sdtkit span load key=tid name=load__entry.loaded

/* The first part of a collection of garbage: what is in use is marked. */
#pragma sdtkit span gc_mark start=gc__mark__begin end=gc__mark__end key=tid

/* The second part: the memory of the rest is reclaimed. */
#pragma sdtkit span gc_sweep start=gc__sweep__begin end=gc__sweep__end key=tid

/* A file that is compiled. */
#pragma sdtkit span parse start=parse__begin end=parse__end key=tid
#pragma sdtkit span parse name=file

provider ruby {
	probe method__entry(char *class, char *method, char *file, int line);
	probe method__return(char *class, char *method, char *file, int line);
	probe cmethod__entry(char *class, char *method, char *file, int line);
	probe cmethod__return(char *class, char *method, char *file, int line);

	probe require__entry(char *required, char *file, int line);
	probe require__return(char *required, char *file, int line);
	probe find__require__entry(char *required, char *file, int line);
	probe find__require__return(char *required, char *file, int line);
	probe load__entry(char *loaded, char *file, int line);
	probe load__return(char *loaded, char *file, int line);
	/* An exception is raised. */
	probe raise(char *class, char *file, int line);

	probe object__create(char *class, char *file, int line);
	probe array__create(long length, char *file, int line);
	probe hash__create(long length, char *file, int line);
	probe string__create(long length, char *file, int line);
	probe symbol__create(char *symbol, char *file, int line);

	probe parse__begin(char *file, int line);
	probe parse__end(char *file, int line);
	probe gc__mark__begin();
	probe gc__mark__end();
	probe gc__sweep__begin();
	probe gc__sweep__end();
};
