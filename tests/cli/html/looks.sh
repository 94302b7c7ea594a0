# Parts of the page have room on a wide screen, a phone and paper, light and dark; texts are apart and can be read.
for db in parallel windows paths; do
	"$MEMSPY" html --db "$("$DBS/make" $db)" -o $db.html
done
mkdir job
"$BUILD/bench/ranks" job 40 60
echo damaged >job/9.db
"$MEMSPY" merge -q job -o ranks.db 2>/dev/null
"$MEMSPY" html --db ranks.db -o ranks.html
node "$SRC/tests/browser/looks.js" "file://$PWD/ranks.html" "file://$PWD/parallel.html" "file://$PWD/windows.html" "file://$PWD/paths.html"
