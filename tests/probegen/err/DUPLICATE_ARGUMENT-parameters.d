provider mine {
	probe event(sdtkit_counted_t name, int name_length);
};
