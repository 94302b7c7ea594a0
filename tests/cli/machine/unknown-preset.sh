# An unknown preset is refused, with a similar name.
"$MEMSPY" machine dahs
