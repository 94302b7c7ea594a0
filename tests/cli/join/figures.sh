# memspy join stores a run with measured time and simulated causes; reports show both, and where they disagree.
db=$("$DBS/make" joined)
"$MEMSPY" join --db "$db" before timer --tag both | sed 's/^Run:.*@both/Run: @both/'
"$MEMSPY" report --db "$db" both --by data --width 150 | sed -n '/^BY DATA/,$p'
"$MEMSPY" show --db "$db" both --data Matrix.Z | sed -n '/^DETAILED/,/^Latency/p'
# The same in the other order; the run is stored, with what it was made of.
"$MEMSPY" join --db "$db" -q @timer @before
"$MEMSPY" runs --db "$db" --width 150 | head -n 6 | sed "s/  */ /g"
sqlite3 "$db" 'select part, uid, tag, started from origin where run = 5 order by origin'
sqlite3 "$db" 'pragma foreign_key_check; pragma integrity_check'
# The simulated time is still there.
"$MEMSPY" report --db "$db" both --cost exposed | grep '^Execution time'
"$MEMSPY" report --db "$db" before | grep '^Execution time'
