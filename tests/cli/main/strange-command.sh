"$MEMSPY" zzyzx
