# An unknown option of a command is refused, with a similar one.
"$MEMSPY" machine --jsno
