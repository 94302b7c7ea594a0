"$MEMSPY" reprot
