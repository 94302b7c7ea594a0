# Where a window begins, the calls that led there are unwound: all paths of a sampled run are complete, also below a deep recursion and in threads,
# with windows that are counted (1/10) and ones that a timer opens (1/100).
paths() { # DATABASE: paths of misses of the program's functions, without functions of the C library
	"$MEMSPY" callers --db "$1" --csv | tr -d '\r' |
		awk -F, -v least="$2" '$5 > least && $3 ~ /programs\// { path = $1; gsub(/[^>]* \([^)]*(libc|ld-linux)[^)]*\) > /, "", path)
			gsub(/ \([^)]*\)/, "", path); sub(/_start > */, "", path); print path }' | sort -u
}
for sample in 1/10 1/100; do
	"$MEMSPY" run -q --call-paths --frontend native --processors 1 --sample $sample --window 10K --db db --l1 32K,8,64 --l2 64K,8,64 \
		"$PROGRAMS/window-callers" 2>err >/dev/null || cat err
	echo "$sample:"
	paths db 1000
	sqlite3 db "select sum(misses) = (select sum(first + replaced + invalidated) from miss) from path_miss"
	rm db
done
# Functions that are left by exceptions, longjmp() and signals.
"$MEMSPY" run -q --call-paths --frontend native --sample 1/4 --window 20K --db db --l1 32K,8,64 --l2 256K,8,64 "$PROGRAMS/left-functions" 2>/dev/null >/dev/null
paths db 1000 | grep -v 'handle\|coroutine'
