enum status { GOOD, BAD = 0xC0000001 };
enum letter { A = 'a', UMLAUT = 228 };
enum size { WORD = sizeof(long) };
#pragma sdtkit names status result code
#pragma sdtkit names letter first
#pragma sdtkit names size bytes
provider mine {
	probe event(int result, uint32_t code, uint64_t bytes, char first);
};
