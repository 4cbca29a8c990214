#pragma sdtkit alias mine yours
#pragma sdtkit alias mine a-b
#pragma sdtkit alias mine pid
provider mine {
	probe event(int fd);
};
provider yours {
	probe event(int fd);
};
