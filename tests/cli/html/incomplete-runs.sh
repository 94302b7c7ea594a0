# Pages of interrupted, empty and incomplete runs: every part opens, and the page says what is missing.
pages=()
page() {
	"$MEMSPY" html --db "$db" -o "$1.html" && pages+=("file://$PWD/$1.html")
}
new() { rm -f matmul.db && db=$("$DBS/make" matmul) && sqlite3 "$db"; }

new <<<"update run set ended = 'interrupted', exit_status = 2, instructions = 1000;"
page interrupted
new <<<"update run set ended = 'lost', exit_status = 0;"
page lost
new <<'END'
delete from replacement; delete from miss; delete from cell; delete from site; delete from line; delete from code;
delete from frame; delete from occupancy; delete from stay; delete from slice_miss; delete from slice_line; delete from slice_sum; delete from set_slice; delete from slice; delete from data;
update run set instructions = 0, refs = 0, steps = 0, slice_steps = 0; update level set misses = 0;
END
page empty
new <<<"update code set file = null, source_line = 0; update line set file = null, source_line = 0; update frame set file = null, source_line = 0; delete from stay; delete from occupancy;"
page no-debug-information
new <<<"delete from replacement; delete from miss; delete from occupancy; delete from stay; delete from slice_miss; delete from slice_line; delete from slice_sum; delete from set_slice; delete from level;"
page no-levels
db=$("$DBS/make" parallel)
page processors
db=$("$DBS/make" hardware)
page sampled-on-the-machine
sqlite3 "$db" 'delete from hardware_latency; delete from hardware_sample; delete from cell; update hardware set samples = 375;'
"$MEMSPY" html --db "$db" -o nothing-waited.html @timer && pages+=("file://$PWD/nothing-waited.html")
sqlite3 "$db" 'delete from hardware_compute; delete from hardware_loss; update hardware set samples = 0;'
"$MEMSPY" html --db "$db" -o no-samples.html @timer && pages+=("file://$PWD/no-samples.html")
node "$SRC/tests/browser/all-parts.js" "${pages[@]}"
