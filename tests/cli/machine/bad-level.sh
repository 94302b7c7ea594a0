"$MEMSPY" machine --l1 32K,8
