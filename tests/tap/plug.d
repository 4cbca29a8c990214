#pragma sdtkit nowarn dependency-file
/* Fired by a library that is loaded while the test runs. */
provider plug {
	probe called(int n, char *from);
	/* Another function fires it. */
	probe other(int n);
};
