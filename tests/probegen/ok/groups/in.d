/* Probes that share a semaphore. */
#pragma sdtkit alias smb2 smb
#pragma sdtkit single_site request__end
#pragma sdtkit group request request__start
provider smb2 {
	/* A request begins. */
	probe request__start(uint64_t mid, char *name);
	probe request__end(uint64_t mid, int status);
	probe cancel();
	/* This one has a semaphore of its own. */
	probe idle();
	probe credits(int16_t left);
};
#pragma sdtkit group request request__end cancel
#pragma sdtkit group flow_ credits
