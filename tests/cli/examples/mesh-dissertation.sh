# examples/mesh as in section 4.5.1 of the 2004 dissertation: each level of the pointer trees K and disp is a data structure of
# its own; allocated in one piece they miss less, and static arrays have no pointers to miss.
. "$SRC/tests/cli/run/lib.bash"
for layout in pointers contiguous static; do
	profile $layout --machine buck-2004 -- "$EXAMPLES/mesh-$layout" 10 5
	[ "$status" = 0 ] || fail "$layout: exit status $status: $(tail -n 3 $layout.err)"
done
[ "$(cat pointers.out contiguous.out static.out | sort -u | wc -l)" = 1 ] || fail "$(cat ./*.out)"
python3 "$SRC/tests/cli/examples/mesh-dissertation.py" || fail "see above"

# memspy show finds each level by its name
for name in 'double **.K' 'double *.K[]' 'double.K[][]' 'double **.disp' 'double *.disp[]' 'double.disp[][]'; do
	"$MEMSPY" show --db pointers.db --data "$name" --code smvp >show.txt || fail "show $name"
	grep -qF -- "$name" show.txt || fail "show $name does not say it: $(cat show.txt)"
done
finish
