# A unique part of a name selects a data structure or a function; an ambiguous part lists the candidates.
export MEMSPY_DB=$("$DBS/make" matmul)
show() { echo "show $*"; "$MEMSPY" show "$@" 2>&1 | grep -e ^DETAILED -e ^memspy; }
show Y
show Y Blk
show Matrix.Z main @1
show ount
show base
show 1 Y
show 'Matrix.*' main Clear
show Matrix
show m
show e
show xyzzy
show --data main
"$MEMSPY" fullname Y '<unknown>'
"$MEMSPY" fullname --csv
"$MEMSPY" fullname --json X | tail -4
"$MEMSPY" fullname Matrix
# Ignoring case, and by the last component; of several the one with the largest cost is taken, and named.
show y multiply
show BLKMULTIPLY
sqlite3 "$MEMSPY_DB" "update data set name = 'int.Y' where name = 'Matrix.Y'; update data set name = 'Y' where name = 'counter'"
show y blk
show Y main
show --data Y
