# A misspelt command is refused, with the most similar one.
"$MEMSPY" reprot
