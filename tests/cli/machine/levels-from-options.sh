# --l1 and --ll describe a whole machine.
"$MEMSPY" machine --l1 32K,8,64 --ll 8M,16,64,30
