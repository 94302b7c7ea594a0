# tests/programs/held-elements.cc: the type of `push_back(new body())` is that of the container's elements.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/held-elements" >/dev/null
for type in body shape owned; do
	echo "$type:"
	"$MEMSPY" fields --db r.db "$type" --csv | tr -d '\r' | cut -d, -f1-6 | tail -n +2
done
