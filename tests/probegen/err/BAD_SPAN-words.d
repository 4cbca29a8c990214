#pragma sdtkit span a strat=begin end=end key=id
#pragma sdtkit span b start=begin end=end key=id key=code
#pragma sdtkit span c start=begin second end=end key=id
#pragma sdtkit span d start=begin end=begin key=id
#pragma sdtkit span e start=begin, end=end key=id
#pragma sdtkit span f start=begin end=end key=tid,id
#pragma sdtkit span g start=begin end=end key=id,code,who,what
#pragma sdtkit span h start=begin end=end key=id.begin.x
#pragma sdtkit span i start=begin ned=end
provider mine {
	probe begin(int id, int code, int who, int what);
	probe end(int id, int code, int who, int what);
};
