# Where a function of the C library waits the most, and its callers were not recorded, the report says how to record them. With them it does not.
for option in '' --call-paths; do
	"$MEMSPY" run -q $option --processors 1 --l1 32K,8,64 --l2 256K,8,64 --db "db$option" "$PROGRAMS/callers" >/dev/null
	"$MEMSPY" report --width 200 --db "db$option" | sed -n "s/__[a-z0-9_]*memset[a-z0-9_]*/memset/g; s/[0-9.]*%/P%/; /^Hint: memset/p"
	echo "-- $option"
done
