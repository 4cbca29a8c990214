provider a { probe b(); };
provider a { probe c(); };
