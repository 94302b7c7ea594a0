# Numbers along the axes of charts are round and never cover each other.
"$MEMSPY" run -q --workers 1 --db r.db --l1 16K,4,64 --ll 256K,16,64 "$BUILD/examples/matmul" 60 >/dev/null
"$MEMSPY" html --db r.db -o page.html
"$MEMSPY" run -q --observed-lines all --db arrays.db --l1 8K,8,64 --ll 1M,16,64 "$PROGRAMS/member-threads" >/dev/null
"$MEMSPY" html --db arrays.db -o arrays.html
mkdir job
"$BUILD/bench/ranks" job 40 60
"$MEMSPY" merge -q job -o ranks.db
"$MEMSPY" html --db ranks.db -o ranks.html
node "$SRC/tests/browser/axis.js" "file://$PWD/page.html" "file://$PWD/arrays.html" record.records "file://$PWD/ranks.html"
