enum status { GOOD, BAD };
#pragma sdtkit names staus result
#pragma sdtkit names kind result
provider mine {
	probe event(int result);
};
