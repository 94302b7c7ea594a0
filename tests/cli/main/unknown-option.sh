"$MEMSPY" --machine dash ./program
