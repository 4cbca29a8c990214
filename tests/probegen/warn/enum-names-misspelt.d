enum shape { ROUND, SQUARE };
provider drawing {
	probe drawn(enum shpe shape);
	probe written(enum alphabet letters);
};
