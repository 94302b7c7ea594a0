# A printed page has all parts drawn, also those that were not opened, and the layouts of data; afterwards it is as before.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" html --db r.db -o page.html >/dev/null
node "$SRC/tests/browser/printed.js" "file://$PWD/page.html"
