provider smb {
	probe request-done(int status);
	probe request--sent--late(int status);
	probe request(int nt-status, char *user-name);
};
provider my-server {
	probe idle();
};
