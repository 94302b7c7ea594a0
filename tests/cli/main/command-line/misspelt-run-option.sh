# An unknown option of memspy run is refused, with a similar one.
"$MEMSPY" run --machin dash -- true
