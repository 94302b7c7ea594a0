# Without evictions memspy says why there are none.
. "$SRC/tests/cli/evictions/lib.bash"
short --of counter                # never missed
short --of '<unknown>'            # missed, and stayed
short --of '<stack>' --level L2   # nothing here, but elsewhere
short --of Matrix.Z --by Matrix.X # not by that
sqlite3 "$db" 'update replacement set victims = null where run = 1'
evictions --color always
"$MEMSPY" evictions --db "$("$DBS/make" parallel)" | tail -n 7
evictions --json | tail -n 6
evictions --csv
