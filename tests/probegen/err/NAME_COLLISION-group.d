provider mine {
	probe event_traced(int fd);
	probe one();
	probe two();
	probe three();
};
#pragma sdtkit group event one
#pragma sdtkit group a__b two
#pragma sdtkit group a_b three
