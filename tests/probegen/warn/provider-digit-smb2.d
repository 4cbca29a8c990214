provider smb2 {
	probe request_start(uint64_t mid);
};
provider tls13 {
	probe event(int fd);
};
#pragma sdtkit alias tls13 tls
