#pragma sdtkit span a start=begin end=end key=id
#pragma sdtkit span b start=begin end=end key=indentity
#pragma sdtkit span c start=begin end=end key=id/end.numbr
#pragma sdtkit span d start=begin end=end key=id/end.number/pause.id
#pragma sdtkit span e start=begin end=end key=id/end.number error=code
#pragma sdtkit span f start=begin end=end key=id/end.number sum=begin.bytes
#pragma sdtkit span g start=begin end=end key=id/end.number parent=j(cod)
#pragma sdtkit span h start=begin end=end key=id/end.number suspend=pause name=pause.id
#pragma sdtkit span i start=begin,other end=end key=id/end.number
#pragma sdtkit span j start=begin end=end key=id/number
provider mine {
	probe begin(int id, int code, uint64_t identity);
	probe end(int number, uint64_t identity);
	probe pause(int id);
	probe other(int ident);
};
