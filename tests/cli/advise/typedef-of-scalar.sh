# A snippet declares elements by the name of their type; "struct" stands before it only where its members are known.
"$MEMSPY" run -q --machine memspy-1992-matmul -- "$EXAMPLES/matmul" >/dev/null
"$MEMSPY" advise | grep 'Y\[ROWS\]'
