provider a { probe b_c(); };
provider a_b { probe c(); };
