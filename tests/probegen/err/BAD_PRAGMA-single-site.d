provider mine {
	probe event(int fd);
};
#pragma sdtkit single_site event evnt
#pragma sdtkit single_site
