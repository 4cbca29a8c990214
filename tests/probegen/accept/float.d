provider p { probe e(float x, double y); };
