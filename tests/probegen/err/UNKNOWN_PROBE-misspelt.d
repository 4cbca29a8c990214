#pragma sdtkit span a start=beginn end=end key=id
#pragma sdtkit span b start=mine:begin end=theirs:end,theirs:stop key=id
#pragma sdtkit span c start=begin end=their:end key=id
#pragma sdtkit span d start=begin end=end:key=id
provider mine {
	probe begin(int id); probe end(int id); probe stop(int id);
};
