# MEMSPY_L1 sets the first level.
MEMSPY_L1=16K,1,16 "$MEMSPY" machine --csv
