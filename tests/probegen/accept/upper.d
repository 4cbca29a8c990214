provider Pp { probe E_x__Y(); };
