# A comparison as text, CSV and JSON: changed, removed and new data structures, and several runs on each side.
set -u
db=$("$DBS/make" matmul)
again() { # the same run once more, changed: @2, @3 ...
	"$MEMSPY" runs export @1 copy.db --db "$db" >/dev/null
	sqlite3 copy.db "update run set uid = '$1', tag = '$2', note = '$3'; $4"
	"$MEMSPY" runs import copy.db --db "$db" >/dev/null
	rm copy.db
}
again 2 new 'rows padded' "update miss set replaced = replaced - 7000000 where cell = 0 and level = 0;
	update miss set replaced = replaced + 50000 where cell = 3 and level = 0;
	update data set name = 'Tree.left', full_name = 'grow (tree.c:3) > Tree.left', type = 'Tree' where data = 1;
	update line set source_line = source_line + 10; update code set source_line = source_line + 10"
diff() {
	"$MEMSPY" diff --db "$db" "$@"
}
diff base new
diff base new --by data --metric L1_misses
diff base new --by code --top 1
diff base new --by cause --width 60
diff base new --by data --width 40
diff base new --by line --csv --top 2
diff base new --by cause --csv
diff base new --json --top 1
# Others like it on both sides: what varies is noise.
again 3 base '' 'update miss set replaced = replaced + 300000 where cell = 0 and level = 0'
again 4 base '' 'update miss set replaced = replaced - 300000 where cell = 0 and level = 0'
again 5 late '' 'update miss set replaced = replaced + 100000 where cell = 0 and level = 0;
	update miss set replaced = replaced + 40000 where cell = 3 and level = 0'
again 6 late '' 'update miss set replaced = replaced + 40000 where cell = 3 and level = 0'
diff base late --by bin
diff base late --by bin --color always | grep -c "$(printf '\033\\[2m')"
diff base late -q --fail-if 'stall of Y > 0%' && echo "Y: noise"
diff base late -q --fail-if 'stall of X > 0%'
echo "status $?"
# Two databases.
"$MEMSPY" runs export base base.db --db "$db" >/dev/null
diff --base-db base.db @1 @2 --by data | head -n 5
# Rules hold for both sides: names and groups of one's own.
"$MEMSPY" combine --db "$db" Matrices Matrix.X Matrix.Y >/dev/null
diff @1 @2 --by data | sed -n '/CHANGES/,$p' | head -n 4
diff @1 @2 --by data --rules none | sed -n '/CHANGES/,$p' | head -n 4
"$MEMSPY" export collapsed --db "$db" @1 | grep -c Matrices
# What cannot be.
for words in '' '1 2 3' '1 99' '1 nothing' '1 2 --metric nothing' '1 2 --fail-if nonsense' '1 2 --json --csv'; do
	# shellcheck disable=SC2086 # words
	diff $words >/dev/null
	echo "status $?"
done
# A condition that is none is refused before anything is shown.
diff 1 2 --fail-if nonsense 2>&1 | head -n 1
