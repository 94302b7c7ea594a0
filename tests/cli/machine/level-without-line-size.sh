# --l1 without a line size is refused.
"$MEMSPY" machine --l1 32K,8
