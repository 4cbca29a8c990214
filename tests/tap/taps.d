/* What the tests of libsdtkit-tap fire. */
#pragma sdtkit nowarn floating-point bpftrace-args dtrace-args
#pragma sdtkit alias taps aka
provider taps {
	/* A number, and a string. */
	probe pair(uint64_t number, char *text);
	probe number(int32_t n);
	/* One of each kind. */
	probe kinds(int8_t s1, uint16_t u2, int64_t s8, size_t word, bool yes,
		    float f4, double f8, void *address, char *text);
	probe nothing();
};
