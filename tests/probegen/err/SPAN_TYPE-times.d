#pragma sdtkit nowarn floating-point
#pragma sdtkit span a end=done duration=took_ms
#pragma sdtkit span b end=done duration=us(name)
#pragma sdtkit span c end=done started=s(seconds)
provider mine {
	probe done(int took_ms, char *name, double seconds);
};
