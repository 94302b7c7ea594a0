# tests/programs/element-headers.cc: where elements begin in heap objects, by the members that are read. If it is not
# known, no member is shown.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/element-headers" >/dev/null
for type in mixed equal table counted pair padded shifted; do
	echo "$type:"
	"$MEMSPY" fields --db r.db --width 200 "$type" | grep -E '^(Type|Its|to be|Not|only|element)'
	"$MEMSPY" fields --db r.db "$type" --csv | tr -d '\r' | tail -n +2 | cut -d, -f2-5,7 | awk -F, '$5 > 4096 || $4 ~ /header/'
done
