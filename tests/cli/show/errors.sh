# Ambiguous and unknown names are refused with a message.
db=$("$DBS/make" matmul)
try() { "$MEMSPY" show --db "$db" "$@"; echo "status $?"; }
try --data Matrix
try --data nothing
try --code 'n*g'
