/* The requests of the server, all files in /etc/*.
provider smb {
	/* A request is dispatched. */
	probe start(int x);
};
provider other {
	/* This one swallows a probe, which nobody would miss.
	probe lost(int x);
	/* Another. */
	probe kept(int x);
};
