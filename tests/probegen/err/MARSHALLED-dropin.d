/* options: -h */
provider mine {
	probe event(int ok, sdtkit_sockaddr_t remote);
	probe time(sdtkit_timespec_t when);
};
