# A type is found as other names are: in any case, by its last component, by a pattern; one that fits data better is that of data.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
sqlite3 r.db "select distinct type from data where type like '%record%' or type like '%slot%'" | sort
for name in record RECORD 'struct record' 'rec*' 'SLO?' 'slot*'; do
	echo "$name: $("$MEMSPY" fields --db r.db --json "$name" 2>&1 | grep -o '"name": "[^"]*", "type": "[^"]*"\|fits several.*\|there is no[^;]*' | head -n 3 | xargs)"
done
# The type of the elements that a container of the C++ library holds (tests/programs/member-use.cc).
"$MEMSPY" run -q --observed-lines all --db c.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/member-use" >/dev/null
"$MEMSPY" fields --db c.db entity | grep -A 1 "^MEMBERS OF .*crowd"
