# The machine of this host: levels, memory, and the origin of every figure.
"$MEMSPY" machine
