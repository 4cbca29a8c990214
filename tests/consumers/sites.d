#pragma sdtkit nowarn dependency-file
/* A probe that is used in more places than tracers take. */
#pragma sdtkit single_site many
provider form {
	probe many(int n, char *text);
};
