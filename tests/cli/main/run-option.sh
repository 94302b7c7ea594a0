"$MEMSPY" run --machin dash -- true
