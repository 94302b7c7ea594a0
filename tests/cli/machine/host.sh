# This machine, whatever it is: levels, memory, and the origin of every figure.
"$MEMSPY" machine
