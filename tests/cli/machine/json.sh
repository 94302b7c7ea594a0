# A preset as JSON.
"$MEMSPY" machine show dash --json
