# Data structures split by size, thread and member: natively and under Valgrind, on one and two processors, and in a replay.
gcc -g -O0 -pthread -o parts "$SRC/tests/cli/rules/parts.c"
simulate='--l1 8K,2,64'
# The columns up to the name with its allocation path.
cut_after_name() { awk -F, -v OFS=, 'NR == 1 { for (after = 0; $(NF - after) != "full_name"; after++) {} } { NF -= after; print }'; }
rows() { "$MEMSPY" data --csv "$@" | tr -d '\r' | cut_after_name | grep -v -e libc.so -e memspy-native.so | grep -e node.list -e table -e mine -e char.b | sed 's/,\./+./' |
	awk -F, '{ print $NF, $3 }' | sed 's/.* > //; s/ in .*\/parts/ in parts/; s/"//' | sort; }
# shellcheck disable=SC2086
"$MEMSPY" run -q $simulate --rules none ./parts
rows
"$MEMSPY" split --by field list 'table'
"$MEMSPY" split --by size char.b
"$MEMSPY" split --by thread mine
echo "split:"
# shellcheck disable=SC2086
"$MEMSPY" run -q $simulate --trace t.trace ./parts
rows | tee one
"$MEMSPY" replay -q --workers 3 --l1 8K,2,64 t.trace
rows | diff one - && echo "replay: the same"
"$MEMSPY" run -q --processors 2 $simulate ./parts
rows | diff one - && echo "two processors: the same"
"$MEMSPY" run -q --frontend native $simulate ./parts
rows | diff one - && echo "native: the same"
"$MEMSPY" rules
"$MEMSPY" fullname next
echo "by who allocates:"
"$MEMSPY" combine all --pattern 'long int.mine*' 'char.b*'
"$MEMSPY" split --by caller=1 --pattern all
"$MEMSPY" data --top 10000 --threshold 0 --width 200 | grep -o ' all < .*'
echo "parts by their names:"
"$MEMSPY" rename 'all < work' workers
"$MEMSPY" rename 'node.list{.next}' links
"$MEMSPY" rename 'char.b{33-64}' small --pattern
"$MEMSPY" data --top 10000 --threshold 0 --width 200 | grep -oE ' (workers|links|all < .*)$' | sort
"$MEMSPY" combine parts 'all < buffer' links
"$MEMSPY" data --top 10000 --threshold 0 --width 200 | grep -oE ' (workers|links|parts|all < .*)$' | sort
"$MEMSPY" rules | tail -n 5
