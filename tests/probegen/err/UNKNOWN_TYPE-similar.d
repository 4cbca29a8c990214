typedef int nt_status_t;
provider smb {
	probe integers(uint32 a, uint64t b, __u16 c, s8 d, UINT32 e, u_int8_t f);
	probe names(sting a, usigned b, nt_statust c, sdtkit_strt d, sizet e);
	probe pointers(files_struct *a, uint32 *b, FILE **c);
	probe unlike(NTSTATUS a);
};
