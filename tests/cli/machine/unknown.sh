"$MEMSPY" machine dahs
