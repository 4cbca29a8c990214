enum result { GOOD, BAD, TOO_LATE };
#pragma sdtkit names result code
#pragma sdtkit span a start=begin end=end key=id error=code ok=GOOD,TO_LATE
#pragma sdtkit span b start=begin end=end key=id error=code<0 ok=0
#pragma sdtkit span c start=begin end=end key=id error=code ok=-1
#pragma sdtkit span d start=begin end=end key=id error=code ok=010
provider mine {
	probe begin(int id);
	probe end(int id, uint32_t code);
};
