provider int8 { probe max(int value); };
provider byte { probe order(); };
provider clock { probe realtime(); };
provider size { probe max__(); };
