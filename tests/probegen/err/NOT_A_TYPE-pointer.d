provider mine {
	probe event(sdtkit_sockaddr_t *remote, const sdtkit_str_t text, sdtkit_hex_t ok);
};
