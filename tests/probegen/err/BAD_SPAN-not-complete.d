/* Several providers, and spans that lack something. */
provider mine {
	probe begin(int id);
	probe end(int id);
	probe pause(int id);
};
provider other {
	probe event(int id);
};
#pragma sdtkit span mine:lone
#pragma sdtkit span
#pragma sdtkit span request start=begin end=end key=id
#pragma sdtkit span mine:a start=begin
#pragma sdtkit span mine:b start=begin end=end key=id resume=pause
#pragma sdtkit span mine:c start=begin end=end key=id ok=1
#pragma sdtkit span mine:d start=begin end=end key=id name=
