# Parts of the page have room on a wide screen, a phone and paper, light and dark; texts are apart and can be read.
for db in parallel windows paths; do
	"$MEMSPY" html --db "$("$DBS/make" $db)" -o $db.html
done
node "$SRC/tests/browser/looks.js" "file://$PWD/parallel.html" "file://$PWD/windows.html" "file://$PWD/paths.html"
