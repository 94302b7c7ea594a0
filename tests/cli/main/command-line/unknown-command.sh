# An unknown command that resembles no other is refused.
"$MEMSPY" zzyzx
