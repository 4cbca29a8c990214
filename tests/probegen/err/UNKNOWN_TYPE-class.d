/* C++ has another word for a struct. */
provider p {
	probe opened(class CClient);
	probe closed(class CClient, int x);
};
