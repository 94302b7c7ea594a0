# tests/programs/struct-copies.c: assignments of structures with arrays are left out; arithmetic on all members is not.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/struct-copies" >/dev/null
for type in note page flat moved; do
	echo "$type:"
	"$MEMSPY" fields --db r.db "$type" --csv | tr -d '\r' | tail -n +2 | cut -d, -f1,5,7,8 |
		awk -F, '{ print $1 "." $2 ": " ($3 > 0 ? "read" : "") ($4 > 0 ? "written" : "") }' | grep -E 'read|written'
done
