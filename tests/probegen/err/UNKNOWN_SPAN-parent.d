#pragma sdtkit span request start=begin end=end key=id
#pragma sdtkit span part start=part_begin end=part_end key=id parent=requests
#pragma sdtkit span wait start=wait_begin end=wait_end key=tid parent=runing
provider mine {
	probe begin(int id); probe end(int id);
	probe part_begin(int id); probe part_end(int id);
	probe wait_begin(); probe wait_end();
};
