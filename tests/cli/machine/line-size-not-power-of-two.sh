# A line size that is no power of two is refused.
"$MEMSPY" machine --l1 32K,8,48
