# A line that costs nothing itself, and much with what it calls, is shown if call paths are known. Without them it is not.
for option in '' --call-paths; do
	"$MEMSPY" run -q $option --processors 1 --l1 32K,8,64 --l2 256K,8,64 --db "db$option" "$PROGRAMS/callers" >/dev/null
	"$MEMSPY" lines --width 160 --context 0 --threshold 5 --db "db$option" | grep -o 'memset(block, [0-9], BYTES)'
	echo "-- $option"
done
