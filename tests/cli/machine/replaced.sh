"$MEMSPY" machine dash --l1 1536,3,16 --ll 3M,3,32
