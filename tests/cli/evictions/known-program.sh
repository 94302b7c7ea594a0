# Programs with known evictions: two arrays that evict each other, from known source lines; the same with any number of workers,
# without debug information, and in a cache of one line.
run() { "$MEMSPY" run -q --machine memspy-1992-matmul "$@" || echo "status $?"; }
places() { "$MEMSPY" evictions --csv --level L1 "$@" | tr -d '\r'; }
walk() { places --of left --of right --at walk | awk -F, '$4 > 1 { print $2, $3, $4, $6, $9 }'; }
run --l1 32K,1,64 --trace t.trace "$PROGRAMS/collide"
walk
"$MEMSPY" replay -q --machine memspy-1992-matmul --l1 32K,1,64 --workers 1 t.trace
places >one
"$MEMSPY" replay -q --machine memspy-1992-matmul --l1 32K,1,64 --workers 3 t.trace
places | cmp - one
# What is evicted adds up: to all evictions, and data by data to 1. All but the lines of the cache were full.
"$MEMSPY" evictions --json >all.json
python3 - <<'END'
import json
e = json.load(open('all.json'))
for level in e['levels']:
    mine = [p for p in e['places'] if p['level'] == level['name']]
    print(level['name'], sum(p['evictions'] for p in mine) == level['evictions'],
          0 <= level['misses'] - level['evictions'] <= 512)
for victim in {(p['level'], p['evicted']) for p in e['pairs']}:
    shares = [p['share'] for p in e['pairs'] if (p['level'], p['evicted']) == victim]
    if abs(sum(shares) - 1) > 1e-9:
        print(victim, sum(shares))
END
# One line: whatever comes pushes out what was there.
run --l1 64,1,64 "$PROGRAMS/collide"
walk
"$MEMSPY" evictions | awk '/^Evicted by/ { print $4, $5 } /^(left|right) / { print $1 }'
# No symbols and no lines: by module and offset.
strip -o stripped "$PROGRAMS/collide"
run --l1 32K,1,64 ./stripped
"$MEMSPY" evictions --of 'stripped[.bss]' --by 'stripped[.bss]' |
	sed -n '/^EVICTIONS BY SOURCE/,$s/+0x[0-9a-f]*/+OFFSET/p' | head -n 1
# Who is there: both arrays fit into two ways, and stay; in one way the last one to come does. On any number of workers.
for cache in 64K,2,64 32K,1,64; do
	for workers in 1 3; do
		"$MEMSPY" replay -q --machine memspy-1992-matmul --l1 $cache --workers $workers t.trace
		"$MEMSPY" evictions --occupancy --csv | tr -d '\r' >who.$workers
		"$MEMSPY" evictions --timeline --csv >when.$workers
	done
	cmp who.1 who.3 && cmp when.1 when.3
	awk -F, '$2 == "left" || $2 == "right" { print $1, $2, $4, $6, ($3 > 0.3 * $6) }' who.1
done
