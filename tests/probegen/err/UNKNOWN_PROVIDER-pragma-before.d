#pragma D attributes Evolving/Evolving/Common provider mine provider
#pragma sdtkit alias yours other
provider mine {
	probe event(int fd);
};
