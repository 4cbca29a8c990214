/* What is not read because of a syntax error is not reported as missing. */
#pragma sdtkit single_site request_start
#pragma sdtkit group request request_start request_end
#pragma sdtkit span request start=request_start end=request_end key=req
provider smb2 (
	probe request_start(void *req, marked_t m);
	probe request_end(void *req);
};
#pragma D attributes Evolving/Evolving/Common provider smb2 provider
provider tevent2 {
	probe loop();
};
#pragma sdtkit alias tevent2 tevent
