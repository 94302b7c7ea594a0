# A focus on some code and data structures merges the rest into one row and keeps the totals.
run() { "$MEMSPY" run -q --machine memspy-1992-matmul "$@" "$EXAMPLES/matmul" 40 16 >/dev/null; echo "status $?"; }
figures() { "$MEMSPY" report --json "$@" | python3 -c 'import json, sys
r = json.load(sys.stdin)
print(json.dumps(r["totals"], sort_keys=True))'; }
run --trace t.trace
"$MEMSPY" replay -q --machine memspy-1992-matmul t.trace
"$MEMSPY" replay -q --machine memspy-1992-matmul --only-data 'Matrix.*' --only-code file:matmul.c --skip ClearProduct t.trace
figures @2 >whole
figures @3 | diff whole - && echo "the same totals"
# How many have no misses depends on the architecture: where calls keep their return in a register, min() has no references.
"$MEMSPY" code --width 60 | awk 'NF == 0 { exit } { print $NF }' | sed 's/^([12])$/(some)/' | sort
"$MEMSPY" data --width 60 | awk 'NF == 0 { exit } { print $NF }' | sort
"$MEMSPY" lines --csv | tr -d '\r' | cut -d, -f3 | sort -u
run --skip lib:libc.so.6 --skip nothing --only-data missing
echo "by rules:"
printf 'skip --code lib:ld-linux*\nonly Matrix.Y\nskip --program other --code main\n' >memspy.rules
run
"$MEMSPY" data --width 60 | awk 'NF == 0 { exit } { print $NF }' | sort
"$MEMSPY" code --csv --top 1000 | grep -c ld-linux
"$MEMSPY" rules
sqlite3 memspy.db 'pragma foreign_key_check' 'pragma integrity_check'
