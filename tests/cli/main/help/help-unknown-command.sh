# memspy help with an unknown command is refused, with a similar one.
"$MEMSPY" help machin
