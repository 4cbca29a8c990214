#pragma sdtkit span a start=a_start end=a_end key=id parent=b
#pragma sdtkit span b start=b_start end=b_end key=id parent=a
#pragma sdtkit span c start=c_start end=c_end key=tid
#pragma sdtkit span d start=d_start end=d_end key=id parent=c(id)
#pragma sdtkit span e start=d_start end=d_end key=id parent=c()d
provider mine {
	probe a_start(int id); probe a_end(int id);
	probe b_start(int id); probe b_end(int id);
	probe c_start(int id); probe c_end(int id);
	probe d_start(int id); probe d_end(int id);
};
