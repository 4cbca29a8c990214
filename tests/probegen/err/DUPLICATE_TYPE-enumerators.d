enum shape { ROUND, SQUARE, ROUND = 7 };
provider drawing {
	probe drawn(enum shape shape);
};
