# Functions that are left by exceptions, longjmp(), signals and switches of coroutines: the callers of each, with thousands of misses, are right
# afterwards. Functions of the C library in between depend on the front-end.
for frontend in native valgrind; do
	"$MEMSPY" run -q --call-paths --frontend $frontend --db $frontend.db --l1 32K,8,64 --l2 256K,8,64 "$PROGRAMS/left-functions" >/dev/null
	"$MEMSPY" callers --db $frontend.db --csv | tr -d '\r' |
		sed -n 's/.* > main ([^)]*) > //; s/^[^>]*main ([^)]*) > //; s/ > \([^,>]*\),touch,[^,]*,[0-9]*,/ > \1,/p' |
		awk -F, '$2 > 60000 { path = $1; gsub(/ \([^)]*\)/, "", path); gsub(/(raise|pthread_kill|__pthread_kill_implementation|swapcontext) > /, "", path)
			misses[path] += $2 } END { for (path in misses) print path, int(misses[path] / 1000) }' | sort >$frontend.paths
done
cat native.paths
cmp native.paths valgrind.paths && echo "the same with both front-ends"
