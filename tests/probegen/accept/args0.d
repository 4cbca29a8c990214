provider p { probe e(); };
