# memspy help help, help --help and help -h print the same; --help has precedence over wrong arguments.
"$MEMSPY" help help >one && "$MEMSPY" help --help >two && "$MEMSPY" help --nonsense -h >three &&
	cmp one two && cmp one three && cat one
