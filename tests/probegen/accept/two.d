provider p { probe e(); }; provider q { probe e(); };
