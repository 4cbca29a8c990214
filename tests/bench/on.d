#pragma sdtkit nowarn dependency-file
/* A probe with a number and an address, as most have. */
provider on {
	probe hit(long n, char *who);
};
