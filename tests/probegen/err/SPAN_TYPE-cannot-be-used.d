#pragma sdtkit nowarn floating-point
#pragma sdtkit span a start=begin end=end key=id
#pragma sdtkit span b start=begin end=end key=name
#pragma sdtkit span c start=begin end=end key=weight
#pragma sdtkit span d start=begin end=end key=code name=weight
#pragma sdtkit span e start=begin end=end key=code sum=at
#pragma sdtkit span f start=begin end=end key=code error=at
#pragma sdtkit span g start=begin end=end key=at,code
#pragma sdtkit span h start=part end=part_end key=at parent=j
#pragma sdtkit span i start=part end=part_end key=at parent=g(code)
#pragma sdtkit span j start=begin end=end key=code
provider mine {
	probe begin(int id, char *name, double weight, int code, void *at);
	probe end(uint32_t id, char *name, double weight, int code, void *at);
	probe part(void *at, int code);
	probe part_end(void *at);
};
