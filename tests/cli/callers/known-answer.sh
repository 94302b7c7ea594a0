# Callers of functions, with both front-ends: touch() is called three times by often(), once by rarely() and once by descend(); memset() twice by
# clear() and once by wipe(). Shares of misses are exact.
misses() { # DATABASE NAME: callers one deep and their misses of the first level, in multiples of 64: return addresses on the stack miss, too
	"$MEMSPY" callers --db "$1" --csv "$2" | tr -d '\r' | awk -F, '$1 == 0 && $7 > 1000 { print $2, $5, $7 - $7 % 64 }' | sort
}
for frontend in native valgrind; do
	"$MEMSPY" run -q --call-paths --frontend $frontend --db $frontend.db --l1 32K,8,64 --l2 256K,8,64 "$PROGRAMS/callers" >/dev/null 2>err ||
		{ grep -q 'native front-end\|Valgrind' err && exit 77; cat err; }
	echo "$frontend:"
	misses $frontend.db touch
	misses $frontend.db '*memset*' | awk '{ $3 = int($3 / 1000); print }' # and a few of other memory
	"$MEMSPY" callers --db $frontend.db --threshold 5 touch | sed -n '/often/,/main/p' | sed 's/.*misses//; s/^[ 0-9.KM]*//' | head -n 2
	sqlite3 $frontend.db "select case when (select sum(misses) from path_miss) = (select sum(first + replaced + invalidated) from miss)
		then 'all misses have a path' else 'sums differ' end"
done
