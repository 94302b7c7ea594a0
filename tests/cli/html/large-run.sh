# The page of a run with 5,000 functions, 5,000 data structures and 100,000 bins stays usable.
db=$("$DBS/make" matmul)
sqlite3 -bail "$db" <"$SRC/tests/browser/large.sql"
export MEMSPY_GROUP=none # each data structure has a row
"$MEMSPY" html --db "$db" -o page.html @2
# Compressed it can be mailed.
[ "$(stat -c %s page.html)" -lt 3000000 ] && echo below 3 MB
node "$SRC/tests/browser/large.js" "file://$PWD/page.html"
# A larger run leaves the smallest pairs out, and says so.
sqlite3 "$db" <<'END'
update code set name = printf('%016x%016x%016x', code * 2654435761 + 7, code * 40503 * 2654435761, code * 69069 * 40503) where run = 2;
update data set name = printf('%016x%016x%016x', data * 2654435761 + 3, data * 40503 * 2654435761, data * 69069 * 40503), full_name = printf('%d', data * 2654435761) where run = 2;
update miss set first = (cell * 2654435761 + level * 40503) % 999983, replaced = (cell * 40503 + level * 69069) % 999979 where run = 2;
END
"$MEMSPY" html --db "$db" -o larger.html @2
[ "$(stat -c %s larger.html)" -lt 3000000 ] && echo below 3 MB
node "$SRC/tests/browser/left-out.js" "file://$PWD/larger.html"
