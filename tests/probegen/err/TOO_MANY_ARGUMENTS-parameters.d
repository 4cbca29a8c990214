provider mine {
	probe event(sdtkit_counted_t a, sdtkit_counted_t b, sdtkit_counted_t c,
		    sdtkit_counted_t d, sdtkit_counted_t e, sdtkit_counted_t f, int g);
	probe fits(sdtkit_counted_t a, sdtkit_counted_t b, sdtkit_counted_t c,
		   sdtkit_counted_t d, sdtkit_counted_t e, int f);
};
