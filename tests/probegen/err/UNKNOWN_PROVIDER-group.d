provider mine {
	probe event();
};
#pragma sdtkit group mien:event event
#pragma sdtkit group event
