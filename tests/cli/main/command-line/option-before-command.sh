# An option before the command is refused: options follow a command.
"$MEMSPY" --machine dash ./program
