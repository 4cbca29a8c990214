#pragma sdtkit nowarn dependency-file
#pragma sdtkit group both called other
/* Fired by a library that is loaded while the test runs. */
provider plug {
	probe called(int n, char *from);
	/* Another function fires it. */
	probe other(int n);
};
