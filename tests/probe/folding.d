#pragma sdtkit nowarn dependency-file

provider t {
	probe own(long x);
	probe other(long x);
	probe in_group(long x);
	probe in_group_too(long x);
	probe single(long x);
	probe single_too(long x);
};
#pragma sdtkit group pair in_group in_group_too
#pragma sdtkit single_site single
#pragma sdtkit single_site single_too
