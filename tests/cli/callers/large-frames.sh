# A function that extends its stack frame by a variable size leaves no function: the paths of mutually recursive functions that it calls are known.
for frontend in native valgrind; do
	"$MEMSPY" run -q --call-paths --frontend $frontend --db $frontend.db --l1 32K,8,64 --l2 64K,8,64 "$PROGRAMS/large-frame-callers"
	"$MEMSPY" callers --db $frontend.db --csv | tr -d '\r' |
		sed -n 's/.* > extend ([^)]*) > //; s/,touch,[^,]*,\([0-9]*\),.*/ \1/p' |
		awk '$NF > 100000 { n = $NF; sub(/ [0-9]*$/, ""); gsub(/ \([^)]*\)/, ""); print $0, int(n / 100000) }' | sort >$frontend.paths
done
cat native.paths
cmp native.paths valgrind.paths && echo "the same with both front-ends"
