provider mine {
	probe event(int fd);
	probe other();
};
provider yours {
	probe event();
};
#pragma sdtkit group pair event other
#pragma sdtkit group mine:1 event
#pragma sdtkit group mine:pair event othr
#pragma sdtkit group mine:pair event
#pragma sdtkit group mine:second other event
