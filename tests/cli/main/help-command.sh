# Three ways to the help of a command; --help wins over mistakes.
"$MEMSPY" help help >one && "$MEMSPY" help --help >two && "$MEMSPY" help --nonsense -h >three &&
	cmp one two && cmp one three && cat one
