provider smb2 {
	/* three faults, three messages */
	probe request_end(uint64_t mid, NTSTATUS status);
	probe connection_end(smbXsrv_connection *xconn,
		unsigned Oid id);
};
