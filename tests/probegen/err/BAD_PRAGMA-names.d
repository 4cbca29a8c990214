enum status { GOOD, BAD };
enum kind { FILE, PIPE };
#pragma sdtkit names status
#pragma sdtkit names status result name other
#pragma sdtkit names status result
#pragma sdtkit names kind result
provider mine {
	probe event(int result, char *name);
};
