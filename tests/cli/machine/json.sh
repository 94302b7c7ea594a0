"$MEMSPY" machine show dash --json
