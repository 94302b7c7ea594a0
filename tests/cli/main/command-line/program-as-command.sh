# A program's name in place of a command is refused, with the command that profiles it.
"$MEMSPY" sort -n file
