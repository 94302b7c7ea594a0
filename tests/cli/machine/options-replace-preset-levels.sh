# --l1 and --ll replace levels of a preset.
"$MEMSPY" machine dash --l1 1536,3,16 --ll 3M,3,32
