# A preset as text.
"$MEMSPY" machine dash
