#pragma sdtkit nowarn dependency-file
/* Fired by a library that is loaded while the test runs. */
provider plug {
	probe called(int n, char *from);
	/* Of another function. */
	probe other(int n);
};
