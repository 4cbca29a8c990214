#pragma sdtkit span request start=begin end=end key=id
#pragma sdtkit span part start=part_begin end=part_end key=id parent=requests
provider mine {
	probe begin(int id); probe end(int id);
	probe part_begin(int id); probe part_end(int id);
};
