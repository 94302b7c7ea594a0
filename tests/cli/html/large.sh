# 5000 functions, 5000 data, 100000 pairs: the page stays a page.
db=$("$DBS/make" matmul)
sqlite3 -bail "$db" <"$SRC/tests/browser/large.sql"
"$MEMSPY" html --db "$db" -o page.html @2
[ "$(stat -c %s page.html)" -lt 25000000 ] && echo below 25 MB
node "$SRC/tests/browser/large.js" "file://$PWD/page.html"
