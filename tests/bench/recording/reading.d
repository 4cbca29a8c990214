#pragma sdtkit nowarn dependency-file
/* What most arguments are. */
provider reading {
	probe number(long n);
	probe text(char *text);
};
