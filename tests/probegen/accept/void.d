provider p { probe e(void); };
