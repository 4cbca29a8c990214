/*
 * The probes of the programs in this directory. Each thread numbers its hits
 * of each, one after the other, so that a tracer sees whether it lost one.
 */
provider life {
	/* Once more around a loop. */
	probe round(long number);

	/* The heart of a thread of load.c beats. */
	probe beat0(long number);
	probe beat1(long number);
	probe beat2(long number);
	probe beat3(long number);
	probe beat4(long number);
	probe beat5(long number);
	probe beat6(long number);
	probe beat7(long number);
};
