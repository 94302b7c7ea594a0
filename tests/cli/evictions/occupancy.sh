# Cache contents by data structure: as a drawing on a terminal, as digits elsewhere, by time slice, and as CSV.
. "$SRC/tests/cli/evictions/lib.bash"
who() { evictions "$@" | sed '1,4d'; }
who --occupancy
who --occupancy --color always
who --occupancy --of '<stack>' --of X
who --occupancy --level L2 --top 1
who --occupancy --width 40
who --timeline
evictions --occupancy --csv | tr -d '\r'
evictions --timeline --csv --level L1 --of X | tr -d '\r'
# A run of an older memspy has none.
sqlite3 "$db" 'update run set steps = 0, slice_steps = 0; delete from occupancy; delete from stay'
who --occupancy
evictions --occupancy --csv
evictions --json | tail -n 2
