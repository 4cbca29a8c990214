/* What stands before the first property is not a name. */
#pragma sdtkit span ../request start=begin end=finish key=id
#pragma sdtkit span smb2:re quest start=begin end=finish key=id
#pragma sdtkit span start=begin end=finish key=id

provider srv {
	probe begin(int id);
	probe finish(int id);
};
