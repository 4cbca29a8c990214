provider arg { probe str(int a); };
provider record { probe text(int a); };
provider recorder { probe text(int a); };
